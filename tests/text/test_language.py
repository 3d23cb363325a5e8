import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from deepresearch_mcp.text.language import guess

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "langid" / "sentences.jsonl.gz"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The quick brown fox jumps over the lazy dog.", "en"),
        ("How do SQLite's WAL mode and PostgreSQL's MVCC treat concurrent readers and writers?", "en"),
        ("Why can’t Rust’s compiler infer it, and what’s the cost?", "en"),
        ("Who’d say they've won if we don't count, and I'm sure they'll ask?", "en"),
        ("Der Rat hat über die Lage in der Stadt gesprochen.", "de"),
        ("Le conseil a parlé de la situation dans la ville.", "fr"),
        ("El consejo habló de la situación en la ciudad.", "es"),
        ("Il consiglio ha parlato della situazione nella città.", "it"),
        ("O conselho não falou sobre a situação na cidade.", "pt"),
        ("De raad heeft over de toestand in de stad gesproken.", "nl"),
        ("Rada nie mówiła o sytuacji w mieście, że jest źle.", "pl"),
        ("今天的天气很好。", "zh"),
        ("東京の人口は何人ですか", "ja"),
        ("오늘 날씨가 좋다", "ko"),
        ("Он не сказал, что это было", "ru"),
        ("Він не сказав, що це її місто", "uk"),
        ("Ён не сказаў, што гэта было", "be"),
        ("Той каза, че това е неговият град и че ще дойде", "bg"),
        ("Мы был ехать", "ru"),
        ("что как это по но они", "ru"),
        ("кот дом", ""),
        ("هذا هو النص العربي", "ar"),
        ("این یک متن فارسی است که می‌گوید", "fa"),
        ("یہ اردو میں ہے", "ur"),
        ("यह एक वाक्य है", "hi"),
        ("Αυτό είναι ελληνικό", "el"),
        ("זה טקסט", "he"),
        ("นี่คือข้อความ", "th"),
        ("", ""),
        ("12345 67", ""),
        ("PostgreSQL SQLite", ""),
        ("xyzzy plugh frobozz quux", ""),
    ],
)
def test_a_language_is_told_by_script_and_common_words_or_not_at_all(text: str, language: str) -> None:
    assert guess(text) == language


@pytest.mark.skipif(not DATA.exists(), reason="the public data set langid lies beside the repository, not in it")
def test_on_real_sentences_a_wrong_guess_is_rare() -> None:
    told: Counter[str] = Counter()
    for line in gzip.decompress(DATA.read_bytes()).splitlines():
        row = json.loads(line)
        found = guess(row["text"]).replace("no", "nb")
        told["all"] += 1
        told["right"] += found == row["lang"]
        told["wrong"] += found not in {"", row["lang"]}

    assert told["right"] / told["all"] > 0.88
    assert told["wrong"] / told["all"] < 0.04
