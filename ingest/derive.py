"""Derives from a pydantic model the msgspec record that accepts the same JSON, payloads unread.

A member that was not written gets a default that nothing else is (see :data:`NO_LIST`), so that
:func:`count_members` can tell how many members a record must have been written with.
"""

import operator
import types
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import annotated_types
import msgspec
from pydantic import BaseModel
from pydantic.fields import FieldInfo

MEMBER: Final = b'":'
"""Stands once in the text of a JSON object for each of its members, as most writers write it."""
_encode: Final = msgspec.json.Encoder().encode
NO_LIST: Final[tuple[Any, ...]] = ()
NO_MEMBERS: Final[Mapping[str, Any]] = types.MappingProxyType({})


class _Verbatim:
    """Marks a field that is kept as the bytes it was written with."""


VERBATIM: Final = _Verbatim()


def struct_of(model: type[BaseModel], *, forbid: bool, strict: type[BaseModel]) -> Any:
    """Return the record type of a model; ``forbid`` refuses members that the model does not list.

    Fields of ``strict`` models never take null: their null means absent, and absent is omitted.
    """
    required: list[Any] = []
    optional: list[Any] = []
    rename: dict[str, str] = {}
    for name, info in model.model_fields.items():
        wanted = _type(info, model, forbid=forbid, strict=strict)
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
        omit_defaults=True,
    )


def count_members(value: Any) -> int:
    """Return how many members the text of a record has, those of its payloads included."""
    kind = type(value)
    if kind is msgspec.Raw:
        return bytes(value).count(MEMBER)
    if kind is list:
        return sum(map(count_members, value))
    if kind is dict:
        return len(value) + sum(map(count_members, value.values()))
    if not isinstance(value, msgspec.Struct):
        return 0
    held = msgspec.structs.astuple(value)
    within = sum(count_members(each) for each in held if type(each) not in _PLAIN)
    return own_members(value) + within


def surely_once(value: Any, text: bytes) -> bool:
    """Return whether no member of a record can have been written twice, payloads left aside.

    That is so when the text is as short as it can be; else its members are counted. A record that
    holds decoded numbers other than integers is not for this: they have no shortest text.
    """
    return len(_encode(value)) == len(text) or count_members(value) == text.count(MEMBER)


def own_members(record: msgspec.Struct) -> int:
    """Return how many members a record was written with, without what is inside of them."""
    held = msgspec.structs.astuple(record)
    defaults = record.__struct_defaults__
    optional = held[len(held) - len(defaults) :]
    return len(held) - sum(map(operator.is_, optional, defaults))


_PLAIN: Final = frozenset({str, int, bool, float, type(None), tuple, types.MappingProxyType})
"""Types of values without members, among them what stands for absent ones."""


def _default(info: FieldInfo) -> Any:
    value = info.get_default(call_default_factory=True)
    if VERBATIM in info.metadata:
        return None
    if value == []:
        return NO_LIST
    return NO_MEMBERS if value == {} else value


def _type(info: FieldInfo, model: type[BaseModel], *, forbid: bool, strict: type[BaseModel]) -> Any:
    if VERBATIM in info.metadata:
        return msgspec.Raw
    annotated = Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation
    wanted = _translate(annotated, forbid=forbid, strict=strict)
    return _without_none(wanted) if issubclass(model, strict) else wanted


def _translate(annotation: Any, *, forbid: bool, strict: type[BaseModel]) -> Any:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is None or origin is Literal:
        return annotation
    if origin is Annotated:
        return _annotated(arguments, forbid=forbid, strict=strict)
    parts = tuple(_translate(part, forbid=forbid, strict=strict) for part in arguments)
    if origin in (Union, types.UnionType):
        return Union[parts]  # noqa: UP007
    if origin in (list, dict):
        return origin[parts]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return struct_of(annotation, forbid=forbid, strict=strict)
    return annotation


def _annotated(arguments: tuple[Any, ...], *, forbid: bool, strict: type[BaseModel]) -> Any:
    if VERBATIM in arguments[1:]:
        return msgspec.Raw
    wanted = _translate(arguments[0], forbid=forbid, strict=strict)
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
