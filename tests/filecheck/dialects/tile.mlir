// RUN: patlang-opt %s --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file | patlang-opt - --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file --print-op-generic \
// RUN:   | patlang-opt - --split-input-file | filecheck %s

tile.kernel @memory linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %s "s" : f32) options {math = "fast"} {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %n = tile.size n : i64
    %length = tile.length %x : !tile.buffer<f32>
    %lanes = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %w = tile.load %x[%offs] mask %lanes guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %u = tile.load %x[%n] : (!tile.buffer<f32>, i64) -> f32
    tile.store %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
    tile.store %v, %out[%offs] mask %lanes guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
    tile.barrier
    tile.atomic add %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
    tile.atomic max %u, %out[%length] : f32, !tile.buffer<f32>, i64
    tile.atomic min %v, %out[%offs] mask %lanes guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      tile.kernel @memory linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %s "s" : f32) options {math = "fast"} {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %n = tile.size n : i64{{$}}
// CHECK-NEXT:     %length = tile.length %x : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %lanes = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %w = tile.load %x[%offs] mask %lanes guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %u = tile.load %x[%n] : (!tile.buffer<f32>, i64) -> f32{{$}}
// CHECK-NEXT:     tile.store %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     tile.store %v, %out[%offs] mask %lanes guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     tile.barrier{{$}}
// CHECK-NEXT:     tile.atomic add %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     tile.atomic max %u, %out[%length] : f32, !tile.buffer<f32>, i64{{$}}
// CHECK-NEXT:     tile.atomic min %v, %out[%offs] mask %lanes guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

tile.kernel @numbers linear(%x "x" : !tile.tile<[BLOCK_SIZE], f32>, %i "i" : !tile.tile<[BLOCK_SIZE], i64>) {
  tile.stage cover [0] plan {BLOCK_SIZE = 1024 : i64} {
    %0 = tile.constant 2.5 : f32
    %1 = tile.constant 3 : i64
    %2 = tile.constant true : i1
    %3 = tile.constant neg_inf : f64
    %4 = tile.constant nan : !tile.unknown
    %5 = tile.add %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %6 = tile.sub %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %7 = tile.mul %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %8 = tile.div %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %9 = tile.rem %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %10 = tile.max %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %11 = tile.min %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %12 = tile.pow %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %13 = tile.quotient %i, %i : !tile.tile<[BLOCK_SIZE], i64>
    %14 = tile.band %i, %i : !tile.tile<[BLOCK_SIZE], i64>
    %15 = tile.bor %i, %i : !tile.tile<[BLOCK_SIZE], i64>
    %16 = tile.bxor %i, %i : !tile.tile<[BLOCK_SIZE], i64>
    %17 = tile.shl %i, %i : !tile.tile<[BLOCK_SIZE], i64>
    %18 = tile.shr %i, %i : !tile.tile<[BLOCK_SIZE], i64>
    %19 = tile.neg %x : !tile.tile<[BLOCK_SIZE], f32>
    %20 = tile.abs %x : !tile.tile<[BLOCK_SIZE], f32>
    %21 = tile.sqrt %x : !tile.tile<[BLOCK_SIZE], f32>
    %22 = tile.floor %x : !tile.tile<[BLOCK_SIZE], f32>
    %23 = tile.ceil %x : !tile.tile<[BLOCK_SIZE], f32>
    %24 = tile.trunc %x : !tile.tile<[BLOCK_SIZE], f32>
    %25 = tile.round %x : !tile.tile<[BLOCK_SIZE], f32>
    %26 = tile.exp %x : !tile.tile<[BLOCK_SIZE], f32>
    %27 = tile.exp2 %x : !tile.tile<[BLOCK_SIZE], f32>
    %28 = tile.log %x : !tile.tile<[BLOCK_SIZE], f32>
    %29 = tile.log2 %x : !tile.tile<[BLOCK_SIZE], f32>
    %30 = tile.sin %x : !tile.tile<[BLOCK_SIZE], f32>
    %31 = tile.cos %x : !tile.tile<[BLOCK_SIZE], f32>
    %32 = tile.tan %x : !tile.tile<[BLOCK_SIZE], f32>
    %33 = tile.tanh %x : !tile.tile<[BLOCK_SIZE], f32>
    %34 = tile.erf %x : !tile.tile<[BLOCK_SIZE], f32>
    %35 = tile.bnot %i : !tile.tile<[BLOCK_SIZE], i64>
    %36 = tile.fma %x, %x, %x : !tile.tile<[BLOCK_SIZE], f32>
    %37 = tile.compare eq %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>
    %38 = tile.compare ne %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>
    %39 = tile.compare lt %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>
    %40 = tile.compare le %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>
    %41 = tile.compare gt %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>
    %42 = tile.compare ge %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>
    %43 = tile.and %42, %42 : !tile.tile<[BLOCK_SIZE], i1>
    %44 = tile.or %42, %42 : !tile.tile<[BLOCK_SIZE], i1>
    %45 = tile.not %42 : !tile.tile<[BLOCK_SIZE], i1>
    %46 = tile.select %42, %x, %x : !tile.tile<[BLOCK_SIZE], i1>, !tile.tile<[BLOCK_SIZE], f32>
    %47 = tile.cast %i : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], f32>
    %48 = tile.truth %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>
    %49 = tile.broadcast %0 : f32 -> !tile.tile<[BLOCK_SIZE], f32>
    %50 = tile.condition %2 : i1
    %51 = tile.reduce sum %x : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %52 = tile.reduce prod %x : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %53 = tile.reduce max %x : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %54 = tile.reduce min %x : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %55 = tile.reduce argmax %x : !tile.tile<[BLOCK_SIZE], f32> -> i64
    %56 = tile.reduce argmin %x : !tile.tile<[BLOCK_SIZE], f32> -> i64
    %57 = tile.reduce any %42 : !tile.tile<[BLOCK_SIZE], i1> -> i1
    %58 = tile.reduce all %42 : !tile.tile<[BLOCK_SIZE], i1> -> i1
  }
}

