// RUN: patlang-opt %s --split-input-file --pass-pipeline=tile-check-blocks | filecheck %s
// RUN: patlang-opt %s --split-input-file --pass-pipeline=tile-check-blocks,tile-check-blocks | filecheck %s

// A sum along N needs one block for all columns.
tile.kernel @sums matmul(%a "a" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %one = tile.constant 1 : i64
    %zero = tile.constant 0 : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %pid_n, %block_n : i64
    %pa = tile.block_pointer %a[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f32>
    %pc = tile.block_pointer %c[%row, %zero] of %M x %one as [BLOCK_M, 1] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 1], f32>
    %v = tile.load_block %pa : !tile.access<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %s = tile.reduce sum %v axis 1 : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, 1], f32>
    tile.store_block %s, %pc : !tile.tile<[BLOCK_M, 1], f32>, !tile.access<[BLOCK_M, 1], f32>
  }
}

// CHECK:      tile.kernel @sums matmul(%a "a" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:   tile.stage cover [1] {{[{]$}}

// -----

// The size of a block as a number: only given sizes say what comes out.
tile.kernel @number matmul(%a "a" : !tile.buffer<f32>) options {math = "strict"} {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %pid_n, %block_n : i64
    %pa = tile.block_pointer %a[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f32>
    %f = tile.cast %block_n : i64 -> f32
    %v = tile.broadcast %f : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    tile.store_block %v, %pa : !tile.tile<[BLOCK_M, BLOCK_N], f32>, !tile.access<[BLOCK_M, BLOCK_N], f32>
  }
}

// CHECK:      tile.kernel @number matmul(%a "a" : !tile.buffer<f32>) options {math = "strict", pinned = "'BLOCK_N' is used as a number ({{.*}}tile-check-blocks.mlir:38:{{[0-9]+}})"} {{[{]$}}
// CHECK-NEXT:   tile.stage {{[{]$}}
