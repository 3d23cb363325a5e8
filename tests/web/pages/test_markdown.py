from deepresearch_mcp.web.pages.markdown import tidy


def test_text_is_tidied_of_controls_and_piled_up_blank_lines() -> None:
    assert tidy("\ufeffa\x00b\r\nc\rd\n\n\n\ne\x0c\x85\ud800\u2028f\u200d ") == "ab\nc\nd\n\ne\n\nf"
