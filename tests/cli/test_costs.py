"""`runs cost` on the run that the demo left, and `research --estimate`."""


def test_the_cost_of_a_run_is_shown_by_stage_and_engine(cli, shown, monkeypatch):
    monkeypatch.setenv("DEEPRESEARCH_HOME", str(shown.home))
    run_id, metrics = shown.run["run_id"], shown.run["metrics"]

    said = cli("runs", "cost", run_id)
    books = cli("runs", "cost", run_id, "--json").json

    assert said.code == 0, said.err
    assert "Engine" in said.out
    assert "Total" in said.out
    assert books["run_id"] == run_id
    assert books["total"]["usd"] == metrics["usd"]
    assert books["total"]["searches"] == metrics["searches"]
    assert cli("runs", "cost", "nobody").code == 2


def test_an_estimate_starts_nothing_and_says_what_each_stage_uses(cli, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    priced = ("--set", 'model.prices={"openai:x": {"input": 1, "output": 5}}')
    asked = ("research", "Why does ice float?", "--model", "openai:x", "--estimate", *priced)

    said = cli(*asked)
    found = cli(*asked, "--json").json["estimate"]

    assert said.code == 0, said.err
    assert "reader" in said.out
    assert "In all" in said.out
    assert found["usd"] == round(sum(stage["usd"] for stage in found["stages"]), 6) > 0
    assert found["tokens"] == sum(stage["tokens"] for stage in found["stages"]) > 0
    assert found["minutes"] > 0
    assert cli("runs", "list", "--json").json == {"runs": []}


def test_an_estimate_refuses_what_a_run_would_refuse(cli, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    asked = ("research", "Why?", "--estimate", "--model", "openai:made-up")

    unknown = cli(*asked)
    refused = cli(*asked, "--max-usd", "1")

    assert "price unknown" in unknown.out
    assert refused.code == 2
    assert "max_usd cannot be held" in refused.err
    free = cli("research", "Why?", "--estimate", "--model", "extractive", "--json").json["estimate"]
    assert (free["tokens"], free["usd"], free["stages"]) == (0, 0.0, [])


def test_the_settings_defaults_hold_and_an_option_wins_over_them(cli, monkeypatch):
    monkeypatch.setenv("DEEPRESEARCH_DEFAULTS__EFFORT", "quick")
    asked = ("research", "Why does ice float?", "--model", "extractive", "--estimate", "--json")

    assert cli(*asked).json["estimate"]["ceilings"]["depth"] == 1
    assert cli(*asked, "--effort", "deep").json["estimate"]["ceilings"]["depth"] == 4
