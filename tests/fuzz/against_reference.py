"""A kernel in the evaluator and in the reference."""

from __future__ import annotations

import numpy as np
from inputs import Arguments, differences
from oracles import Compiled, expected
from reference import Reference


def differences_from_reference(compiled: Compiled, args: Arguments) -> list[str]:
    """Where the evaluator and the reference disagree; for buffers of f64, i64 and bool."""
    kernel = compiled.kernel
    names = [param.name for param in kernel.params]
    by_name = {
        name: arg.reshape(-1).tolist() if isinstance(arg, np.ndarray) else arg
        for name, arg in zip(names, args, strict=True)
    }
    Reference(kernel, by_name).run()
    after = [
        np.array(by_name[name], arg.dtype) if isinstance(arg, np.ndarray) else arg
        for name, arg in zip(names, args, strict=True)
    ]
    return differences(kernel, expected(compiled, args), after)
