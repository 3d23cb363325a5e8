"""Letters of other alphabets that look like Latin ones, and which they look like."""

_ROWS = (
    # Cyrillic, small and capital.
    ("АВЕКМНОРСТУХІЈЅаеорсухіїјѕԁԛԝһӏѵ", "ABEKMHOPCTYXIJSaeopcyxiijsdqwhlv"),
    # Greek.
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹονρϲϳ", "ABEZHIKMNOPTYXCovpcj"),
    # Cherokee and Armenian.
    ("ᏚᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏙᎳᏃօսհոցզ", "SABCDEGHIJKLMPRVWZouhngq"),
    # Latin letters of phonetic writing.
    ("ɑɡɩ", "agi"),
)

LOOKALIKES: dict[int, str] = {ord(char): like for odd, plain in _ROWS for char, like in zip(odd, plain, strict=True)}
"""Code points → the Latin letter; one character each, so that offsets hold."""

FULL_WIDTH: dict[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
"""Letters and signs of full width → the ordinary ones."""
