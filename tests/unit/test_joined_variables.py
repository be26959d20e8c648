"""A variable that every arm of an `if` sets to one and the same value has it afterwards."""

from __future__ import annotations

import numpy as np
from kernel_texts import run

import patlang_ir as pl


def test_every_arm_sets_it_to_the_same_variable():
    body = """
    let v = x[offs]
    if s > 0 then
      let b = v
    else
      let b = v
    end
    store(out, offs, b)
    """
    x = np.array([3.0, 4.0])
    assert run(body, x, 1, np.zeros(2), params="x, s, out").tolist() == [3.0, 4.0]


def test_every_path_of_a_helper_returns_the_same_variable():
    text = """
    fn same(a, b) {
      if b > 0 then
        return a
      end
      return a
    }
    # @gpu_kernel
    make a function called k takes x, s, out
      store(out, offs, same(x[offs], s) + 1)
    end
    """
    out = np.zeros(2)
    pl.loads(text)["k"](np.array([3.0, 4.0]), 1, out)
    assert out.tolist() == [4.0, 5.0]
