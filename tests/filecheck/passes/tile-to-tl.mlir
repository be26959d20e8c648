// RUN: patlang-opt %s --split-input-file -p tile-to-tl | filecheck %s

// Positions are computed once, before everything else; a masked load reads 0 elsewhere.

tile.kernel @scale linear(%x "x" : !tile.buffer<f64>, %out "out" : !tile.buffer<f32>, %s "s" : f64) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %lanes = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %lanes guarded : (!tile.buffer<f64>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f64>
    %sb = tile.broadcast %s : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %w = tile.mul %v, %sb : !tile.tile<[BLOCK_SIZE], f64>
    %r = tile.cast %w : !tile.tile<[BLOCK_SIZE], f64> -> !tile.tile<[BLOCK_SIZE], f32>
    %again = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    tile.store %r, %out[%again] mask %lanes guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      tl.kernel @scale_kernel(%x "x" : !tl.pointer<f64>, %out "out" : !tl.pointer<f32>, %s "s" : f64, %n "n" : i64) constexprs ["BLOCK_SIZE"] {{[{]$}}
// CHECK-NEXT:   %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:   %1 = tl.constexpr "BLOCK_SIZE" : i32{{$}}
// CHECK-NEXT:   %2 = tl.program_id 0 : i32{{$}}
// CHECK-NEXT:   %3 = tl.cast %2 : i32 -> i64{{$}}
// CHECK-NEXT:   %4 = tl.binary mul %3, %1 : i64, i32 -> i64{{$}}
// CHECK-NEXT:   %offs = tl.binary add %4, %0 : i64, !tl.tensor<[BLOCK_SIZE], i32> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %mask = tl.binary lt %offs, %n : !tl.tensor<[BLOCK_SIZE], i64>, i64 -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %5 = tl.binary add %x, %offs : !tl.pointer<f64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f64>>{{$}}
// CHECK-NEXT:   %6 = tl.constant 0.0 : f64{{$}}
// CHECK-NEXT:   %v = tl.load %5 mask %mask : !tl.tensor<[BLOCK_SIZE], i1> other %6 : f64 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f64>> -> !tl.tensor<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:   %w = tl.binary mul %v, %s : !tl.tensor<[BLOCK_SIZE], f64>, f64 -> !tl.tensor<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:   %r = tl.cast %w : !tl.tensor<[BLOCK_SIZE], f64> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %7 = tl.binary add %out, %offs : !tl.pointer<f32>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT:   tl.store %r, %7 mask %mask : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>, !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT: }{{$}}
// CHECK-NEXT: tl.launcher @scale rank 1 params [#tl.parameter<"x", f64, "buffer", "exact", "local">, #tl.parameter<"out", f32, "buffer", "exact", "written", "local">, #tl.parameter<"s", f64, "scalar">] {{[{]$}}
// CHECK-NEXT:   tl.launch "scale_kernel" args [#tl.argument<pointer "x">, #tl.argument<pointer "out">, #tl.argument<scalar "s">, #tl.argument<n "">] blocks ["BLOCK_SIZE"] plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64, enable_fp_fusion = false}{{$}}
// CHECK-NEXT: }{{$}}

// -----

// A chain of stages: programs leave partial results in scratch, and one program combines them.

tile.kernel @total linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) options {math = "fast"} {
  %s = tile.scratch [blocks] : !tile.buffer<f32>
  tile.stage above 4096 plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %p = tile.program 0 : i64
    %t = tile.reduce sum %v in_block : !tile.tile<[BLOCK_SIZE], f32> -> f32
    tile.store %t, %s[%p] guarded : f32, !tile.buffer<f32>, i64
  }
  tile.stage cover [0] over %s : !tile.buffer<f32> above 4096 plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %lanes = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %s[%offs] mask %lanes guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %t = tile.reduce sum %v : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %n = tile.size n : i64
    %f = tile.cast %n : i64 -> f32
    %m = tile.div %t, %f : f32
    %zero = tile.constant 0 : i64
    tile.store %m, %out[%zero] guarded : f32, !tile.buffer<f32>, i64
  }
}

// CHECK:      tl.kernel @total_kernel_1(%x "x" : !tl.pointer<f32>, %scratch "scratch" : !tl.pointer<f32>) constexprs ["BLOCK_SIZE"] {{[{]$}}
// CHECK-NEXT:   %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:   %1 = tl.constexpr "BLOCK_SIZE" : i32{{$}}
// CHECK-NEXT:   %2 = tl.program_id 0 : i32{{$}}
// CHECK-NEXT:   %p = tl.cast %2 : i32 -> i64{{$}}
// CHECK-NEXT:   %3 = tl.binary mul %p, %1 : i64, i32 -> i64{{$}}
// CHECK-NEXT:   %offs = tl.binary add %3, %0 : i64, !tl.tensor<[BLOCK_SIZE], i32> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %4 = tl.binary add %x, %offs : !tl.pointer<f32>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT:   %v = tl.load %4 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %t = tl.reduce sum %v axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %5 = tl.binary add %scratch, %p : !tl.pointer<f32>, i64 -> !tl.pointer<f32>{{$}}
// CHECK-NEXT:   tl.store %t, %5 : f32, !tl.pointer<f32>{{$}}
// CHECK-NEXT: }{{$}}
// CHECK-NEXT: tl.kernel @total_kernel_2(%out "out" : !tl.pointer<f32>, %scratch "scratch" : !tl.pointer<f32>, %n "n" : i64, %own_n "own_n" : i64) constexprs ["BLOCK_SIZE"] {{[{]$}}
// CHECK-NEXT:   %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:   %offs = tl.cast %0 : !tl.tensor<[BLOCK_SIZE], i32> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %mask = tl.binary lt %offs, %own_n : !tl.tensor<[BLOCK_SIZE], i64>, i64 -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %1 = tl.binary add %scratch, %offs : !tl.pointer<f32>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT:   %2 = tl.constant 0.0 : f32{{$}}
// CHECK-NEXT:   %v = tl.load %1 mask %mask : !tl.tensor<[BLOCK_SIZE], i1> other %2 : f32 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %t = tl.reduce sum %v axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %f = tl.cast %n : i64 -> f32{{$}}
// CHECK-NEXT:   %m = tl.binary div %t, %f : f32, f32 -> f32{{$}}
// CHECK-NEXT:   tl.store %m, %out : f32, !tl.pointer<f32>{{$}}
// CHECK-NEXT: }{{$}}
// CHECK-NEXT: tl.launcher @total rank 1 params [#tl.parameter<"x", f32, "buffer", "exact", "local">, #tl.parameter<"out", f32, "buffer", "written">] {{[{]$}}
// CHECK-NEXT:   tl.scratch "scratch" extents [#tl<scratch_extent blocks>] filled_by "total_kernel_1" : f32{{$}}
// CHECK-NEXT:   tl.launch "total_kernel_1" args [#tl.argument<pointer "x">, #tl.argument<pointer "scratch">] blocks ["BLOCK_SIZE"] above 4096 plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64, enable_fp_fusion = true}{{$}}
// CHECK-NEXT:   tl.launch "total_kernel_2" args [#tl.argument<pointer "out">, #tl.argument<pointer "scratch">, #tl.argument<n "">, #tl.argument<extent "0">] blocks ["BLOCK_SIZE"] cover [0] over "scratch" above 4096 plan {num_warps = 4 : i64, enable_fp_fusion = true}{{$}}
// CHECK-NEXT: }{{$}}
