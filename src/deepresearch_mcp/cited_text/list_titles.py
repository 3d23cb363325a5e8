"""Recognises the headings of reference lists."""

import re

from deepresearch_mcp.text.stopwords import word_set

PLAIN = 7
"""The level of a title that is no heading, but bold or on a line of its own; below all real levels."""
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]|[ \t]*<h([1-6])\b")
_BOLD = re.compile(r"[ \t]*(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__)[ \t]*+(?:[:：][ \t]*+)?$")


def heading_level(body: str) -> int:
    """Return 1 to 6 for a heading in Markdown or HTML, `PLAIN` for a completely bold line, else 0."""
    match = _HEADING.match(body)
    if match:
        return len(match[1]) if match[1] else int(match[2])
    return PLAIN if _BOLD.match(body) else 0


_DRESS = re.compile(
    r"<[^<>]{0,200}>|[#*_=]+|^\W*(?:\d{1,2}(?:\.\d{1,2}){0,3}|[ivxIVX]{1,5}|[一二三四五六七八九十]{1,3})[.、．:：)\s]"
)
_TITLES = word_set(
    "references reference sources source citations bibliography notes footnotes endnotes literature links "
    "quellen quellenverzeichnis literatur literaturverzeichnis einzelnachweise belege référence références "
    "bibliographie referencias fuentes bibliografía notas riferimenti fonti bibliografia referências fontes bronnen "
    "referenser källor источники литература примечания kilder lähteet źródła zdroje hivatkozások források "
    "referințe surse πηγέσ khảo kaynaklar джерела източници المراجع المصادر מקורות منابع संदर्भ स्रोत referensi sumber "
    "nguồn"
)
_AROUND = word_set(
    "and & of list cited works work used consulted further key main primary full selected all web external reading und "
    "et y e i list und список литературы использованных tài liệu tham"
)
_WIDE_TITLE = re.compile(
    r"(?:[主相完关整要部分全]{0,4})(?:参考文献|參考文獻|参考资料|參考資料|参考来源|资料来源|資料來源|信息来源|引用来源|引用文献|"
    r"数据来源|来源|來源|出典|文献|文獻|参考链接|引用|脚注|注释|참고문헌|출처)(?:列表|链接|(?:与|和|及).{1,8})?"
)


def announced(body: str, following: str, *, opens: bool) -> int:
    """Return the level of a heading that announces references, and 0 for any other line.

    Args:
        body: The line.
        following: The next line, which may underline it.
        opens: Whether reference entries follow. Only then does a title without any markup count.
    """
    if not body or len(body) > _LONGEST:
        return 0
    bare = _DRESS.sub(" ", _DRESS.sub(" ", body)).strip()
    if not _is_title(bare.rstrip(":： ")):
        return 0
    if level := heading_level(body):
        return level
    if bare[-1:] in {":", "："}:
        return PLAIN
    return 2 if _UNDERLINE.fullmatch(following) else PLAIN if opens else 0


_LONGEST = 120
"""Longest title, in characters."""
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-{3,})")


def _is_title(bare: str) -> bool:
    words = bare.casefold().split()
    if not words or len(words) > 5:
        return False
    if words in (["works", "cited"], ["further", "reading"]):
        return True
    own = [word.strip("(),:") for word in words]
    if all(word in _TITLES or word in _AROUND for word in own) and any(word in _TITLES for word in own):
        return True
    return bool(_WIDE_TITLE.fullmatch(bare))