// CHECK:      tile.kernel @numbers linear(%x "x" : !tile.tile<[BLOCK_SIZE], f32>, %i "i" : !tile.tile<[BLOCK_SIZE], i64>) {{[{]$}}
// CHECK-NEXT:   tile.stage cover [0] plan {BLOCK_SIZE = 1024 : i64} {{[{]$}}
// CHECK-NEXT:     %0 = tile.constant 2.5 : f32{{$}}
// CHECK-NEXT:     %1 = tile.constant 3 : i64{{$}}
// CHECK-NEXT:     %2 = tile.constant true : i1{{$}}
// CHECK-NEXT:     %3 = tile.constant neg_inf : f64{{$}}
// CHECK-NEXT:     %4 = tile.constant nan : !tile.unknown{{$}}
// CHECK-NEXT:     %5 = tile.add %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %6 = tile.sub %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %7 = tile.mul %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %8 = tile.div %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %9 = tile.rem %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %10 = tile.max %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %11 = tile.min %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %12 = tile.pow %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %13 = tile.quotient %i, %i : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %14 = tile.band %i, %i : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %15 = tile.bor %i, %i : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %16 = tile.bxor %i, %i : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %17 = tile.shl %i, %i : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %18 = tile.shr %i, %i : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %19 = tile.neg %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %20 = tile.abs %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %21 = tile.sqrt %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %22 = tile.floor %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %23 = tile.ceil %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %24 = tile.trunc %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %25 = tile.round %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %26 = tile.exp %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %27 = tile.exp2 %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %28 = tile.log %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %29 = tile.log2 %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %30 = tile.sin %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %31 = tile.cos %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %32 = tile.tan %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %33 = tile.tanh %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %34 = tile.erf %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %35 = tile.bnot %i : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     %36 = tile.fma %x, %x, %x : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %37 = tile.compare eq %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %38 = tile.compare ne %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %39 = tile.compare lt %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %40 = tile.compare le %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %41 = tile.compare gt %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %42 = tile.compare ge %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %43 = tile.and %42, %42 : !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %44 = tile.or %42, %42 : !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %45 = tile.not %42 : !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %46 = tile.select %42, %x, %x : !tile.tile<[BLOCK_SIZE], i1>, !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %47 = tile.cast %i : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %48 = tile.truth %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:     %49 = tile.broadcast %0 : f32 -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %50 = tile.condition %2 : i1{{$}}
// CHECK-NEXT:     %51 = tile.reduce sum %x : !tile.tile<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:     %52 = tile.reduce prod %x : !tile.tile<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:     %53 = tile.reduce max %x : !tile.tile<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:     %54 = tile.reduce min %x : !tile.tile<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:     %55 = tile.reduce argmax %x : !tile.tile<[BLOCK_SIZE], f32> -> i64{{$}}
// CHECK-NEXT:     %56 = tile.reduce argmin %x : !tile.tile<[BLOCK_SIZE], f32> -> i64{{$}}
// CHECK-NEXT:     %57 = tile.reduce any %42 : !tile.tile<[BLOCK_SIZE], i1> -> i1{{$}}
// CHECK-NEXT:     %58 = tile.reduce all %42 : !tile.tile<[BLOCK_SIZE], i1> -> i1{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

