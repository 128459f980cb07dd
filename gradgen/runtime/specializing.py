"""The text for a signature: what letters stand for, and what is told where it is refused."""

from __future__ import annotations

import contextlib
import copy
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gradgen.errors import TOO_LARGE, GradgenError
from gradgen.ir.absent import NO_SEED
from gradgen.runtime.cache import Recent, key_of
from gradgen.runtime.copied import copied
from gradgen.runtime.variant import hold
from gradgen.signature.abstract import complex_parts
from gradgen.signature.letters import Letters

# how a text says that an axis is shorter or longer than it counts on
OF_LENGTHS = re.compile(
    r"(and is stretched|is summed along another length|rows of an array are wanted"
    r"|entries are more, or fewer, than there are|\w is (0|less than \d+))$"
)
# what makes a text: of facts, complex arguments, and told ones that hold whole numbers
Maker = Callable[[Mapping[str, str], tuple[str, ...], Mapping[str, str]], Any]
# what was found of a signature's letters, by the function and what is asked of it
_recent = Recent()


class Specializing:
    """What a dispatcher knows of how a text is asked for."""

    primal: Callable[..., Any]
    _parameters: tuple[str, ...]
    _kind: Any
    _make: Maker
    _general: Any

    def _specialized(self, letters: Letters, wholes: Mapping[str, str]) -> Any:
        """The text for a signature; where that is refused, the general one.

        `wholes` are the sorts of arguments whose shapes were told, and that hold
        whole numbers. No text does without these: it would be wrong.
        """
        values = letters.abstracts
        complexes = tuple(n for k, v in values.items() for n in complex_parts(k, v))
        key = key_of(self.primal, self._kind.options, repr((values, wholes)))
        for facts, equations in _recent.get(key) or ():
            if hold(equations, letters.sizes):
                letters.equations = list(equations)
                return self._made(facts, complexes, wholes)
        longer: tuple[Any, Any, tuple[Any, ...]] | None = None
        while True:
            try:
                facts = letters.facts()
                made = self._made(facts, complexes, wholes)
                found = made, facts, tuple(letters.equations)
                if letters.learn_alike(getattr(made, "alike", ())):
                    longer = found
                    continue
                if _withholds(made):
                    fixed = copy.deepcopy(letters)
                    fixed.fix()
                    with contextlib.suppress(GradgenError):
                        other = self._made(fixed.facts(), complexes, wholes)
                        if not _withholds(other):
                            letters.fix()
                            return other
                return self._kept(key, *found)
            except GradgenError as error:
                told = error.unequal, error.surely, error.further
                if error.unequal and letters.learn_all(*told):
                    letters.learn_alike(error.twins)
                    continue
                refusal = error
            if refusal.code == TOO_LARGE:
                raise refusal  # whatever is known
            if longer is not None:
                letters.equations = list(longer[2])
                return self._kept(key, *longer)
            unequal = refusal.surely and not self._kind.told and refusal.unequal
            if unequal and letters.contradict(unequal):
                return self._in_lengths(letters, wholes)
            if letters.abstracts.keys() & self._kind.numbers:
                raise refusal  # the general text is one for numbers
            # what knows less than a rule would not be refused, and be wrong
            sure = is_by_a_rule(refusal) or is_of_a_record(refusal)
            made = None if sure else self._of_less(letters, wholes)
            if made is not None:
                return made
            letters.fix()  # np.unstack has as many results as an axis is long
            try:
                return self._made(letters.facts(), complexes, wholes)
            except GradgenError:
                raise refusal from None

    def _of_less(self, letters: Letters, wholes: Mapping[str, str]) -> Any:
        """The text that is told of sorts, and of numbers where it can; None if refused."""
        sorts = letters.sorts()
        for facts in (sorts | letters.numbers(), sorts):
            try:
                if facts or wholes:
                    return self._made(facts, (), wholes)
                return self.general
            except GradgenError:
                pass
        return None

    def _is_of_lengths(
        self, error: Exception, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> bool:
        """Whether a text does not take the lengths of a call, which the function takes.

        before:  z[:2] += z[2:], of n - 2 entries        with n = 3 ValueError: stretched
        after:   True: another text is made, for n = 3
        """
        if not isinstance(error, ValueError) or isinstance(error, GradgenError):
            return False
        told = self._kind.told - self._kind.open
        if not OF_LENGTHS.search(str(error)) or told >= set(self._parameters):
            return False
        free = set(self._parameters) - {*self.primal.__code__.co_varnames[: len(args)]}
        own = {k: v for k, v in kwargs.items() if k in free}  # seed may be one of them
        values, words = copied((args, own))
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                self.primal(*values, **words)
        except Exception:
            return False
        return True

    def _in_lengths(self, letters: Letters, wholes: Mapping[str, str]) -> Any:
        """The text for the lengths at hand, where letters contradict each other.

        One of two lengths may be 1 here: n - 2 where n is 3. Else the function raises,
        though a text may leave out the line; the refusal says 3 and 4, not n and m.
        """
        letters.fix()
        values = letters.abstracts
        complexes = tuple(n for k, v in values.items() for n in complex_parts(k, v))
        return self._made(letters.facts(), complexes, wholes)

    def _kept(self, key: Any, made: Any, facts: Any, equations: Any) -> Any:
        """A text, and for the next of this signature what it was made of."""
        _recent.keep(key, [*(_recent.get(key) or ()), (facts, equations)])
        return made

    def _made(
        self,
        facts: Mapping[str, str],
        complexes: tuple[str, ...],
        wholes: Mapping[str, str],
    ) -> Any:
        made = self._make(facts, complexes, wholes)
        made.signature = dict(facts)
        return made

    @property
    def general(self) -> Any:
        """The derivative of which nothing is told but what was asked for."""
        if self._general is None:
            self._general = self._make({}, (), {})
            self._general.signature = {}
        return self._general


def _withholds(made: Any) -> bool:
    """Whether a result has no seed, as its length is not known: the caches of layers."""
    outcome = getattr(made, "outcome", None)
    leaves = outcome.structure.leaves() if outcome is not None else ()
    return any(leaf.fact == NO_SEED for _, leaf in leaves)


def is_by_a_rule(refusal: GradgenError) -> bool:
    """Whether a rule has no gradient for arguments of these ranks."""
    return {one.code for one in refusal.problems} == {"GG302"}


def is_of_a_record(refusal: GradgenError) -> bool:
    """Whether a record is read in its own way: an array in its place would not be."""
    return any(one.code == "GG246" for one in refusal.problems)
