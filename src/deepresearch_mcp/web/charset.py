"""Decodes bytes to text, even when the server declares a wrong encoding."""

import codecs
import re

from charset_normalizer import from_bytes

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{2,40})""")
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
"""Browsers read an older label as the wider set that contains it (WHATWG Encoding)."""
_GUESSES = (
    *("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "cp866"),
    *("koi8_r", "koi8_u", "iso8859_2", "iso8859_5", "iso8859_7", "cp932", "euc_jp", "gb18030", "big5hkscs", "cp949"),
)
"""Encodings in use on the web besides UTF-8. More candidates lead to more wrong guesses."""
_HEAD = 4_096
"""Bytes searched for a declaration in the document; browsers search 1,024."""
_SAMPLE = 40_000
"""Bytes given to the statistical guess."""
TOLERATED = 0.001
"""Share of bytes that may decode wrongly before the declared encoding is rejected."""


def decode(body: bytes, declared: str = "") -> tuple[str, bool]:
    """Return the text, and whether its encoding was guessed because none, or a wrong one, was declared.

    In order: a byte-order mark, the header's charset (`declared`), the document's own declaration,
    valid UTF-8, a guess by statistics, windows-1252. Never raises.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace"), False
    if body.isascii() and b"\x1b" not in body:
        return body.decode("ascii"), False
    named = [name for name in map(_codec, (declared, *_declarations(body))) if name]
    switching = body.isascii() and bool(named) and named[0].startswith("iso2022")
    if _is_utf8(body) and not switching:
        return body.decode("utf-8", "replace"), bool(named) and named[0] != "utf-8" and not body.isascii()
    for name in named:
        text = _as_declared(body, name)
        if text is not None:
            return text, name != named[0]
    return _guessed(body), True


def _declarations(body: bytes) -> list[str]:
    head = body[:_HEAD]
    found = [match[1].decode("ascii") for match in (_XML.search(head), _META.search(head)) if match]
    # A document that can be read far enough to declare UTF-16 is not in UTF-16.
    return ["utf-8" if name.lower().startswith("utf-16") else name for name in found]


def _codec(label: str) -> str:
    label = label.strip(" \"'").lower()
    label = label.removeprefix("x-") if label.startswith(("x-sjis", "x-gbk")) else label
    try:
        info = codecs.lookup({"sjis": "shift_jis", "utf8": "utf-8"}.get(label, label))
    except (LookupError, ValueError):
        return ""
    if not info._is_text_encoding:  # pyright: ignore[reportPrivateUsage] - base64 and zip are codecs too
        return ""
    return _WIDER.get(info.name, info.name)


def _is_utf8(body: bytes) -> bool:
    """Return whether the bytes are UTF-8. A character cut off at the end is allowed."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return False
    return True


def _as_declared(body: bytes, name: str) -> str | None:
    """Return the text in the declared encoding; None if the bytes are clearly in another."""
    try:
        text = body.decode(name, "replace")
    except (UnicodeError, ValueError, LookupError):
        return None
    # A single-byte encoding accepts any bytes; C1 control characters show that it is the wrong one.
    broken = text.count("\ufffd") + len(re.findall(r"[\x80-\x9f]", text))
    return text if broken <= len(body) * TOLERATED else None


def _guessed(body: bytes) -> str:
    first = re.search(rb"[\x80-\xff]", body)
    begin = max(0, (first.start() if first else 0) - _SAMPLE // 4)
    best = from_bytes(body[begin : begin + _SAMPLE], cp_isolation=list(_GUESSES)).best()
    name = best.encoding if best else "cp1252"
    return body.decode(name, "replace")
