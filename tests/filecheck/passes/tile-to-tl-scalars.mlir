// RUN: patlang-opt %s -p tile-to-tl,tl-name-values -t triton | filecheck %s

// Triton's interpreter passes a float as a Python number, and an integer in the type that its value
// needs; an argument gets its own type where it meets no value that has one.

tile.kernel @scalars linear(%x "x" : !tile.buffer<f64>, %s "s" : f64, %k "k" : i64, %flag "flag" : i1) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %one = tile.constant 1.0 : f64
    %rest = tile.sub %one, %s : f64
    %square = tile.mul %k, %k : i64
    %sum = tile.cast %square : i64 -> f64
    %r = tile.add %rest, %sum : f64
    %d = tile.condition %flag : i1
    scf.if %d {
      %v = tile.broadcast %r : f64 -> !tile.tile<[BLOCK_SIZE], f64>
      tile.store %v, %x[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f64>, !tile.buffer<f64>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
    }
  }
}

// CHECK:          s_1 = tl.full((), s, tl.float64){{( +#.*)?$}}
// CHECK-NEXT:     k_1 = tl.full((), k, tl.int64){{( +#.*)?$}}
// CHECK:          rest = 1.0 - s_1{{( +#.*)?$}}
// CHECK-NEXT:     square = k_1 * k_1{{( +#.*)?$}}
// CHECK:          if flag:{{( +#.*)?$}}

// -----

// One that meets a lane, becomes another type or is only tested stays as it is.

tile.kernel @bare linear(%x "x" : !tile.buffer<f64>, %s "s" : f64, %k "k" : i64) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %three = tile.constant 3 : i64
    %c = tile.compare lt %k, %three : i64 -> i1
    %d = tile.condition %c : i1
    %lanes = tile.broadcast %s : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f64>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f64>
    %w = tile.mul %v, %lanes : !tile.tile<[BLOCK_SIZE], f64>
    scf.if %d {
      tile.store %w, %x[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f64>, !tile.buffer<f64>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
    }
  }
}

// CHECK:      def bare_kernel(x, s: tl.float64, k: tl.int64, n: tl.int64, BLOCK_SIZE: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     offs = {{.*}}
// CHECK:          c = k < 3{{( +#.*)?$}}
// CHECK:          w = v * s{{( +#.*)?$}}
