"""Small PDF files for tests, written by hand."""


def drawn(operators: str) -> bytes:
    """A PDF of one page of 612 × 792 points that is drawn by these operators; `/F1` is Helvetica."""
    return _file([operators])


def printed(*pages: str) -> bytes:
    """A PDF with the lines of one of these texts on each page."""
    shown = (" ".join(f"({line}) Tj T*" for line in text.splitlines()) for text in pages)
    return _file([f"BT /F1 10 Tf 40 750 Td 12 TL {lines} ET" for lines in shown])


def _file(pages: list[str]) -> bytes:
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>"]
    for operators in pages:
        objects += [
            f"<< /Length {len(operators)} >>\nstream\n{operators}\nendstream",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) + 1} 0 R"
            " /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        ]
    out = b"%PDF-1.4\n"
    offsets: list[int] = []
    for number, text in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode()
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
    return out + f"{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n".encode()
