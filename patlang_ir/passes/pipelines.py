"""The compiler's table of contents: its pipelines, pass by pass.

`patlang-opt --pass-pipeline=patlang-kernel-to-triton` runs one by its name.
"""

from __future__ import annotations

KERNEL_TO_TILE = (
    "pat-inline-helpers",  # what kernels call becomes part of them
    "pat-lift-closures",  # what a closure captures is there to see
    "pat-resolve-names",  # each name becomes a parameter, a variable or a function
    "pat-isolate-kernels",  # host code goes away
    "pat-to-tile",  # named variables become SSA values over blocks of lanes
    "tile-specialize",  # parameters get the types of the call's signature
    "tile-infer-shapes",  # every other value gets a shape and an element type
    "tile-canonicalize-loops",  # a counted `while` becomes a loop with a start, a bound and a step
    "tile-simplify",  # what can be computed now is; what is not used goes away
    "tile-check-independence",  # no lane may see what another one wrote
    "tile-check-blocks",  # the programs of a matmul kernel do not meet; why sizes are pinned
    "tile-check-autotune",  # the sizes that a marker offers can be tried
)

TILE_TO_TRITON = (
    "tile-legalize-block-pointers",  # blocks of matrices become loads and stores of elements
    "tile-legalize-reductions",  # a reduction of a long input becomes a chain of launches
    "tile-guard-accesses",  # no access leaves its buffer, and padding never shows
    "tile-keep-integers",  # what is whole stays so, though `/` gives a float
    "tile-reduce-strength",  # a cheaper operation where it gives the same bits
    "tile-narrow-indices",  # 32 bits where they are proved to be enough
    "tile-simplify",  # one mask for all accesses that need the same
    "tile-place-barriers",  # no thread reads what another one is about to write
    "tile-order-programs",  # programs that share rows and columns follow each other
    "tile-plan-launches",  # block sizes, warps and the grid
    "tile-plan-candidates",  # other block sizes, where the fastest is looked for
    "tile-to-tl",  # one operation for each statement of the Triton text
    "tl-name-values",  # the names that a reader of the Triton text sees
)

HOST = (
    "pat-inline-helpers",  # as above: a helper of kernels alone is no host code
    "pat-lift-closures",  # a closure becomes a function, and captures are its first parameters
    "pat-resolve-names",  # as above, with launches of kernels in the place of calls
    "pat-mark-moves",  # a list that is used for the last time may grow in place
)

PIPELINES = {
    "patlang-kernel-to-tile": KERNEL_TO_TILE,
    "patlang-tile-to-triton": TILE_TO_TRITON,
    "patlang-kernel-to-triton": KERNEL_TO_TILE + TILE_TO_TRITON,
    "patlang-host": HOST,
}
