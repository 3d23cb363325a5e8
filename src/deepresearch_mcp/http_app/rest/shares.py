"""`/research/runs/{run_id}/shares`: links that show one run to who has no token."""

from typing import Annotated

from pydantic import BaseModel, Field
from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.problems import problem_response
from deepresearch_mcp.http_app.rest.operations import Answer, Call, Operation, Strict, json_answer
from deepresearch_mcp.http_app.rest.runs import ONE
from deepresearch_mcp.jobs.sharing import revoke_share, share_run, shares_of
from deepresearch_mcp.records.sharing import LONGEST_HOURS, USUAL_HOURS, SharedLink

SHARES = f"{ONE}/shares"


class ShareOrder(Strict):
    """How long a link opens the run."""

    hours: Annotated[float, Field(gt=0, le=LONGEST_HOURS, allow_inf_nan=False)] = USUAL_HOURS


class ShareList(BaseModel):
    """The links of a run, oldest first."""

    shares: list[SharedLink]


async def create_share(call: Call) -> Response:
    """Make a link to the page and the report of a run."""
    base = call.context.settings.http.public_url or str(call.request.base_url)
    hours = call.body(ShareOrder).hours
    link = await share_run(await call.jobs(), call.run_id(), base, hours=hours, caller=call.caller)
    return json_answer(link, 201)


async def list_shares(call: Call) -> Response:
    """List the links of a run."""
    return json_answer(ShareList(shares=await shares_of(await call.jobs(), call.run_id(), call.caller)))


async def revoke_share_(call: Call) -> Response:
    """End a link."""
    try:
        await revoke_share(await call.jobs(), call.run_id(), call.named("share_id"), call.caller)
    except InvalidRequest as error:
        return problem_response(error, status=404)
    return Response(status_code=204)


OPERATIONS = (
    Operation(
        "POST",
        SHARES,
        create_share,
        "Share a run",
        {201: Answer("The link; `url` is told this once.", SharedLink)},
        "runs:write",
        "Who has the link reads the page and the report of this run without a token, and nothing else, until it"
        " expires or is revoked.",
        body=ShareOrder,
        example={"hours": 24},
        problems=(404,),
        conflicts=True,
    ),
    Operation(
        "GET",
        SHARES,
        list_shares,
        "The links of a run",
        {200: Answer("All, also expired and revoked ones; never what opens them.", ShareList)},
        problems=(404,),
    ),
    Operation(
        "DELETE",
        f"{SHARES}/{{share_id}}",
        revoke_share_,
        "Revoke a link",
        {204: Answer("It opens nothing any more.")},
        "runs:write",
        problems=(404,),
    ),
)
