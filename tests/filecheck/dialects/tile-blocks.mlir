// RUN: patlang-opt %s --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file | patlang-opt - --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file --print-op-generic \
// RUN:   | patlang-opt - --split-input-file | filecheck %s

// A product of matrices, with types.
tile.kernel @product matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_k = tile.block_size BLOCK_K : i64
    %row = tile.mul %pid_m, %block_m : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, BLOCK_K] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_K], f16>
    %pb = tile.block_pointer %b[%zero, %zero] of %N x %K as [64, BLOCK_K] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[64, BLOCK_K], f16>
    %next = tile.advance %pa by %zero, %block_k : !tile.access<[BLOCK_M, BLOCK_K], f16>, i64, i64
    %va = tile.load_block %next : !tile.access<[BLOCK_M, BLOCK_K], f16> -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
    %vb = tile.load_block %pb : !tile.access<[64, BLOCK_K], f16> -> !tile.tile<[64, BLOCK_K], f16>
    %turned = tile.transpose %vb : !tile.tile<[64, BLOCK_K], f16> -> !tile.tile<[BLOCK_K, 64], f16>
    %acc = tile.zeros [BLOCK_M, 64] : !tile.tile<[BLOCK_M, 64], f32>
    %sum = tile.dot ieee %va, %turned, %acc : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, 64], f16>, !tile.tile<[BLOCK_M, 64], f32>
    %pc = tile.block_pointer %c[%row, %zero] of %M x %N as [BLOCK_M, 64] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 64], f32>
    tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, 64], f32>, !tile.access<[BLOCK_M, 64], f32>
    %lane = tile.lane : !tile.tile<[BLOCK_M, 1], i64>
    %stride = tile.stride %a 1 : !tile.buffer<f16>
  }
}

// CHECK:      tile.kernel @product matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %M = tile.size M : i64{{$}}
// CHECK-NEXT:     %N = tile.size N : i64{{$}}
// CHECK-NEXT:     %K = tile.size K : i64{{$}}
// CHECK-NEXT:     %pid_m = tile.program 0 : i64{{$}}
// CHECK-NEXT:     %block_m = tile.block_size BLOCK_M : i64{{$}}
// CHECK-NEXT:     %block_k = tile.block_size BLOCK_K : i64{{$}}
// CHECK-NEXT:     %row = tile.mul %pid_m, %block_m : i64{{$}}
// CHECK-NEXT:     %zero = tile.constant 0 : i64{{$}}
// CHECK-NEXT:     %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, BLOCK_K] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_K], f16>{{$}}
// CHECK-NEXT:     %pb = tile.block_pointer %b[%zero, %zero] of %N x %K as [64, BLOCK_K] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[64, BLOCK_K], f16>{{$}}
// CHECK-NEXT:     %next = tile.advance %pa by %zero, %block_k : !tile.access<[BLOCK_M, BLOCK_K], f16>, i64, i64{{$}}
// CHECK-NEXT:     %va = tile.load_block %next : !tile.access<[BLOCK_M, BLOCK_K], f16> -> !tile.tile<[BLOCK_M, BLOCK_K], f16>{{$}}
// CHECK-NEXT:     %vb = tile.load_block %pb : !tile.access<[64, BLOCK_K], f16> -> !tile.tile<[64, BLOCK_K], f16>{{$}}
// CHECK-NEXT:     %turned = tile.transpose %vb : !tile.tile<[64, BLOCK_K], f16> -> !tile.tile<[BLOCK_K, 64], f16>{{$}}
// CHECK-NEXT:     %acc = tile.zeros [BLOCK_M, 64] : !tile.tile<[BLOCK_M, 64], f32>{{$}}
// CHECK-NEXT:     %sum = tile.dot ieee %va, %turned, %acc : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, 64], f16>, !tile.tile<[BLOCK_M, 64], f32>{{$}}
// CHECK-NEXT:     %pc = tile.block_pointer %c[%row, %zero] of %M x %N as [BLOCK_M, 64] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 64], f32>{{$}}
// CHECK-NEXT:     tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, 64], f32>, !tile.access<[BLOCK_M, 64], f32>{{$}}
// CHECK-NEXT:     %lane = tile.lane : !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %stride = tile.stride %a 1 : !tile.buffer<f16>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// Before types are known.
tile.kernel @untyped matmul(%a "a" : !tile.buffer<!tile.unknown>) {
  tile.stage {
    %zero = tile.constant 0 : !tile.unknown
    %p = tile.block_pointer %a[%zero, %zero] of %zero x %zero as [16, 16] : !tile.buffer<!tile.unknown>, !tile.unknown, !tile.unknown, !tile.unknown, !tile.unknown -> !tile.unknown
    %q = tile.advance %p by %zero, %zero : !tile.unknown, !tile.unknown, !tile.unknown
    %v = tile.load_block %q : !tile.unknown -> !tile.unknown
    %t = tile.transpose %v : !tile.unknown -> !tile.unknown
    %acc = tile.zeros [16, 16] : !tile.unknown
    %sum = tile.dot tf32x3 %v, %t, %acc : !tile.unknown, !tile.unknown, !tile.unknown
    tile.store_block %sum, %p : !tile.unknown, !tile.unknown
  }
}

// CHECK:      tile.kernel @untyped matmul(%a "a" : !tile.buffer<!tile.unknown>) {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %zero = tile.constant 0 : !tile.unknown{{$}}
// CHECK-NEXT:     %p = tile.block_pointer %a[%zero, %zero] of %zero x %zero as [16, 16] : !tile.buffer<!tile.unknown>, !tile.unknown, !tile.unknown, !tile.unknown, !tile.unknown -> !tile.unknown{{$}}
// CHECK-NEXT:     %q = tile.advance %p by %zero, %zero : !tile.unknown, !tile.unknown, !tile.unknown{{$}}
// CHECK-NEXT:     %v = tile.load_block %q : !tile.unknown -> !tile.unknown{{$}}
// CHECK-NEXT:     %t = tile.transpose %v : !tile.unknown -> !tile.unknown{{$}}
// CHECK-NEXT:     %acc = tile.zeros [16, 16] : !tile.unknown{{$}}
// CHECK-NEXT:     %sum = tile.dot tf32x3 %v, %t, %acc : !tile.unknown, !tile.unknown, !tile.unknown{{$}}
// CHECK-NEXT:     tile.store_block %sum, %p : !tile.unknown, !tile.unknown{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
