// RUN: patlang-opt %s --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file | patlang-opt - --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file --print-op-generic \
// RUN:   | patlang-opt - --split-input-file | filecheck %s

tl.kernel @product(%a "a" : !tl.pointer<f16>, %s "a_row_stride" : i64) constexprs ["BLOCK_M", "BLOCK_K"] specialized ["a_row_stride"] {
  %zero = tl.constant 0.0 : f16
  %x = tl.full %zero : f16 -> !tl.tensor<[BLOCK_M, BLOCK_K], f16>
  %y = tl.trans %x : !tl.tensor<[BLOCK_M, BLOCK_K], f16> -> !tl.tensor<[BLOCK_K, BLOCK_M], f16>
  %none = tl.constant 0.0 : f32
  %acc = tl.full %none : f32 -> !tl.tensor<[BLOCK_M, BLOCK_M], f32>
  %sum = tl.dot "ieee" %x, %y, %acc : !tl.tensor<[BLOCK_M, BLOCK_K], f16>, !tl.tensor<[BLOCK_K, BLOCK_M], f16>, !tl.tensor<[BLOCK_M, BLOCK_M], f32>
}

// CHECK:      tl.kernel @product(%a "a" : !tl.pointer<f16>, %s "a_row_stride" : i64) constexprs ["BLOCK_M", "BLOCK_K"] specialized ["a_row_stride"] {{[{]$}}
// CHECK-NEXT:   %zero = tl.constant 0.0 : f16{{$}}
// CHECK-NEXT:   %x = tl.full %zero : f16 -> !tl.tensor<[BLOCK_M, BLOCK_K], f16>{{$}}
// CHECK-NEXT:   %y = tl.trans %x : !tl.tensor<[BLOCK_M, BLOCK_K], f16> -> !tl.tensor<[BLOCK_K, BLOCK_M], f16>{{$}}
// CHECK-NEXT:   %none = tl.constant 0.0 : f32{{$}}
// CHECK-NEXT:   %acc = tl.full %none : f32 -> !tl.tensor<[BLOCK_M, BLOCK_M], f32>{{$}}
// CHECK-NEXT:   %sum = tl.dot "ieee" %x, %y, %acc : !tl.tensor<[BLOCK_M, BLOCK_K], f16>, !tl.tensor<[BLOCK_K, BLOCK_M], f16>, !tl.tensor<[BLOCK_M, BLOCK_M], f32>{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.matmul_launcher @product params [#tl.parameter<"a", f16, "buffer">] matrices [#tl.matrix<"a", [M, 64]>] {
  tl.matmul_launch "product_kernel" args [#tl.argument<pointer "a">, #tl.argument<M "">, #tl.argument<row_stride "a">, #tl.argument<col_stride "a">] cuts ["BLOCK_M", ""] plans [{BLOCK_M = 128 : i64, num_warps = 4 : i64, speed = 100 : i64}, {BLOCK_M = 64 : i64, speed = 60 : i64}] options {enable_fp_fusion = false}
  tl.matmul_launch "product_kernel" args [] cuts ["", ""] plans [{}] options {} cover [0, 1] persistent
}

// CHECK:      tl.matmul_launcher @product params [#tl.parameter<"a", f16, "buffer">] matrices [#tl.matrix<"a", [M, 64]>] {{[{]$}}
// CHECK-NEXT:   tl.matmul_launch "product_kernel" args [#tl.argument<pointer "a">, #tl.argument<M "">, #tl.argument<row_stride "a">, #tl.argument<col_stride "a">] cuts ["BLOCK_M", ""] plans [{BLOCK_M = 128 : i64, num_warps = 4 : i64, speed = 100 : i64}, {BLOCK_M = 64 : i64, speed = 60 : i64}] options {enable_fp_fusion = false}{{$}}
// CHECK-NEXT:   tl.matmul_launch "product_kernel" args [] cuts ["", ""] plans [{}] options {} cover [0, 1] persistent{{$}}
// CHECK-NEXT: }{{$}}
