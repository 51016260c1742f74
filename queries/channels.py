"""Which channel of a tool's output a scenario is about, and which models a battery runs.

Neither is in the rows; a person says both in an optional file.
"""

import re
import tomllib
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Channel = Literal["suggestions", "envelope", "managed-block", "artifact"]
ENOUGH_MODELS = 3
"""An agent's fault on this many models is the channel's fault; on fewer it is recorded."""


class ChannelsError(Exception):
    """The file cannot be used; the text says what to write instead."""


class Channels(BaseModel):
    """What a battery's file of channels says."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    models: tuple[str, ...] = ()
    """The models the battery is configured for, as the rows write them."""
    channel: dict[str, Channel] = {}
    """Channel by scenario; `*` stands for any characters, `?` for one; the first match decides."""
    max_age_days: Annotated[int, Field(ge=1)] = 14
    """Every scenario must have run on every model within this many days."""

    @classmethod
    def read(cls, text: str, source: str = "channels") -> Self:
        """Return what a TOML text says.

        Raises:
            ChannelsError: When it is no TOML or says something it may not.
        """
        try:
            return cls.model_validate(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ChannelsError(f"{source} is no TOML: {error}") from error
        except ValidationError as error:
            known = (
                f"fields: {', '.join(cls.model_fields)}; channels: {', '.join(get_args(Channel))}"
            )
            lines = [
                f"{source}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}"
                for fault in error.errors()
            ]
            raise ChannelsError("\n".join([*lines, f"known {known}"])) from error

    def of(self, scenario: str) -> Channel | None:
        """Return the channel a scenario is about; None when the file does not say."""
        for pattern, channel in self.channel.items():
            parts = {"*": ".*", "?": "."}
            pieces = re.split(r"([*?])", pattern)
            regex = "".join(parts.get(piece) or re.escape(piece) for piece in pieces)
            if re.fullmatch(regex, scenario, re.DOTALL):
                return channel
        return None

    def needed(self) -> int:
        """Return on how many models a fault must occur to become work on its channel."""
        return min(ENOUGH_MODELS, len(self.models) or ENOUGH_MODELS)
