"""`gradgen check --against`: a hand-written backward pass at many random arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.verify.facts import facts_of
from gradgen.verify.flat import Leaves, flat
from gradgen.verify.generated import EmittedText
from gradgen.verify.gradients import POINTS, function_in
from gradgen.verify.hand import case_of, checked_case
from gradgen.verify.held import Measured
from gradgen.verify.inputs import (
    DRAWS,
    SPECIAL,
    Layout,
    is_guessed,
    known_parameters,
    layouts,
)
from gradgen.verify.inferred import inferred_wrt
from gradgen.verify.points import TRIES, copies, result_of
from gradgen.verify.report import Checked
from gradgen.verify.subject import Remade, Subject
from gradgen.verify.taking import taking


@dataclass(frozen=True)
class Found:
    """What a hand-written backward pass is found to be.

    `checked` where it agrees, `error` and `place` where it does not; neither where
    no arguments were found at which it could be measured.
    """

    checked: Checked | None = None
    error: GradgenError | None = None
    place: str = ""


def hold_against(
    hand: Callable[..., Any],
    made: Remade,
    text: str,
    where: str,
    wrt: tuple[str, ...] | None,
    seed: int = 0,
) -> Found:
    """The agreement of a backward pass with the numbers, or where it fails.

    `made` is the primal with the request and what was emitted for it, `text` the
    generated gradient, `where` how its lines are named. Without `wrt` the results of
    the backward pass tell what they are gradients of. Where shapes are guessed, and it
    disagrees at a guess, nothing is said of it. The same seed tries the
    same arguments, of two sizes, in float64 and float32, and once more with lengths of
    1 and with equal ones.
    """
    source, request = made.source, made.request
    primal = source.globals.get(source.node.name)
    if source.receiver is not None or primal is None:
        primal = source.function
    facts = facts_of(made)
    parameters = known_parameters(source, primal, facts, made.emitted.complex)
    names = [parameter.name for parameter in parameters]
    emitted = None
    if request.mode == "reverse":
        emitted = EmittedText(
            text,
            made.emitted.function,
            where,
            made.wrt,
            request.style,
            request.value,
            function_in(text),
        )
    held = Measured(primal, source, names, request.stop)
    subject = Subject(lambda: None, held, parameters, made.wrt)
    subject = flat(subject, source, request, made.emitted)
    tried = _Held(
        primal, held, bool(request.stop), subject, hand, wrt, made.wrt, emitted
    )
    if wrt is None:
        tried = replace(tried, wrt=tried.inferred(seed))
    errors: dict[str, float] = {}
    points = 0
    doubt: GradgenError | None = None
    guessed = any(is_guessed(p, subject.wrt) for p in subject.parameters)
    for layout, dtype, rng in _trials(subject, seed):
        place = f"{layout.sizes}, {dtype.__name__}, seed {seed}"
        try:
            found = tried.point(layout, dtype, rng)
        except GradgenError as error:
            if not guessed or error.code == "GG603":  # of the form, at any shape
                return Found(error=error, place=place)
            # It may be for arguments of other shapes, that nobody has named.
            if doubt is None or doubt.code not in OFF:
                doubt = error
            continue
        if found is None:
            continue
        points += 1
        for label, one in found.errors.items():
            if dtype is np.float64:
                errors[label] = max(errors.get(label, 0.0), one)
    if doubt is not None and (doubt.code in OFF or not points):
        return Found(error=_not_judged(hand, doubt, subject), place="guessed shapes")
    return Found(Checked(errors, points) if points else None)


# what the numbers say, and not how the backward pass is called
OFF = ("GG601", "GG602")


def _not_judged(
    hand: Callable[..., Any], doubt: GradgenError, subject: Subject
) -> GradgenError:
    """The refusal to judge where the shapes of arguments are not known."""
    unknown = [p.name for p in subject.parameters if is_guessed(p, subject.wrt)]
    said = doubt.message.partition("\n")[0]
    many = len(unknown) > 1
    return GradgenError(
        "GG604",
        f"{hand.__name__} is not judged: the shape{'s' * many} of "
        f"{', '.join(unknown)} {'are' if many else 'is'} not known, and at guessed "
        f"ones {said}",
        advice=" ".join(f'--shape {name}="n d"' for name in unknown)
        + ", with the axes that each has",
    )


def _trials(
    subject: Subject, seed: int
) -> Iterator[tuple[Layout, type, np.random.Generator]]:
    """Shapes and dtypes to try, each with its source of numbers."""
    for number, layout in enumerate(layouts(subject.parameters, subject.wrt)):
        for dtype in (np.float64, np.float32):
            for k in range(POINTS):
                key = [seed, number, dtype is np.float32, k]
                yield layout, dtype, np.random.default_rng(key)
    for layout in layouts(subject.parameters, subject.wrt, None, SPECIAL):
        if layout.lengths:
            yield layout, np.float64, np.random.default_rng([seed, 2000])


@dataclass(frozen=True)
class _Held:
    """A primal and a backward pass of it, to be tried at random arguments."""

    primal: Callable[..., Any]
    measured: Measured
    stopped: bool
    subject: Subject
    hand: Callable[..., Any]
    wrt: tuple[str, ...] | None
    own: tuple[str, ...]  # those of the generated gradient
    emitted: EmittedText | None

    def point(
        self, layout: Layout, dtype: Any, rng: np.random.Generator
    ) -> Checked | None:
        """The errors at one set of arguments; None where none can be measured.

        Raises GradgenError where the backward pass is wrong.
        """
        for draw in DRAWS:
            for _ in range(TRIES):
                leaves = layout.arguments(rng, dtype, draw)
                result = result_of(self.subject.primal, leaves)
                if result is None:
                    break
                if not np.all(np.isfinite(result)):
                    continue
                try:
                    args = self._nested(leaves)
                    f = self._function(args)
                    names = self.wrt or self.own
                    wrt = names if len(names) > 1 else names[0]
                    case = case_of(f, self.hand, tuple(args), wrt, self.emitted)
                    return checked_case(case, widely=False)
                except GradgenError as error:
                    if error.code != "GG604":
                        raise
        return None

    def inferred(self, seed: int) -> tuple[str, ...]:
        """The arguments that the results of the backward pass are gradients of.

        As its results at the first arguments that both take tell.
        """
        for layout, dtype, rng in _trials(self.subject, seed):
            for draw in DRAWS[:TRIES]:
                args = layout.arguments(rng, dtype, draw)
                result = result_of(self.subject.primal, args)
                if result is not None:
                    found = self._inferred(args, result)
                    if found is not None:
                        return found
        return self.own

    def _inferred(self, args: list[Any], result: Any) -> tuple[str, ...] | None:
        if isinstance(self.subject.primal, Leaves):
            return self.own  # containers, whose gradients are nested as they are
        names = list(inspect.signature(self.primal).parameters)[: len(args)]
        kinds = [np.asarray(arg).dtype.kind for arg in args]
        floats = [name for name, kind in zip(names, kinds) if kind in "fc"]
        shapes = [np.shape(arg) for arg, kind in zip(args, kinds) if kind in "fc"]
        try:
            how = taking(self.hand, names, self.hand.__name__)
            seed = np.ones_like(result) if np.ndim(result) else 1.0
            found = how.call(self.hand, names, copies(args), seed)
        except Exception:  # which is told of when it is called for good
            return None
        return inferred_wrt(self.hand, found, result, floats, shapes, self.own)

    def _nested(self, leaves: list[Any]) -> list[Any]:
        primal = self.subject.primal
        return primal.nested(leaves) if isinstance(primal, Leaves) else leaves

    def _function(self, args: list[Any]) -> Callable[..., Any]:
        """The primal as a function of positions, with what is stopped held."""
        signature = inspect.signature(self.primal)
        kinds = {p.kind for p in signature.parameters.values()}
        if not self.stopped and inspect.Parameter.KEYWORD_ONLY not in kinds:
            return self.primal
        held = self.measured.at(args)

        def function(*arguments: Any) -> Any:
            return held(*arguments)

        positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
        function.__name__ = self.primal.__name__
        names = [inspect.Parameter(name, positional) for name in signature.parameters]
        setattr(function, "__signature__", inspect.Signature(names))
        return function
