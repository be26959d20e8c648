// RUN: patlang-opt %s --split-input-file -p 'tile-legalize-block-pointers{strategy=pointer},tile-simplify' | filecheck %s

// Pointers that a loop carries are rows and columns, here the counter itself. Each access has a
// mask for the ends of its matrix that are not proved.
tile.kernel @row_sums matmul(%a "a" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_k = tile.block_size BLOCK_K : i64
    %row = tile.mul %pid_m, %block_m : i64
    %zero = tile.constant 0 : i64
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_K], f32>
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, BLOCK_K] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_K], f32>
    %sum, %pa2 = scf.for %k = %zero to %K step %block_k iter_args(%acc = %start, %qa = %pa) -> (!tile.tile<[BLOCK_M, BLOCK_K], f32>, !tile.access<[BLOCK_M, BLOCK_K], f32>) : i64 {
      %v = tile.load_block %qa : !tile.access<[BLOCK_M, BLOCK_K], f32> -> !tile.tile<[BLOCK_M, BLOCK_K], f32>
      %next = tile.add %acc, %v : !tile.tile<[BLOCK_M, BLOCK_K], f32>
      %na = tile.advance %qa by %zero, %block_k : !tile.access<[BLOCK_M, BLOCK_K], f32>, i64, i64
      scf.yield %next, %na : !tile.tile<[BLOCK_M, BLOCK_K], f32>, !tile.access<[BLOCK_M, BLOCK_K], f32>
    }
    %pc = tile.block_pointer %c[%row, %zero] of %M x %K as [BLOCK_M, BLOCK_K] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_K], f32>
    tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, BLOCK_K], f32>, !tile.access<[BLOCK_M, BLOCK_K], f32>
  }
}

