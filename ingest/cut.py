"""Splits a JSON record without decoding its payloads, after the shape a pydantic model declares.

The pydantic model is the only declaration of a record. :func:`cutter` derives a msgspec decoder
from it that accepts the same records, leaves every :data:`Payload` as the bytes it was written
with, and refuses a member the model does not list. What the decoder refuses is judged by the model
itself, which gives the full list of faults with their places, or finds that only unlisted members
were new (:class:`Cut`).
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated, Any, Final, NamedTuple, get_args

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from ingest.derive import MEMBER, VERBATIM, count_members, struct_of
from ingest.faults import Fault, RecordInvalid, faults_of
from ingest.twice import refuse_repeated

INT64_MAX: Final = 2**63 - 1

Payload = Annotated[Any, VERBATIM]
"""Any JSON, kept as written. In a derived record: :class:`msgspec.Raw`, or None when absent."""
Nested = Annotated[list[Any], VERBATIM]
"""A list of records that are cut one by one. In a derived record: the raw list, or None."""
Count = Annotated[int, Field(ge=0, le=INT64_MAX)]
Integer = Annotated[int, Field(ge=-INT64_MAX - 1, le=INT64_MAX)]


class Record(BaseModel):
    """Base of every input model: exact types, unknown members kept, no infinities."""

    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)


class Strictly(Record):
    """Base of records in which an absent member is omitted and never null."""

    @model_validator(mode="before")
    @classmethod
    def refuse_null(cls, data: Any) -> Any:
        """Refuse null anywhere: the format omits what it does not say."""
        if isinstance(data, dict):
            for member, value in data.items():
                if value is None:
                    raise PydanticCustomError(
                        "null", "{member} is null; omit it", {"member": member}
                    )
        return data


class Cut(NamedTuple):
    """A record split into typed members and raw payloads.

    Attributes:
        record: The derived struct; it has the model's attributes.
        listed: Whether the model lists every member found; otherwise the record is kept as written
            too.
    """

    record: Any
    listed: bool


class CutAll(NamedTuple):
    """A list of records, split; ``listed`` as in :class:`Cut`, for all of them together."""

    records: list[Any]
    listed: bool


Value = bytes | memoryview | msgspec.Raw
Cutter = Callable[[Value], Cut]
RAW_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
RAW_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


@lru_cache
def decoder(model: type[Record]) -> msgspec.json.Decoder[Any]:
    """Return the decoder of records that hold nothing the model does not list."""
    return msgspec.json.Decoder(struct_of(model, forbid=True, strict=Strictly))


@lru_cache
def cutter(model: type[Record], *, once: bool = True) -> Cutter:
    """Return the function that splits records of this model.

    The function raises :class:`RecordInvalid` with every fault pydantic finds, and when a member is
    written twice. With ``once=False`` it leaves that question to its caller.
    """
    exact = decoder(model)
    tolerant = msgspec.json.Decoder(struct_of(model, forbid=False, strict=Strictly))
    kept = frozenset(payloads(model))

    def cut(data: Value) -> Cut:
        listed = True
        try:
            record = exact.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError):
            judge(model, bytes(data))
            record, listed = _decode(tolerant, data), False
        if once and not (listed and count_members(record) == bytes(data).count(MEMBER)):
            refuse_repeated(bytes(data), kept)
        return Cut(record, listed)

    return cut


@lru_cache
def list_cutter(model: type[Record], *, once: bool = True) -> Callable[[Value], CutAll]:
    """Return the function that splits a JSON list of such records, as :func:`cutter` does one."""
    exact = msgspec.json.Decoder(list[struct_of(model, forbid=True, strict=Strictly)])  # type: ignore[misc]
    single = cutter(model, once=once)

    def cut_all(data: Value) -> CutAll:
        try:
            records = exact.decode(data)
            if not once or count_members(records) == bytes(data).count(MEMBER):
                return CutAll(records, listed=True)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        cuts: list[Cut] = []
        for index, raw in enumerate(RAW_LIST.decode(a_list(data))):
            try:
                cuts.append(single(raw))
            except RecordInvalid as error:
                raise error.within(f"[{index}]") from None
        return CutAll([cut.record for cut in cuts], all(cut.listed for cut in cuts))

    return cut_all


def a_list(data: Value, name: str = "") -> Value:
    """Return a :data:`Nested` value, which nobody has looked at yet, if it is a list.

    Raises:
        RecordInvalid: When it is something else; ``name`` is the member that holds it.
    """
    if bytes(memoryview(data)[:1]) != b"[":
        raise RecordInvalid([Fault(name, "list_type", "Input should be a valid list")])
    return data


def judge(model: type[Record], data: bytes) -> None:
    """Let the model itself validate a record.

    Raises:
        RecordInvalid: With one fault for each thing pydantic found.
    """
    try:
        model.model_validate_json(data)
    except ValidationError as error:
        raise RecordInvalid(faults_of(error)) from None


def payload(raw: msgspec.Raw | None) -> str | None:
    """Return a payload as text, exactly as written.

    Raises:
        RecordInvalid: When it is not UTF-8, which msgspec does not look at inside raw values.
    """
    if raw is None:
        return None
    try:
        return bytes(raw).decode()
    except UnicodeDecodeError as error:
        raise RecordInvalid([Fault("", "encoding", f"a value is not UTF-8: {error}")]) from None


def _decode(tolerant: msgspec.json.Decoder[Any], data: Value) -> Any:
    """Decode a record that the model accepts, whatever the exact decoder had against it."""
    try:
        return tolerant.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordInvalid([Fault("", "shape", str(error))]) from error


def payloads(model: type[BaseModel]) -> Iterator[str]:
    """Yield the names of the members that are payloads, at any depth."""
    for name, info in model.model_fields.items():
        if VERBATIM in info.metadata:
            if info.annotation is Any:
                yield info.alias or name
            continue
        for part in (info.annotation, *get_args(info.annotation)):
            for inner in (part, *get_args(part)):
                if isinstance(inner, type) and issubclass(inner, BaseModel) and inner is not model:
                    yield from payloads(inner)
