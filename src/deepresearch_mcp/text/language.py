"""Guesses the language of a text."""

import re
from collections import Counter

from deepresearch_mcp.text.question_words import by_asking
from deepresearch_mcp.text.stopwords import STOPWORDS, word_set

_READ = 4000
"""Characters that are read: more do not change the answer."""
_LEAST = 0.08
"""A text in Latin letters with a lower share of common words is not running text in a known language."""

_SHORT = 25
"""Words up to which a text may be one question, whose own words and letters say more than its few common words."""


def guess(text: str) -> str:
    """Return the ISO 639-1 code that script and common words indicate, "" if unsure.

    It knows the seven languages of `STOPWORDS`, some twenty more by their most common words, and those that have a
    script of their own. It reads the first 4,000 characters.
    """
    sample = text[:_READ].casefold()
    if sample.isascii():
        return _by_words(sample)
    scripts = Counter({name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()})
    letters = sum(char.isalpha() for char in sample)
    name, count = scripts.most_common(1)[0]
    if scripts["ja"] * 8 > letters:
        # Japanese mixes its own letters with Chinese characters.
        return "ja"
    if not count or count * 2 < letters:
        return _by_words(sample)
    return _CLOSER[name](sample) if name in _CLOSER else name


_SCRIPTS = {
    "zh": re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]"),
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "ar": re.compile(r"[\u0620-\u06ef]"),
    "hi": re.compile(r"[\u0900-\u0963\u0966-\u097f]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
    "he": re.compile(r"[\u05d0-\u05ea]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "bn": re.compile(r"[\u0980-\u09ff]"),
    "pa": re.compile(r"[\u0a00-\u0a7f]"),
    "gu": re.compile(r"[\u0a80-\u0aff]"),
    "ta": re.compile(r"[\u0b80-\u0bff]"),
    "te": re.compile(r"[\u0c00-\u0c7f]"),
    "kn": re.compile(r"[\u0c80-\u0cff]"),
    "ml": re.compile(r"[\u0d00-\u0d7f]"),
    "ka": re.compile(r"[\u10a0-\u10ff]"),
    "hy": re.compile(r"[\u0530-\u058f]"),
    "am": re.compile(r"[\u1200-\u137f]"),
}


_ONLY = (("ў", "be"), ("іїєґ", "uk"), ("ѓќѕ", "mk"), ("ђћјљњџ", "sr"), ("ңғқұһәө", "kk"), ("ыэё", "ru"))
"""Cyrillic letters that one language has and the languages further down lack."""


def _cyrillic(sample: str) -> str:
    has = set(sample)
    for letters, code in _ONLY:
        if has & set(letters):
            return code
    if sample.count("ъ") * 100 > len(sample):
        return "bg"
    found = Counter(_WORD.findall(sample))
    russian, bulgarian = (sum(found[word] for word in words) for words in (_RUSSIAN, _BULGARIAN))
    if russian == bulgarian:
        return ""
    return "ru" if russian > bulgarian else "bg"


def _arabic(sample: str) -> str:
    if re.search(r"[\u0679\u0688\u0691\u06ba\u06d2]", sample):
        return "ur"
    return "fa" if re.search(r"[\u067e\u0686\u0698\u06af\u06a9\u06cc]", sample) else "ar"


_CLOSER = {"ru": _cyrillic, "ar": _arabic}
_WORD = re.compile(r"[^\W\d_]+")
_RUSSIAN = word_set("и в не на я что с он как это по но они к у из за от о так для же был его ее бы во при или")
_BULGARIAN = [
    "на",
    "да",
    "се",
    "от",
    "за",
    "е",
    "са",
    "че",
    "по",
    "като",
    "до",
    "си",
    "ще",
    "ли",
    "при",
    "към",
    "които",
    "след",
    "който",
    "беше",
    "това",
    "този",
    "има",
    "много",
    "но",
    "което",
    "със",
]

_COMMON: dict[str, frozenset[str]] = {
    "sv": word_set(
        "och att det som en på är av för med den till inte om ett har de jag var men sig från vi så kan när han "
        "hon vid nu du vad mycket alla skulle efter eller"
    ),
    "da": word_set(
        "og at det som en på er af for med den til ikke om et har de jeg var men sig fra vi så kan når han hun ved "
        "nu blev også efter meget mange noget skal vil kunne havde hvad eller været"
    ),
    "no": word_set(
        "og at det som en på er av for med den til ikke om et har de jeg var men seg fra vi så kan når han hun ved "
        "nå ble også etter mye mange noe skal vil kunne hadde hva eller vært"
    ),
    "fi": word_set(
        "ja on ei että se hän oli ovat mutta kun myös joka mukaan sen kuin tai niin olla jo ole vain voi nyt sekä "
        "jos tämä hänen minä mitä en jotka vielä kanssa"
    ),
    "pl": word_set(
        "i w na z do się nie to że jest o jak po co ale za od przez dla czy był jego oraz są tym który która ze "
        "tego już tylko było jako także może przy"
    ),
    "cs": word_set(
        "a v na se je že s z do to o i jako pro ale za by po který která které jsou byl také podle jeho ve k bylo "
        "jsem si už nebo tak není jen až od ze při pak"
    ),
    "sk": word_set("a v na sa je že s z do to o aj ako pre ale za by po ktorý ktorá ktoré sú bol tiež podľa jeho vo k"),
    "hr": word_set("i u na je se da su za od s o ne što kao koji koja koje bi ili iz će nije bio te"),
    "sl": word_set("in v na je se da so za od z o ne kot ki bi ali iz bo ni bil tudi pri po ter"),
    "ro": word_set("și în de a la cu pe nu din o că este pentru care mai sunt au fost se un prin ce dar sa ca al"),
    "hu": word_set("a az és hogy nem is egy ez volt van már csak de meg mint még ha kell el szerint amely vagy"),
    "tr": word_set(
        "ve bir bu da de için ile çok daha olarak olan gibi ne var en o kadar sonra göre ise değil ben her mi ama "
        "şey diye bunu iki ilk yeni oldu"
    ),
    "id": word_set(
        "dan yang di ini itu dengan untuk dari dalam tidak akan pada ke oleh juga ada adalah sebagai telah bisa"
    ),
    "vi": word_set("và của là có cho các được trong không một với người đã những để này khi từ như về"),
    "lt": word_set("ir kad į yra su iš tai bet jis apie kaip buvo ne jau taip po už dėl prie savo"),
    "lv": word_set("un ir ar ka uz no par kas bet tas arī kā tika vai pēc lai nav viņš savu"),
    "sw": word_set("ya na wa kwa ni katika la za hiyo kuwa huo yake cha hii hilo kama"),
}

_LETTERS = {
    "de": "äöüß", "fr": "éèêàçœîâûùë", "es": "áéíóúñ¿¡", "it": "àèéìòù", "pt": "ãõçáéíóúêâ", "sv": "åäö",
    "da": "øæå", "no": "øæå",
    "fi": "äö", "pl": "łąęśćńżźó", "cs": "řěůžščáíéý", "sk": "žščáíéýľĺŕ", "hr": "žščćđ", "sl": "žšč",
    "tr": "ğşıçöü", "hu": "áéíóöőúüű", "ro": "ățșţşâî", "vi": "đơưăạảấầậếềểệộớợủứừựáàéèêôâóòúùíì", "lt": "ėįųūžšč",
    "lv": "āēīļņžšč",
}  # fmt: skip
"""The letters beyond a to z that each language uses."""
_LETTER_WEIGHT = 0.5
"""What a letter that only one language uses adds to its score; a letter of several languages adds a share of it."""
_SHARED = Counter(char for letters in _LETTERS.values() for char in letters)


_CONTRACTED = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll|d|m)\b")
"""English endings that would count as words of other languages, such as the Slovak "s"."""


