// RUN: patlang-opt %s --split-input-file --verify-diagnostics -p tile-to-tl

tile.kernel @product matmul(%x "x" : !tile.buffer<f32>) {
  // expected-error@+1 {{P902: the launch of 'product' has no plans}}
  tile.stage {
  }
}

// -----

// Products are added in a type that holds them.
tile.kernel @sum_in_f16 matmul(%x "x" : !tile.buffer<f16>) {
  tile.stage {
    %none = tile.constant 0.0 : f16
    %v = tile.broadcast %none : f16 -> !tile.tile<[16, 16], f16>
    // expected-error@+1 {{P305: products of f16 are not added in f16}}
    %sum = tile.dot ieee %v, %v, %v : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>
  }
}

// -----

tile.kernel @not_legalized matmul(%a "a" : !tile.buffer<f16>) {
  tile.stage {
    %zero = tile.constant 0 : i64
    // expected-error@+1 {{P902: 'tile.block_pointer' was not lowered}}
    %p = tile.block_pointer %a[%zero, %zero] of %zero x %zero as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
  }
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
