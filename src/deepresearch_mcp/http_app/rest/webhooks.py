"""`/research/webhook-secret`: with what a caller verifies the webhooks of its runs."""

from pydantic import BaseModel, Field
from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.rest.operations import Answer, Call, Operation, json_answer
from deepresearch_mcp.jobs.webhooks import caller_secret
from deepresearch_mcp.records.principal import LOCAL_CALLER


class WebhookSecret(BaseModel):
    """What verifies webhooks."""

    secret: str = Field(description="whsec_ and a key in base64, as libraries for Standard Webhooks take it")


async def get_webhook_secret(call: Call) -> Response:
    """Return the secret that verifies what this caller's addresses are told."""
    if call.caller == LOCAL_CALLER:
        # It would be the operator's secret, from which those of all callers follow.
        raise InvalidRequest(
            "Messages to this machine's own user are signed with webhooks.secret itself, which is not shown.",
            "Read it where the server's settings are.",
        )
    return json_answer(WebhookSecret(secret=caller_secret((await call.jobs()).runtime, call.caller)))


OPERATIONS = (
    Operation(
        "GET",
        "/research/webhook-secret",
        get_webhook_secret,
        "Your secret of webhooks",
        {200: Answer("It stays the same until the operator changes `webhooks.secret`.", WebhookSecret)},
        "runs:write",
        "Messages to a `webhook_url` of your runs are signed with a key of your own (Standard Webhooks): no other"
        " caller can verify or forge them.",
    ),
)