// CHECK:      tile.kernel @row_sums matmul(%a "a" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) matrices [#tile.matrix<"a", [M, K]>, #tile.matrix<"c", [M, K]>] {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %M = tile.size M : i64{{$}}
// CHECK-NEXT:     %K = tile.size K : i64{{$}}
// CHECK-NEXT:     %pid_m = tile.program 0 : i64{{$}}
// CHECK-NEXT:     %block_m = tile.block_size BLOCK_M : i64{{$}}
// CHECK-NEXT:     %block_k = tile.block_size BLOCK_K : i64{{$}}
// CHECK-NEXT:     %row = tile.mul %pid_m, %block_m : i64{{$}}
// CHECK-NEXT:     %zero = tile.constant 0 : i64{{$}}
// CHECK-NEXT:     %none = tile.constant 0.0 : f32{{$}}
// CHECK-NEXT:     %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_K], f32>{{$}}
// CHECK-NEXT:     %a_row_stride = tile.stride %a 0 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %a_row = tile.mul %row, %a_row_stride : i64{{$}}
// CHECK-NEXT:     %0 = tile.broadcast %a_row_stride : i64 -> !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %lanes_m = tile.lane : !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %1 = tile.mul %lanes_m, %0 : !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %2 = tile.broadcast %1 : !tile.tile<[BLOCK_M, 1], i64> -> !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %a_col_stride = tile.stride %a 1 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %3 = tile.broadcast %a_col_stride : i64 -> !tile.tile<[1, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %lanes_k = tile.lane : !tile.tile<[1, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %4 = tile.mul %lanes_k, %3 : !tile.tile<[1, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %5 = tile.broadcast %4 : !tile.tile<[1, BLOCK_K], i64> -> !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %a_offsets = tile.add %2, %5 : !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %left_m = tile.sub %M, %row : i64{{$}}
// CHECK-NEXT:     %6 = tile.broadcast %left_m : i64 -> !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %mask_m = tile.compare lt %lanes_m, %6 : !tile.tile<[BLOCK_M, 1], i64> -> !tile.tile<[BLOCK_M, 1], i1>{{$}}
// CHECK-NEXT:     %7 = tile.broadcast %mask_m : !tile.tile<[BLOCK_M, 1], i1> -> !tile.tile<[BLOCK_M, BLOCK_K], i1>{{$}}
// CHECK-NEXT:     %sum = scf.for %k = %zero to %K step %block_k iter_args(%acc = %start) -> (!tile.tile<[BLOCK_M, BLOCK_K], f32>) : i64 {{[{]$}}
// CHECK-NEXT:       %a_col = tile.mul %k, %a_col_stride : i64{{$}}
// CHECK-NEXT:       %a_start = tile.add %a_row, %a_col : i64{{$}}
// CHECK-NEXT:       %8 = tile.broadcast %a_start : i64 -> !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:       %9 = tile.add %8, %a_offsets : !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:       %left_k = tile.sub %K, %k : i64{{$}}
// CHECK-NEXT:       %10 = tile.broadcast %left_k : i64 -> !tile.tile<[1, BLOCK_K], i64>{{$}}
// CHECK-NEXT:       %mask_k = tile.compare lt %lanes_k, %10 : !tile.tile<[1, BLOCK_K], i64> -> !tile.tile<[1, BLOCK_K], i1>{{$}}
// CHECK-NEXT:       %11 = tile.broadcast %mask_k : !tile.tile<[1, BLOCK_K], i1> -> !tile.tile<[BLOCK_M, BLOCK_K], i1>{{$}}
// CHECK-NEXT:       %12 = tile.and %7, %11 : !tile.tile<[BLOCK_M, BLOCK_K], i1>{{$}}
// CHECK-NEXT:       %v = tile.load %a[%9] mask %12 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_M, BLOCK_K], i64>, !tile.tile<[BLOCK_M, BLOCK_K], i1>) -> !tile.tile<[BLOCK_M, BLOCK_K], f32>{{$}}
// CHECK-NEXT:       %next = tile.add %acc, %v : !tile.tile<[BLOCK_M, BLOCK_K], f32>{{$}}
// CHECK-NEXT:       scf.yield %next : !tile.tile<[BLOCK_M, BLOCK_K], f32>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:     %c_row_stride = tile.stride %c 0 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %c_row = tile.mul %row, %c_row_stride : i64{{$}}
// CHECK-NEXT:     %13 = tile.broadcast %c_row_stride : i64 -> !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %14 = tile.mul %lanes_m, %13 : !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %15 = tile.broadcast %14 : !tile.tile<[BLOCK_M, 1], i64> -> !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %c_col_stride = tile.stride %c 1 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %16 = tile.broadcast %c_col_stride : i64 -> !tile.tile<[1, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %17 = tile.mul %lanes_k, %16 : !tile.tile<[1, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %18 = tile.broadcast %17 : !tile.tile<[1, BLOCK_K], i64> -> !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %c_offsets = tile.add %15, %18 : !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %19 = tile.broadcast %c_row : i64 -> !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %20 = tile.add %19, %c_offsets : !tile.tile<[BLOCK_M, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %21 = tile.broadcast %K : i64 -> !tile.tile<[1, BLOCK_K], i64>{{$}}
// CHECK-NEXT:     %mask_k_1 = tile.compare lt %lanes_k, %21 : !tile.tile<[1, BLOCK_K], i64> -> !tile.tile<[1, BLOCK_K], i1>{{$}}
// CHECK-NEXT:     %22 = tile.broadcast %mask_k_1 : !tile.tile<[1, BLOCK_K], i1> -> !tile.tile<[BLOCK_M, BLOCK_K], i1>{{$}}
// CHECK-NEXT:     %23 = tile.and %7, %22 : !tile.tile<[BLOCK_M, BLOCK_K], i1>{{$}}
// CHECK-NEXT:     tile.store %sum, %c[%20] mask %23 guarded : !tile.tile<[BLOCK_M, BLOCK_K], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_M, BLOCK_K], i64>, !tile.tile<[BLOCK_M, BLOCK_K], i1>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// A block that may begin before its matrix has a mask for that too.
tile.kernel @before matmul(%a "a" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %one = tile.constant 1 : i64
    %row = tile.sub %pid_m, %one : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %one as [BLOCK_M, 1] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 1], f32>
    %v = tile.load_block %pa : !tile.access<[BLOCK_M, 1], f32> -> !tile.tile<[BLOCK_M, 1], f32>
    tile.store_block %v, %pa : !tile.tile<[BLOCK_M, 1], f32>, !tile.access<[BLOCK_M, 1], f32>
  }
}

