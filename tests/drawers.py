"""A keyring in memory, which can be locked."""

import keyring.backend
import keyring.errors


class Drawer(keyring.backend.KeyringBackend):
    """A keyring in memory."""

    priority = 1  # pyright: ignore[reportAssignmentType] - keyring declares it as a property of the class

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise keyring.errors.KeyringLocked("It is locked. See the manual.")
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.locked:
            raise keyring.errors.PasswordSetError("It is locked")
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.locked:
            raise keyring.errors.KeyringLocked("It is locked")
        if self.held.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError("not there")
