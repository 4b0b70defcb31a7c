"""Arguments of the wrong kind are refused at the edge of the library, by name and in one sentence.

What a public function takes stands in its annotations; `checked` reads them there, so that nothing is said twice. It is
for arguments that the function does not examine in words of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Set, Sized
from functools import wraps
from numbers import Integral, Real
from os import PathLike
from typing import Any, Final, TypeGuard, TypeVar

from .errors import SettingsError
from .wording import counted

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: How arguments of our own kinds are made, for the sentence.
_MADE: Final = {
    "Situation": "parse_situation('4HPwATDgc/ABMA')",
    "Stakes": "Stakes.of(MatchState(), Cube())",
    "Record": "read_match('match.mat')",
    "MatchAnalysis": "analyse('match.mat')",
    "MatchState": "MatchState(7, 2, 4)",
    "Cube": "Cube(2)",
    "Rules": "Rules(jacoby=True)",
    "Probabilities": "Probabilities.from_cumulative(0.6, 0.2, 0, 0.1, 0)",
}
_PLAIN: Final = {
    "None": "None",
    "str": "a text",
    "bool": "True or False",
    "int": "a whole number",
    "float": "a number",
    "PathLike[str]": "a path",
    "Path": "a path",
    "date": "a date",
    "Side": "a text",
    "Numbers": "a text",
    "CubeModel": "a cube model such as Janowski(0.7)",
    "pd.DataFrame": "a DataFrame",
}
#: Left to the function itself: what it can convert, and names for choices of its own.
_OPEN: Final = frozenset(("Any", "object", "np.ndarray", "Owner", "Axes", "Size"))
#: Other names of kinds.
_CALLED: Final = frozenset(("Progress", "ToMwc"))
_NAMED: Final = {"Side": str, "Numbers": str, "Analyses": Mapping, "PathLike[str]": PathLike, "Path": PathLike}


def checked(*names: str) -> Callable[[_Function], _Function]:
    """Let a public function refuse arguments that are not what its annotations say.

    Parameters
    ----------
    *names : str
        Of the parameters that are examined.

    Raises
    ------
    SettingsError
        From the function: which argument, what it should be, what was given.
    """

    def decorate(function: _Function) -> _Function:
        signature = inspect.signature(function)
        kinds = {name: _alternatives(signature.parameters[name].annotation) for name in names}
        title = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def with_checks(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs).arguments
            for name, allowed in kinds.items():
                if name in given and not any(_fits(given[name], kind) for kind in allowed):
                    words = " or ".join(dict.fromkeys(map(_words, allowed)))
                    value = given[name]
                    shown = " ".join(f"{value!r:.60}".split())
                    raise SettingsError(f"{title}: {name} is {words}, not {shown} ({type(value).__name__})")
            return function(*args, **kwargs)

        return with_checks  # type: ignore[return-value]

    return decorate


def _alternatives(annotation: str) -> tuple[str, ...]:
    """The parts of ``A | B[C | D] | None``."""
    return _parts(annotation, "|")


def _inside(kind: str) -> tuple[str, ...]:
    """What stands in the brackets, separated by commas."""
    return _parts(kind[kind.index("[") + 1 : -1], ",")


def _parts(text: str, separator: str) -> tuple[str, ...]:
    """A text cut at the separators that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == separator and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip() for part in parts)


def _fits(value: object, kind: str) -> bool:
    outer = kind.partition("[")[0]
    if kind in _OPEN:
        return True
    if kind in _NAMED:
        return isinstance(value, _NAMED[kind])
    if outer == "Callable" or kind in _CALLED:
        return callable(value)
    if outer == "Literal":
        return isinstance(value, str)
    if outer == "tuple":
        kinds = _inside(kind)
        if not several(value) or not isinstance(value, Sized) or len(value) != len(kinds):
            return False
        return not isinstance(value, (str, Mapping)) and all(map(_fits_any, value, kinds))
    if outer in ("Sequence", "Iterable"):
        if not several(value) or isinstance(value, (str, bytes, Mapping)):
            return False
        if outer == "Sequence" and isinstance(value, Set):  # has no order
            return False
        # What can be gone through only once is the function's to go through.
        once = outer == "Iterable" and not isinstance(value, Sized)
        return once or all(_fits_any(item, _inside(kind)[0]) for item in value)
    if outer == "Mapping":
        return isinstance(value, Mapping) and all(_fits_any(item, _inside(kind)[1]) for item in value.values())
    return _is_one(value, kind)


def several(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value can be gone through; an array without an axis only looks as if."""
    return isinstance(value, Iterable) and getattr(value, "shape", None) != ()


def _fits_any(value: object, annotation: str) -> bool:
    return any(_fits(value, kind) for kind in _alternatives(annotation))


def _is_one(value: object, kind: str) -> bool:
    """Whether a value is of a simple kind, or of a class by name: the classes lie in layers above this one."""
    match kind:
        case "None":
            return value is None
        case "str":
            return isinstance(value, str)
        case "int":
            return isinstance(value, Integral)
        case "float":
            return isinstance(value, Real)
        case "bool":
            return type(value).__name__ in ("bool", "bool_") or (isinstance(value, Integral) and value in (0, 1))
        case "CubeModel":
            return isinstance(value, str) or isinstance(getattr(value, "x", None), Real)
    name = kind.rpartition(".")[2]
    return any(ancestor.__name__ == name for ancestor in type(value).__mro__)


def _words(kind: str) -> str:
    outer = kind.partition("[")[0]
    if kind in _PLAIN:
        return _PLAIN[kind]
    if outer in ("Sequence", "Iterable"):
        return f"a list, each entry {' or '.join(map(_words, _alternatives(_inside(kind)[0])))}"
    if outer == "tuple":
        return f"{counted(len(_inside(kind)), 'value')}, each {_words(_inside(kind)[0])}"
    if outer in ("Mapping", "Analyses"):
        values = "" if outer == kind else " or ".join(map(_words, _alternatives(_inside(kind)[1])))
        return f"a mapping to {values}" if values else "a mapping"
    if outer == "Callable" or kind in _CALLED:
        return "a function"
    if outer == "Literal":
        return " or ".join(_inside(kind))
    made = f", such as {_MADE[kind]}" if kind in _MADE else ""
    return f"a {kind}{made}"
