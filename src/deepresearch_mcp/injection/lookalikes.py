"""Maps letters of other alphabets to the Latin letters that they look like."""

_ROWS = (
    # Cyrillic, capital and small.
    ("АВЕКМНОРСТУХІЈЅаеорсухіїјѕԁԛԝһӏѵ", "ABEKMHOPCTYXIJSaeopcyxiijsdqwhlv"),
    # Greek.
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹονρϲϳ", "ABEZHIKMNOPTYXCovpcj"),
    # Cherokee and Armenian.
    ("ᏚᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏙᎳᏃօսհոցզ", "SABCDEGHIJKLMPRVWZouhngq"),
    # Latin letters of phonetic writing.
    ("ɑɡɩ", "agi"),
)

LOOKALIKES: dict[int, str] = {ord(char): like for odd, plain in _ROWS for char, like in zip(odd, plain, strict=True)}
"""Code point → Latin letter. Each is one character, so that offsets stay valid."""

FULL_WIDTH: dict[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
"""Code points of full-width letters and signs → the ordinary ones."""