// CHECK:      tile.kernel @before matmul(%a "a" : !tile.buffer<f32>) matrices [#tile.matrix<"a", [M, 1]>] {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %M = tile.size M : i64{{$}}
// CHECK-NEXT:     %pid_m = tile.program 0 : i64{{$}}
// CHECK-NEXT:     %one = tile.constant 1 : i64{{$}}
// CHECK-NEXT:     %row = tile.sub %pid_m, %one : i64{{$}}
// CHECK-NEXT:     %a_row_stride = tile.stride %a 0 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %a_row = tile.mul %row, %a_row_stride : i64{{$}}
// CHECK-NEXT:     %0 = tile.broadcast %a_row_stride : i64 -> !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %lanes_m = tile.lane : !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %a_offsets = tile.mul %lanes_m, %0 : !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %1 = tile.broadcast %a_row : i64 -> !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %2 = tile.add %1, %a_offsets : !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %left_m = tile.sub %M, %row : i64{{$}}
// CHECK-NEXT:     %3 = tile.broadcast %left_m : i64 -> !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %mask_m = tile.compare lt %lanes_m, %3 : !tile.tile<[BLOCK_M, 1], i64> -> !tile.tile<[BLOCK_M, 1], i1>{{$}}
// CHECK-NEXT:     %4 = tile.constant 0 : i64{{$}}
// CHECK-NEXT:     %5 = tile.sub %4, %row : i64{{$}}
// CHECK-NEXT:     %6 = tile.broadcast %5 : i64 -> !tile.tile<[BLOCK_M, 1], i64>{{$}}
// CHECK-NEXT:     %mask_m_1 = tile.compare ge %lanes_m, %6 : !tile.tile<[BLOCK_M, 1], i64> -> !tile.tile<[BLOCK_M, 1], i1>{{$}}
// CHECK-NEXT:     %7 = tile.and %mask_m, %mask_m_1 : !tile.tile<[BLOCK_M, 1], i1>{{$}}
// CHECK-NEXT:     %v = tile.load %a[%2] mask %7 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_M, 1], i64>, !tile.tile<[BLOCK_M, 1], i1>) -> !tile.tile<[BLOCK_M, 1], f32>{{$}}
// CHECK-NEXT:     tile.store %v, %a[%2] mask %7 guarded : !tile.tile<[BLOCK_M, 1], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_M, 1], i64>, !tile.tile<[BLOCK_M, 1], i1>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// Of a block that was changed, what lies outside is hidden where it is multiplied or combined.
tile.kernel @hidden matmul(%a "a" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %zero = tile.constant 0 : i64
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %N as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    %v = tile.load_block %pa : !tile.access<[16, 16], f32> -> !tile.tile<[16, 16], f32>
    %e = tile.exp %v : !tile.tile<[16, 16], f32>
    %d = tile.dot ieee %e, %v, %acc : !tile.tile<[16, 16], f32>, !tile.tile<[16, 16], f32>, !tile.tile<[16, 16], f32>
    %top = tile.reduce max %v axis 1 : !tile.tile<[16, 16], f32> -> !tile.tile<[16, 1], f32>
    %wide = tile.broadcast %top : !tile.tile<[16, 1], f32> -> !tile.tile<[16, 16], f32>
    %r = tile.add %d, %wide : !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %N as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %r, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK:      tile.kernel @hidden matmul(%a "a" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) matrices [#tile.matrix<"a", [M, N]>, #tile.matrix<"c", [M, N]>] {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
// CHECK-NEXT:     %M = tile.size M : i64{{$}}
// CHECK-NEXT:     %N = tile.size N : i64{{$}}
// CHECK-NEXT:     %none = tile.constant 0.0 : f32{{$}}
// CHECK-NEXT:     %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %a_row_stride = tile.stride %a 0 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %0 = tile.broadcast %a_row_stride : i64 -> !tile.tile<[16, 1], i64>{{$}}
// CHECK-NEXT:     %lanes = tile.lane : !tile.tile<[16, 1], i64>{{$}}
// CHECK-NEXT:     %1 = tile.mul %lanes, %0 : !tile.tile<[16, 1], i64>{{$}}
// CHECK-NEXT:     %2 = tile.broadcast %1 : !tile.tile<[16, 1], i64> -> !tile.tile<[16, 16], i64>{{$}}
// CHECK-NEXT:     %a_col_stride = tile.stride %a 1 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %3 = tile.broadcast %a_col_stride : i64 -> !tile.tile<[1, 16], i64>{{$}}
// CHECK-NEXT:     %lanes_1 = tile.lane : !tile.tile<[1, 16], i64>{{$}}
// CHECK-NEXT:     %4 = tile.mul %lanes_1, %3 : !tile.tile<[1, 16], i64>{{$}}
// CHECK-NEXT:     %5 = tile.broadcast %4 : !tile.tile<[1, 16], i64> -> !tile.tile<[16, 16], i64>{{$}}
// CHECK-NEXT:     %a_offsets = tile.add %2, %5 : !tile.tile<[16, 16], i64>{{$}}
// CHECK-NEXT:     %6 = tile.broadcast %M : i64 -> !tile.tile<[16, 1], i64>{{$}}
// CHECK-NEXT:     %mask = tile.compare lt %lanes, %6 : !tile.tile<[16, 1], i64> -> !tile.tile<[16, 1], i1>{{$}}
// CHECK-NEXT:     %7 = tile.broadcast %mask : !tile.tile<[16, 1], i1> -> !tile.tile<[16, 16], i1>{{$}}
// CHECK-NEXT:     %8 = tile.broadcast %N : i64 -> !tile.tile<[1, 16], i64>{{$}}
// CHECK-NEXT:     %mask_1 = tile.compare lt %lanes_1, %8 : !tile.tile<[1, 16], i64> -> !tile.tile<[1, 16], i1>{{$}}
// CHECK-NEXT:     %9 = tile.broadcast %mask_1 : !tile.tile<[1, 16], i1> -> !tile.tile<[16, 16], i1>{{$}}
// CHECK-NEXT:     %10 = tile.and %7, %9 : !tile.tile<[16, 16], i1>{{$}}
// CHECK-NEXT:     %v = tile.load %a[%a_offsets] mask %10 guarded : (!tile.buffer<f32>, !tile.tile<[16, 16], i64>, !tile.tile<[16, 16], i1>) -> !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %e = tile.exp %v : !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %11 = tile.select %9, %e, %acc : !tile.tile<[16, 16], i1>, !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %d = tile.dot ieee %11, %v, %acc : !tile.tile<[16, 16], f32>, !tile.tile<[16, 16], f32>, !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %12 = tile.constant neg_inf : f32{{$}}
// CHECK-NEXT:     %13 = tile.broadcast %12 : f32 -> !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %14 = tile.select %9, %v, %13 : !tile.tile<[16, 16], i1>, !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %top = tile.reduce max %14 axis 1 : !tile.tile<[16, 16], f32> -> !tile.tile<[16, 1], f32>{{$}}
// CHECK-NEXT:     %wide = tile.broadcast %top : !tile.tile<[16, 1], f32> -> !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %r = tile.add %d, %wide : !tile.tile<[16, 16], f32>{{$}}
// CHECK-NEXT:     %c_row_stride = tile.stride %c 0 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %15 = tile.broadcast %c_row_stride : i64 -> !tile.tile<[16, 1], i64>{{$}}
// CHECK-NEXT:     %16 = tile.mul %lanes, %15 : !tile.tile<[16, 1], i64>{{$}}
// CHECK-NEXT:     %17 = tile.broadcast %16 : !tile.tile<[16, 1], i64> -> !tile.tile<[16, 16], i64>{{$}}
// CHECK-NEXT:     %c_col_stride = tile.stride %c 1 : !tile.buffer<f32>{{$}}
// CHECK-NEXT:     %18 = tile.broadcast %c_col_stride : i64 -> !tile.tile<[1, 16], i64>{{$}}
// CHECK-NEXT:     %19 = tile.mul %lanes_1, %18 : !tile.tile<[1, 16], i64>{{$}}
// CHECK-NEXT:     %20 = tile.broadcast %19 : !tile.tile<[1, 16], i64> -> !tile.tile<[16, 16], i64>{{$}}
// CHECK-NEXT:     %c_offsets = tile.add %17, %20 : !tile.tile<[16, 16], i64>{{$}}
// CHECK-NEXT:     tile.store %r, %c[%c_offsets] mask %10 guarded : !tile.tile<[16, 16], f32>, !tile.buffer<f32>, !tile.tile<[16, 16], i64>, !tile.tile<[16, 16], i1>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
