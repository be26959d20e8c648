// RUN: patlang-opt %s --split-input-file --verify-diagnostics -p tile-to-tl

// expected-error@+1 {{P902: there is no Triton for matmul kernels yet}}
tile.kernel @product matmul(%x "x" : !tile.buffer<f32>) {
}

// -----

tile.kernel @unplanned linear(%x "x" : !tile.buffer<f32>) {
  // expected-error@+1 {{P902: the launch of 'unplanned' has no plan}}
  tile.stage {
  }
}

// -----

tile.kernel @uniform linear(%x "x" : !tile.buffer<f32>, %a "a" : f32) {
  tile.stage plan {num_warps = 4 : i64} {
    // expected-error@+1 {{P902: 'tile.reduce' was not lowered}}
    %s = tile.reduce sum %a : f32 -> f32
    %i = tile.constant 0 : i64
    tile.store %s, %x[%i] guarded : f32, !tile.buffer<f32>, i64
  }
}

// -----

tile.kernel @small linear(%x "x" : !tile.buffer<i8>, %a "a" : i8) {
  tile.stage plan {num_warps = 4 : i64} {
    %i = tile.constant 0 : i64
    // expected-error@+1 {{P305: atomic_add does not work on i8}}
    tile.atomic add %a, %x[%i] guarded : i8, !tile.buffer<i8>, i64
  }
}

// -----

tile.kernel @half linear(%x "x" : !tile.buffer<f16>, %a "a" : f16) {
  tile.stage plan {num_warps = 4 : i64} {
    %i = tile.constant 0 : i64
    // expected-error@+1 {{P305: atomic_max does not work on f16}}
    tile.atomic max %a, %x[%i] guarded : f16, !tile.buffer<f16>, i64
  }
}