def _by_words(sample: str) -> str:
    found = Counter(_WORD.findall(_CONTRACTED.sub("", sample)))
    total = sum(found.values())
    if not total:
        return ""
    # A long list matches more often by chance than a short one, so scores are scaled down by its length.
    met: Counter[str] = Counter()
    for word, count in found.items():
        for code in _CODES.get(word, ()):
            met[code] += count
    scores = {code: met[code] / len(common) ** 0.2 for code, common in LISTS.items()}
    if not sample.isascii():
        for code, weight in _by_letters(sample).items():
            scores[code] += weight
    if total <= _SHORT:
        for code, weight in by_asking(sample, found).items():
            scores[code] += weight
    (best, score), (_, second) = sorted(scores.items(), key=lambda item: -item[1])[:2]
    return best if score > second and score >= _LEAST * total / 3 else ""


def _by_letters(sample: str) -> dict[str, float]:
    marks = Counter(char for char in sample if not char.isascii())
    weights: dict[str, float] = {}
    for code, letters in _LETTERS.items():
        # A letter of few languages counts more than one of many; a letter that a language lacks counts against it.
        fits = sum(marks[char] / _SHARED[char] for char in letters)
        misses = sum(count for char, count in marks.items() if char in _SHARED and char not in letters)
        weights[code] = _LETTER_WEIGHT * (fits - misses / 4)
    for code in _PLAIN:
        weights[code] = -_LETTER_WEIGHT / 4 * sum(count for char, count in marks.items() if char in _SHARED)
    return weights


LISTS: dict[str, frozenset[str]] = {**STOPWORDS, **_COMMON}
"""The most common words of each language that is recognised by its words."""
_CODES: dict[str, list[str]] = {}
for _code, _common in LISTS.items():
    for _word in _common:
        _CODES.setdefault(_word, []).append(_code)
_PLAIN = LISTS.keys() - _LETTERS.keys()
