"""An application whose every request is admitted as one principal's, as the gate would."""

from typing import Any

from deepresearch_mcp.http_app.context import admit
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, Principal


class Admitted:
    """Stands before an application that is tested without the gate."""

    def __init__(self, app: Any, principal: Principal = LOCAL_PRINCIPAL) -> None:
        self._app = app
        self._principal = principal

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            admit(scope, self._principal)
        await self._app(scope, receive, send)
