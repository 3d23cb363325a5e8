"""The words and letters that tell a short question's language: its common words alone are too few."""

from collections import Counter
from collections.abc import Mapping

from deepresearch_mcp.text.stopwords import word_set

ASKING: Mapping[str, frozenset[str]] = {
    "en": word_set("what who why when where which how whose does did is are"),
    "de": word_set(
        "wie was warum wann wer wo welche welcher welches welchen wieso woher wozu wird macht tut ist gibt kann"
        " funktioniert behandelt bedeutet unterscheidet unterschied"
    ),
    "nl": word_set("hoe wat waarom wanneer wie waar welke welk doet maak werkt wordt kan betekent verschil"),
    "fr": word_set(
        "comment que quoi pourquoi quand qui quel quelle quels quelles est fait fonctionne combien signifie"
    ),
    "es": word_set("qué como cómo cuál cual cuáles cuales cuándo quién por dónde hace funciona cuánto significa"),
    "it": word_set("come che cosa perché quando chi dove quale quali qual fa funziona quanto significa"),
    "pt": word_set("como que qual quais quando quem onde por porque faz funciona quanto significa desfazer"),
    "sv": word_set("hur vad varför när vem var vilken vilket vilka gör fungerar är betyder skillnaden"),
    "da": word_set(
        "hvordan hvad hvorfor hvornår hvem hvor hvilken hvilket hvilke gør virker fortryder langsom er betyder"
    ),
    "no": word_set("hvordan hva hvorfor når hvem hvor hvilken hvilket hvilke gjør fungerer angrer er betyr treg"),
    "fi": word_set("miten mitä miksi milloin kuka missä mikä mitkä kuinka paljonko tekee toimii onko"),
    "pl": word_set("jak co dlaczego kiedy kto gdzie jaki jaka jakie który która które robi działa czy ile oznacza"),
    "cs": word_set("jak co proč kdy kdo kde jaký jaká jaké který která které dělá funguje kolik znamená vrátit můj"),
    "sk": word_set("ako čo prečo kedy kto kde aký aká aké ktorý ktorá ktoré robí funguje koľko znamená vrátiť môj"),
    "hr": word_set("kako što zašto kada tko gdje koji koja koje kakav radi koliko znači jesu"),
    "sl": word_set("kako kaj zakaj kdaj kdo kje kateri katera katere kakšen naredi deluje koliko pomeni moja"),
    "ro": word_set("cum ce când cine unde care face funcționează cât înseamnă sunt este"),
    "hu": word_set("hogyan mi mit miért mikor ki hol melyik milyen csinál működik mennyi jelent hány"),
    "tr": word_set("nasıl ne neden niçin kim nerede hangi kaç yapar çalışır nedir midir demek"),
    "id": word_set("bagaimana apa mengapa kenapa kapan siapa mana berapa saja yang cara saya"),
    "vi": word_set("như thế nào gì sao tại khi ai đâu bao nhiêu là làm"),
    "lt": word_set("kaip kas ką kodėl kada kur kuris kuri kokie koks veikia daro kiek reiškia yra"),
    "lv": word_set("kā kas ko kāpēc kad kur kurš kura kādi dara darbojas cik nozīmē ir"),
    "sw": word_set("je nini vipi jinsi gani lini nani wapi ngapi namna inafanyaje"),
}
"""Words that questions of a language are asked with."""
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "de": ("sch", "cht", "eich", "ück", "ung", "tz", "ffe", "heit", "keit", "ieren", "isch"),
    "nl": ("ij", "aa", "oo", "uu", "ee", "lijk", "atie", "heid", "ui", "oe", "uit"),
    "en": ("th", "wh", "tion", "ing", "ough", "ight"),
    "sv": ("ng ", "ör", "för", "ck", "sk", "gt", "ång"),
    "da": ("hv", "ig", "eg", "skr", "ær", "ød"),
    "no": ("hv", "kj", "øy", "eg", "ei", "ngen"),
    "cs": ("ř", "ů", "ě", "ou"),
    "sk": ("ľ", "ĺ", "ŕ", "ô", "ú", "ie"),
}
"""Runs of letters of languages whose words are much alike."""
_ASKED = 0.5
"""What a word adds that only one language asks with; one of several languages adds a share of it."""
_FIRST = 2
"""How many times so much the first word counts."""
_GROUP = 0.06
_MOST = 4
"""Runs of letters that count at most."""
_SHARED = Counter(word for words in ASKING.values() for word in words)


def by_asking(sample: str, found: Mapping[str, int]) -> dict[str, float]:
    """What the words that a short question asks with, and its runs of letters, add for each language.

    Args:
        sample: The text, casefolded.
        found: Its words, in order, with how often each occurs.
    """
    first = next(iter(found), "")
    if "?" not in sample and not any(first in words for words in ASKING.values()):
        return dict.fromkeys(ASKING, 0.0)
    weights: dict[str, float] = {}
    for code, words in ASKING.items():
        own = [word for word in found if word in words]
        asked = sum((_FIRST if word == first else 1) / _SHARED[word] for word in own)
        groups = min(_MOST, sum(sample.count(group) for group in _GROUPS.get(code, ())))
        # Runs of letters only choose between languages that have some of the words.
        weights[code] = _ASKED * asked + (_GROUP * groups if own else 0.0)
    return weights
