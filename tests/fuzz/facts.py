"""What the compiler is told about the shapes: everything, something, nothing."""

from __future__ import annotations

from random import Random

from tests.fuzz.program import Parameter, Program

LEVELS = ("full", "half", "none")


def facts(program: Program, level: str) -> dict[str, str]:
    """Shape facts of this level, all true, the same ones for the same program."""
    rng = Random(f"{program.seed} {level}")
    if level == "full":
        return {param.name: param.fact for param in program.params}
    params = [param for param in program.params if param.differentiable]
    full = {param.name: param.fact for param in params}
    if level == "none":
        return {}
    told = rng.sample(params, rng.randrange(len(full) + 1))
    shapes = {param.name: full[param.name] for param in told}
    if told and rng.random() < 0.3:
        param = rng.choice(told)
        shapes[param.name] = loosened(param)
    if rng.random() < 0.2:
        shapes |= alike(program, rng)
    return {name: shapes[name] for name in full if name in shapes}


def loosened(param: Parameter) -> str:
    """The same dims, but each may be 1: "n 1" is a "#n #d", so is "1 d"."""
    family = ("b", "n", "d")[3 - len(param.dims) :]
    return " ".join(
        "#" + (f if dim == "1" else dim) for f, dim in zip(family, param.dims)
    )


def alike(program: Program, rng: Random) -> dict[str, str]:
    """ "*s" for all the parameters of one shape: the same, but unknown."""
    params = [param for param in program.params if param.differentiable]
    dims = rng.choice(params).dims
    return {param.name: "*s" for param in params if param.dims == dims}


def chosen(program: Program, level: str) -> str | tuple[str, ...]:
    """The parameters to differentiate in: one as a string, or several, any order."""
    rng = Random(f"{program.seed} {level} wrt")
    names = [param.name for param in program.params if param.differentiable]
    some = tuple(rng.sample(names, rng.randint(1, len(names))))
    return some[0] if len(some) == 1 and rng.random() < 0.7 else some
