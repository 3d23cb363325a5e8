from pathlib import Path

from rest_world import served_rest


async def test_a_share_is_refused_by_the_same_rules_as_everything_else(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        path = "/research/runs/none/shares"
        assert (await world.call("POST", path, {"hours": 24})).status_code == 404
        assert (await world.call("GET", path)).status_code == 404
        assert (await world.call("DELETE", f"{path}/x")).status_code == 404
        assert (await world.call("POST", path, {"hours": 0})).status_code == 422
        assert (await world.call("POST", path, {"forever": True})).status_code == 422
        assert (await world.call("POST", path, {}, x_scopes="runs:read")).status_code == 403