tile.kernel @grid grid(%x "x" : !tile.tile<[BLOCK_R, BLOCK_C], f32>, %u "u" : !tile.unknown, %w "w" : !tile.weak<f64>) {
  tile.stage {
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    %col = tile.index col : !tile.tile<[1, BLOCK_C], i64>
    %n_rows = tile.size n_rows : i64
    %n_cols = tile.size n_cols : i64
    %0 = tile.reduce max %x axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], f32>
    %1 = tile.broadcast %0 : !tile.tile<[BLOCK_R, 1], f32> -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %2 = tile.add %u, %u : !tile.unknown
    %3 = tile.scalar %u : !tile.unknown
    %4 = tile.scalar %w : !tile.weak<f64>
  }
  tile.stage {
  }
}

// CHECK:      tile.kernel @grid grid(%x "x" : !tile.tile<[BLOCK_R, BLOCK_C], f32>, %u "u" : !tile.unknown, %w "w" : !tile.weak<f64>) {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>{{$}}
// CHECK-NEXT:     %col = tile.index col : !tile.tile<[1, BLOCK_C], i64>{{$}}
// CHECK-NEXT:     %n_rows = tile.size n_rows : i64{{$}}
// CHECK-NEXT:     %n_cols = tile.size n_cols : i64{{$}}
// CHECK-NEXT:     %0 = tile.reduce max %x axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], f32>{{$}}
// CHECK-NEXT:     %1 = tile.broadcast %0 : !tile.tile<[BLOCK_R, 1], f32> -> !tile.tile<[BLOCK_R, BLOCK_C], f32>{{$}}
// CHECK-NEXT:     %2 = tile.add %u, %u : !tile.unknown{{$}}
// CHECK-NEXT:     %3 = tile.scalar %u : !tile.unknown{{$}}
// CHECK-NEXT:     %4 = tile.scalar %w : !tile.weak<f64>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

tile.kernel @product matmul() {
}

// CHECK:      tile.kernel @product matmul() {{[{]$}}
// CHECK-NEXT: }{{$}}

// A chain of stages with scratch between them.
tile.kernel @chain linear(%x "x" : !tile.buffer<f32>) {
  %partial = tile.scratch [blocks] : !tile.buffer<f32>
  %total = tile.scratch [one] : !tile.buffer<f32>
  tile.stage above 32768 {
    %program = tile.program 0 : i64
    %programs = tile.programs 0 : i64
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %s = tile.reduce sum %v in_block : !tile.tile<[BLOCK_SIZE], f32> -> f32
    tile.store %s, %partial[%program] : f32, !tile.buffer<f32>, i64
  }
  tile.stage cover [0] over %partial : !tile.buffer<f32> above 32768 plan {num_warps = 8 : i64} {
  }
  tile.stage cover [0] upto 32768 {
  }
}
// CHECK:      tile.kernel @chain linear(%x "x" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:   %partial = tile.scratch [blocks] : !tile.buffer<f32>{{$}}
// CHECK-NEXT:   %total = tile.scratch [one] : !tile.buffer<f32>{{$}}
// CHECK-NEXT:   tile.stage above 32768 {{[{]$}}
// CHECK-NEXT:     %program = tile.program 0 : i64{{$}}
// CHECK-NEXT:     %programs = tile.programs 0 : i64{{$}}
// CHECK:          %s = tile.reduce sum %v in_block : !tile.tile<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK:        tile.stage cover [0] over %partial : !tile.buffer<f32> above 32768 plan {num_warps = 8 : i64} {{[{]$}}
// CHECK:        tile.stage cover [0] upto 32768 {{[{]$}}

// -----

tile.kernel @scans linear(%x "x" : !tile.tile<[BLOCK_SIZE], f32>) {
  tile.stage {
    %0 = tile.scan %x axis 0 : !tile.tile<[BLOCK_SIZE], f32>
    %1 = tile.scan %x axis 0 in_block : !tile.tile<[BLOCK_SIZE], f32>
  }
}

// CHECK:      tile.kernel @scans linear(%x "x" : !tile.tile<[BLOCK_SIZE], f32>) {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %0 = tile.scan %x axis 0 : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     %1 = tile.scan %x axis 0 in_block : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
