// RUN: patlang-opt %s -p tile-to-tl,tl-name-values -t triton | filecheck %s --check-prefix=ALL
// RUN: patlang-opt %s -p tile-to-tl{triton=3.9},tl-name-values -t triton | filecheck %s --check-prefix=NEW
// RUN: not patlang-opt %s -p tile-to-tl{triton=4.0} 2>&1 | filecheck %s --check-prefix=NONE

// Triton before 3.9 takes -x as 0 - x, and a literal -0.0 as 0.0.

tile.kernel @signs linear(%o "o" : !tile.buffer<f32>, %a "a" : f32) {
  tile.stage plan {num_warps = 4 : i64} {
    %zero = tile.constant 0 : i64
    %one = tile.constant 1 : i64
    %n = tile.neg %a : f32
    tile.store %n, %o[%zero] guarded : f32, !tile.buffer<f32>, i64
    %z = tile.constant -0.0 : f32
    %p = tile.mul %a, %z : f32
    tile.store %p, %o[%one] guarded : f32, !tile.buffer<f32>, i64
  }
}

// ALL:      compiled by PatLang IR for Triton 3.6 to 3.9.
// ALL:      n = a_1 * -1.0{{( +#.*)?$}}
// ALL:      z = tl.full((), 0.0, tl.float32) * -1.0{{( +#.*)?$}}
// ALL:      p = a_1 * z{{( +#.*)?$}}

// NEW:      compiled by PatLang IR for Triton 3.9.
// NEW:      n = -a_1{{( +#.*)?$}}
// NEW:      p = a_1 * -0.0{{( +#.*)?$}}

// NONE: '4.0' is no version of Triton that is supported
// NONE: they are 3.6, 3.7, 3.8, 3.9
