// RUN: patlang-opt %s --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file | patlang-opt - --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file --print-op-generic \
// RUN:   | patlang-opt - --split-input-file | filecheck %s

tl.kernel @memory(%x "x" : !tl.pointer<f32>, %n "n" : i64) constexprs ["BLOCK_SIZE", "BLOCK_C"] {
  %pid = tl.program_id 0 : i32
  %size = tl.constexpr "BLOCK_SIZE" : i32
  %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>
  %1 = tl.cast %0 : !tl.tensor<[BLOCK_SIZE], i32> -> !tl.tensor<[BLOCK_SIZE], i64>
  %2 = tl.binary lt %1, %n : !tl.tensor<[BLOCK_SIZE], i64>, i64 -> !tl.tensor<[BLOCK_SIZE], i1>
  %3 = tl.binary add %x, %1 : !tl.pointer<f32>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>
  %4 = tl.constant 0.5 : f32
  %5 = tl.load %3 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>
  %6 = tl.load %3 mask %2 : !tl.tensor<[BLOCK_SIZE], i1> : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>
  %7 = tl.load %3 mask %2 : !tl.tensor<[BLOCK_SIZE], i1> other %4 : f32 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>
  tl.store %7, %3 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>
  tl.store %7, %3 mask %2 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>, !tl.tensor<[BLOCK_SIZE], i1>
  tl.barrier
  tl.atomic add %7, %3 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>
  tl.atomic max %7, %3 mask %2 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>, !tl.tensor<[BLOCK_SIZE], i1>
  tl.atomic min %7, %3 mask %2 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>, !tl.tensor<[BLOCK_SIZE], i1>
}

// CHECK:      tl.kernel @memory(%x "x" : !tl.pointer<f32>, %n "n" : i64) constexprs ["BLOCK_SIZE", "BLOCK_C"] {{[{]$}}
// CHECK-NEXT:   %pid = tl.program_id 0 : i32{{$}}
// CHECK-NEXT:   %size = tl.constexpr "BLOCK_SIZE" : i32{{$}}
// CHECK-NEXT:   %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:   %1 = tl.cast %0 : !tl.tensor<[BLOCK_SIZE], i32> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %2 = tl.binary lt %1, %n : !tl.tensor<[BLOCK_SIZE], i64>, i64 -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %3 = tl.binary add %x, %1 : !tl.pointer<f32>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT:   %4 = tl.constant 0.5 : f32{{$}}
// CHECK-NEXT:   %5 = tl.load %3 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %6 = tl.load %3 mask %2 : !tl.tensor<[BLOCK_SIZE], i1> : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %7 = tl.load %3 mask %2 : !tl.tensor<[BLOCK_SIZE], i1> other %4 : f32 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   tl.store %7, %3 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT:   tl.store %7, %3 mask %2 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>, !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   tl.barrier{{$}}
// CHECK-NEXT:   tl.atomic add %7, %3 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT:   tl.atomic max %7, %3 mask %2 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>, !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   tl.atomic min %7, %3 mask %2 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>, !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.kernel @numbers(%x "x" : !tl.tensor<[BLOCK_SIZE], f32>, %i "i" : !tl.tensor<[BLOCK_SIZE], i64>) constexprs [] {
  %0 = tl.constant true : i1
  %1 = tl.constant inf : f32
  %2 = tl.full %1 : f32 -> !tl.tensor<[BLOCK_SIZE], f32>
  %3 = tl.expand %x axis 1 : !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE, 1], f32>
  %4 = tl.broadcast_to %1 : f32 -> !tl.tensor<[BLOCK_SIZE], f32>
  %5 = tl.unary neg %x : !tl.tensor<[BLOCK_SIZE], f32>
  %6 = tl.unary invert %i : !tl.tensor<[BLOCK_SIZE], i64>
  %7 = tl.binary add %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>
  %8 = tl.binary sub %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>
  %9 = tl.binary mul %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>
  %10 = tl.binary div %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>
  %11 = tl.binary mod %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>
  %12 = tl.binary floordiv %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>
  %13 = tl.binary and %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>
  %14 = tl.binary or %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>
  %15 = tl.binary xor %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>
  %16 = tl.binary shl %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>
  %17 = tl.binary shr %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>
  %18 = tl.binary eq %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>
  %19 = tl.binary ne %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>
  %20 = tl.binary lt %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>
  %21 = tl.binary le %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>
  %22 = tl.binary gt %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>
  %23 = tl.binary ge %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>
  %24 = tl.call where(%23, %x, %x) : (!tl.tensor<[BLOCK_SIZE], i1>, !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32>) -> !tl.tensor<[BLOCK_SIZE], f32>
  %25 = tl.call lib_exp(%x) : (!tl.tensor<[BLOCK_SIZE], f32>) -> !tl.tensor<[BLOCK_SIZE], f32>
  %26 = tl.reduce sum %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32
  %27 = tl.reduce prod %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32
  %28 = tl.reduce max %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32
  %29 = tl.reduce min %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32
  %30 = tl.reduce max_nan %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32
  %31 = tl.reduce min_nan %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32
  %32 = tl.reduce sum %x : !tl.tensor<[BLOCK_SIZE], f32> -> f32
  %33 = tl.reduce_index argmax %x, %i axis 0 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], i64> -> i64
  %34 = tl.reduce_index argmin %x, %i : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], i64> -> i64
  %35 = tl.cumsum %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32>
}

