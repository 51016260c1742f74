"""Splits a JSON record without decoding its payloads, after the shape a pydantic model declares.

The pydantic model is the only declaration of a record. :func:`cutter` derives a msgspec decoder
from it that accepts the same records, leaves every :data:`Payload` as the bytes it was written
with, and refuses a member the model does not list. What the decoder refuses is judged by the model
itself, which gives the full list of faults with their places, or finds that only unlisted members
were new (:class:`Cut`).
"""

import types
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import annotated_types
import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

INT64_MAX: Final = 2**63 - 1


class _Verbatim:
    """Marks a field that is kept as the bytes it was written with."""


VERBATIM: Final = _Verbatim()
Payload = Annotated[Any, VERBATIM]
"""Any JSON, kept as written. In a derived record: :class:`msgspec.Raw`, or None when absent."""
Nested = Annotated[list[Any], VERBATIM]
"""A list of records that are cut one by one. In a derived record: the raw list."""
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


class Fault(NamedTuple):
    """One thing wrong with a record: where, which rule, what."""

    place: str
    rule: str
    message: str


class RecordInvalid(Exception):
    """A record does not have the shape its model declares."""

    def __init__(self, faults: list[Fault]) -> None:
        """Keep every fault found."""
        super().__init__("; ".join(f"{fault.place}: {fault.message}" for fault in faults))
        self.faults = faults

    def within(self, prefix: str) -> "RecordInvalid":
        """Return the same faults seen from the record that holds this one."""
        return RecordInvalid(
            [fault._replace(place=join(prefix, fault.place)) for fault in self.faults]
        )


class Cut(NamedTuple):
    """A record split into typed members and raw payloads.

    Attributes:
        record: The derived struct; it has the model's attributes.
        listed: Whether the model lists every member found; otherwise the record is kept as written
            too.
    """

    record: Any
    listed: bool


Cutter = Callable[[bytes | msgspec.Raw], Cut]
RAW_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
RAW_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


class CutAll(NamedTuple):
    """A list of records, split; ``listed`` as in :class:`Cut`, for all of them together."""

    records: list[Any]
    listed: bool


@lru_cache
def cutter(model: type[Record]) -> Cutter:
    """Return the function that splits records of this model.

    The function raises :class:`RecordInvalid` with every fault pydantic finds.
    """
    exact = msgspec.json.Decoder(_struct(model, forbid=True))
    tolerant = msgspec.json.Decoder(_struct(model, forbid=False))

    def cut(data: bytes | msgspec.Raw) -> Cut:
        try:
            return Cut(exact.decode(data), listed=True)
        except (msgspec.DecodeError, UnicodeDecodeError):
            judge(model, bytes(data))
        try:
            return Cut(tolerant.decode(data), listed=False)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordInvalid([Fault("", "shape", str(error))]) from error

    return cut


@lru_cache
def list_cutter(model: type[Record]) -> Callable[[bytes | msgspec.Raw], CutAll]:
    """Return the function that splits a JSON list of such records, as :func:`cutter` does one."""
    exact = msgspec.json.Decoder(list[_struct(model, forbid=True)])  # type: ignore[misc]
    single = cutter(model)

    def cut_all(data: bytes | msgspec.Raw) -> CutAll:
        try:
            return CutAll(exact.decode(data), listed=True)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        cuts: list[Cut] = []
        for index, raw in enumerate(RAW_LIST.decode(data)):
            try:
                cuts.append(single(raw))
            except RecordInvalid as error:
                raise error.within(f"[{index}]") from None
        return CutAll([cut.record for cut in cuts], all(cut.listed for cut in cuts))

    return cut_all


def judge(model: type[Record], data: bytes) -> None:
    """Let the model itself validate a record.

    Raises:
        RecordInvalid: With one fault for each thing pydantic found.
    """
    try:
        model.model_validate_json(data)
    except ValidationError as error:
        raise RecordInvalid(faults_of(error)) from None


def faults_of(error: ValidationError) -> list[Fault]:
    """Return what pydantic found as faults with JSON paths."""
    return [_fault(each) for each in error.errors(include_url=False, include_context=False)]


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


def join(prefix: str, inner: str) -> str:
    """Return the JSON path of a member of the value at ``prefix``."""
    return (
        f"{prefix}{inner}"
        if inner.startswith("[") or not inner or not prefix
        else f"{prefix}.{inner}"
    )


def place(loc: tuple[int | str, ...]) -> str:
    """Return a pydantic location as a JSON path such as ``turns[0].status``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return text.removeprefix(".")


def _fault(error: ErrorDetails) -> Fault:
    where, found = place(error["loc"]), error["input"]
    seen = "" if isinstance(found, (dict, list, bytes, str)) else f", found {found!r}"
    if isinstance(found, str) and error["type"] != "json_invalid":
        seen = f", found {_short(found)}"
    return Fault(where, error["type"], f"{error['msg']}{seen}")


def _short(value: str) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _struct(model: type[Record], *, forbid: bool) -> type[msgspec.Struct]:
    required: list[Any] = []
    optional: list[Any] = []
    rename: dict[str, str] = {}
    for name, info in model.model_fields.items():
        wanted = _type(info, model, forbid=forbid)
        rename[name] = info.alias or name
        if info.is_required():
            required.append((name, wanted))
        else:
            optional.append((name, wanted, _default(info)))
    return msgspec.defstruct(
        model.__name__,
        required + optional,
        rename=rename,
        forbid_unknown_fields=forbid,
        gc=False,
        frozen=True,
    )


def _default(info: FieldInfo) -> Any:
    if VERBATIM in info.metadata:
        return None
    value = info.get_default(call_default_factory=True)
    return msgspec.field(default_factory=type(value)) if value in ([], {}) else value


def _type(info: FieldInfo, model: type[Record], *, forbid: bool) -> Any:
    if VERBATIM in info.metadata:
        return msgspec.Raw
    annotated = Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation
    wanted = _translate(annotated, forbid=forbid)
    return _without_none(wanted) if issubclass(model, Strictly) else wanted


def _translate(annotation: Any, *, forbid: bool) -> Any:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is None or origin is Literal:
        return annotation
    if origin is Annotated:
        return _annotated(arguments, forbid=forbid)
    if origin in (Union, types.UnionType):
        return Union[tuple(_translate(part, forbid=forbid) for part in arguments)]  # noqa: UP007
    if origin in (list, dict):
        return origin[tuple(_translate(part, forbid=forbid) for part in arguments)]
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return _struct(annotation, forbid=forbid)
    return annotation


def _annotated(arguments: tuple[Any, ...], *, forbid: bool) -> Any:
    if VERBATIM in arguments[1:]:
        return msgspec.Raw
    wanted = _translate(arguments[0], forbid=forbid)
    bounds: dict[str, Any] = {}
    for extra in arguments[1:]:
        for limit in extra.metadata if isinstance(extra, FieldInfo) else (extra,):
            if isinstance(limit, annotated_types.Ge):
                bounds["ge"] = limit.ge
            elif isinstance(limit, annotated_types.Le):
                bounds["le"] = limit.le
    return Annotated[wanted, msgspec.Meta(**bounds)] if bounds else wanted


def _without_none(wanted: Any) -> Any:
    """Drop null from a union: an absent member takes the default, a null one is refused."""
    if get_origin(wanted) is not Union:
        return wanted
    parts = tuple(part for part in get_args(wanted) if part is not type(None))
    return parts[0] if len(parts) == 1 else Union[parts]  # noqa: UP007