// CHECK:      tl.kernel @numbers(%x "x" : !tl.tensor<[BLOCK_SIZE], f32>, %i "i" : !tl.tensor<[BLOCK_SIZE], i64>) constexprs [] {{[{]$}}
// CHECK-NEXT:   %0 = tl.constant true : i1{{$}}
// CHECK-NEXT:   %1 = tl.constant inf : f32{{$}}
// CHECK-NEXT:   %2 = tl.full %1 : f32 -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %3 = tl.expand %x axis 1 : !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE, 1], f32>{{$}}
// CHECK-NEXT:   %4 = tl.broadcast_to %1 : f32 -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %5 = tl.unary neg %x : !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %6 = tl.unary invert %i : !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %7 = tl.binary add %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %8 = tl.binary sub %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %9 = tl.binary mul %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %10 = tl.binary div %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %11 = tl.binary mod %x, %x : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %12 = tl.binary floordiv %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %13 = tl.binary and %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %14 = tl.binary or %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %15 = tl.binary xor %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %16 = tl.binary shl %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %17 = tl.binary shr %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:   %18 = tl.binary eq %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %19 = tl.binary ne %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %20 = tl.binary lt %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %21 = tl.binary le %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %22 = tl.binary gt %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %23 = tl.binary ge %i, %i : !tl.tensor<[BLOCK_SIZE], i64>, !tl.tensor<[BLOCK_SIZE], i64> -> !tl.tensor<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:   %24 = tl.call where(%23, %x, %x) : (!tl.tensor<[BLOCK_SIZE], i1>, !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32>) -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %25 = tl.call lib_exp(%x) : (!tl.tensor<[BLOCK_SIZE], f32>) -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %26 = tl.reduce sum %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %27 = tl.reduce prod %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %28 = tl.reduce max %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %29 = tl.reduce min %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %30 = tl.reduce max_nan %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %31 = tl.reduce min_nan %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %32 = tl.reduce sum %x : !tl.tensor<[BLOCK_SIZE], f32> -> f32{{$}}
// CHECK-NEXT:   %33 = tl.reduce_index argmax %x, %i axis 0 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], i64> -> i64{{$}}
// CHECK-NEXT:   %34 = tl.reduce_index argmin %x, %i : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], i64> -> i64{{$}}
// CHECK-NEXT:   %35 = tl.cumsum %x axis 0 : !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.launcher @add rank 1 params [#tl.parameter<"x", f32, "buffer", "exact">, #tl.parameter<"s", f32, "scalar">] {
  tl.launch "memory" args [#tl.argument<pointer "x">, #tl.argument<n "">] blocks ["BLOCK_SIZE"] plan {BLOCK_SIZE = 1024 : i64, enable_fp_fusion = false}
}

// CHECK:      tl.launcher @add rank 1 params [#tl.parameter<"x", f32, "buffer", "exact">, #tl.parameter<"s", f32, "scalar">] {{[{]$}}
// CHECK-NEXT:   tl.launch "memory" args [#tl.argument<pointer "x">, #tl.argument<n "">] blocks ["BLOCK_SIZE"] plan {BLOCK_SIZE = 1024 : i64, enable_fp_fusion = false}{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.launcher @total rank 1 params [#tl.parameter<"x", f32, "buffer", "exact">] {
  tl.scratch "scratch" extents [#tl<scratch_extent blocks>] filled_by "total_kernel_1" : f32
}

// CHECK:      tl.launcher @total rank 1 params [#tl.parameter<"x", f32, "buffer", "exact">] {{[{]$}}
// CHECK-NEXT:   tl.scratch "scratch" extents [#tl<scratch_extent blocks>] filled_by "total_kernel_1" : f32{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.kernel @programs() constexprs [] {
  %0 = tl.num_programs 1 : i32
}

// CHECK:      tl.kernel @programs() constexprs [] {{[{]$}}
// CHECK-NEXT:   %0 = tl.num_programs 1 : i32{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.launcher @sum rank 2 params [#tl.parameter<"x", f32, "buffer", "unused">] {
  tl.launch "sum_kernel" args [#tl.argument<extent "1">] blocks ["BLOCK_R", ""] cover [0] over "scratch" above 32768 upto 65536 plan {num_warps = 4 : i64}
}

// CHECK:      tl.launcher @sum rank 2 params [#tl.parameter<"x", f32, "buffer", "unused">] {{[{]$}}
// CHECK-NEXT:   tl.launch "sum_kernel" args [#tl.argument<extent "1">] blocks ["BLOCK_R", ""] cover [0] over "scratch" above 32768 upto 65536 plan {num_warps = 4 : i64}{{$}}
// CHECK-NEXT: }{{$}}
