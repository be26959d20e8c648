// RUN: patlang-opt %s --split-input-file -p tile-legalize-block-pointers | filecheck %s
// RUN: patlang-opt %s --split-input-file -p 'tile-legalize-block-pointers{strategy=copy}' | filecheck %s --check-prefix=ALWAYS
// RUN: patlang-opt %s --split-input-file -p 'tile-legalize-block-pointers{target="cuda:100"}' | filecheck %s --check-prefix=OTHER
// RUN: patlang-opt %s --split-input-file -p 'tile-legalize-block-pointers{strategy=copy target="cuda:80"}' | filecheck %s --check-prefix=OTHER

// Matrices that a launch may copy, so that the GPU can move their blocks by itself, and how the copies lie.
// OTHER-NOT: copies

// Products of 16-bit factors: matrices by rows or columns; what is stored has whole rows.
tile.kernel @half matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %h = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f16>
    tile.store_block %h, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f16>, !tile.access<[BLOCK_M, BLOCK_N], f16>
  }
}

// CHECK-LABEL: tile.kernel @half 
// ALWAYS-LABEL: tile.kernel @half 
// CHECK:          tile.stage described copies <{a = "either", b = "either", c = "rows"}, 256, 2147483648> {{[{]$}}
// ALWAYS:         tile.stage described copies <{a = "either", b = "either", c = "rows"}, 1, 1> {{[{]$}}
// CHECK:          tile.stage {{[{]$}}

// -----

// The same where blocks are turned before they are stored.
tile.kernel @turned_result matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %h = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %t = tile.transpose %h : !tile.tile<[BLOCK_M, BLOCK_N], f16> -> !tile.tile<[BLOCK_N, BLOCK_M], f16>
    %pc = tile.block_pointer %c[%col, %row] of %N x %M as [BLOCK_N, BLOCK_M] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_N, BLOCK_M], f16>
    tile.store_block %t, %pc : !tile.tile<[BLOCK_N, BLOCK_M], f16>, !tile.access<[BLOCK_N, BLOCK_M], f16>
  }
}

// CHECK-LABEL: tile.kernel @turned_result 
// ALWAYS-LABEL: tile.kernel @turned_result 
// CHECK:          tile.stage described copies <{a = "either", b = "either", c = "rows"}, 256, 2147483648> {{[{]$}}
// ALWAYS:         tile.stage described copies <{a = "either", b = "either", c = "rows"}, 1, 1> {{[{]$}}
// CHECK:          tile.stage {{[{]$}}

// -----

// What is stored by pointers needs no copy.
tile.kernel @by_pointers matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f32>
    tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f32>, !tile.access<[BLOCK_M, BLOCK_N], f32>
  }
}

// CHECK-LABEL: tile.kernel @by_pointers 
// ALWAYS-LABEL: tile.kernel @by_pointers 
// CHECK:          tile.stage described copies <{a = "either", b = "either"}, 256, 2147483648> {{[{]$}}
// ALWAYS:         tile.stage described copies <{a = "either", b = "either"}, 1, 1> {{[{]$}}
// CHECK:          tile.stage {{[{]$}}

// -----

// Other factors are multiplied by their depth only ...
tile.kernel @by_depth matmul(%a "a" : !tile.buffer<f32>, %b "b" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f32>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f32>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f32> -> !tile.tile<[BLOCK_M, 32], f32>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f32> -> !tile.tile<[32, BLOCK_N], f32>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot tf32 %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f32>, !tile.tile<[32, BLOCK_N], f32>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f32>
    tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f32>, !tile.access<[BLOCK_M, BLOCK_N], f32>
  }
}

// CHECK-LABEL: tile.kernel @by_depth 
// ALWAYS-LABEL: tile.kernel @by_depth 
// CHECK:          tile.stage described copies <{a = "rows", b = "columns"}, 256, 2147483648> {{[{]$}}
// ALWAYS:         tile.stage described copies <{a = "rows", b = "columns"}, 1, 1> {{[{]$}}
// CHECK:          tile.stage {{[{]$}}

// -----

// ... which is that of the rows of a matrix whose blocks are turned ...
tile.kernel @turned matmul(%a "a" : !tile.buffer<i8>, %b "b" : !tile.buffer<i8>, %c "c" : !tile.buffer<i32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<i8>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], i8>
    %pb = tile.block_pointer %b[%col, %zero] of %N x %K as [BLOCK_N, 32] : !tile.buffer<i8>, i64, i64, i64, i64 -> !tile.access<[BLOCK_N, 32], i8>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], i8> -> !tile.tile<[BLOCK_M, 32], i8>
    %vb = tile.load_block %pb : !tile.access<[BLOCK_N, 32], i8> -> !tile.tile<[BLOCK_N, 32], i8>
    %vt = tile.transpose %vb : !tile.tile<[BLOCK_N, 32], i8> -> !tile.tile<[32, BLOCK_N], i8>
    %none = tile.constant 0 : i32
    %start = tile.broadcast %none : i32 -> !tile.tile<[BLOCK_M, BLOCK_N], i32>
    %sum = tile.dot ieee %va, %vt, %start : !tile.tile<[BLOCK_M, 32], i8>, !tile.tile<[32, BLOCK_N], i8>, !tile.tile<[BLOCK_M, BLOCK_N], i32>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<i32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], i32>
    tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, BLOCK_N], i32>, !tile.access<[BLOCK_M, BLOCK_N], i32>
  }
}

// CHECK-LABEL: tile.kernel @turned 
// ALWAYS-LABEL: tile.kernel @turned 
// CHECK:          tile.stage described copies <{a = "rows", b = "rows"}, 256, 2147483648> {{[{]$}}
// ALWAYS:         tile.stage described copies <{a = "rows", b = "rows"}, 1, 1> {{[{]$}}
// CHECK:          tile.stage {{[{]$}}

// -----

// ... unless the blocks that are multiplied are computed ones.
tile.kernel @computed matmul(%a "a" : !tile.buffer<f32>, %b "b" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f32>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f32>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f32> -> !tile.tile<[BLOCK_M, 32], f32>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f32> -> !tile.tile<[32, BLOCK_N], f32>
    %vs = tile.add %va, %va : !tile.tile<[BLOCK_M, 32], f32>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot tf32 %vs, %vb, %start : !tile.tile<[BLOCK_M, 32], f32>, !tile.tile<[32, BLOCK_N], f32>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f32>
    tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f32>, !tile.access<[BLOCK_M, BLOCK_N], f32>
  }
}

// CHECK-LABEL: tile.kernel @computed 
// ALWAYS-LABEL: tile.kernel @computed 
// CHECK:          tile.stage described copies <{a = "either", b = "columns"}, 256, 2147483648> {{[{]$}}
// ALWAYS:         tile.stage described copies <{a = "either", b = "columns"}, 1, 1> {{[{]$}}
// CHECK:          tile.stage {{[{]$}}

// -----

// Slow products wait for themselves.
tile.kernel @slow matmul(%a "a" : !tile.buffer<f32>, %b "b" : !tile.buffer<f32>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f32>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f32>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f32> -> !tile.tile<[BLOCK_M, 32], f32>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f32> -> !tile.tile<[32, BLOCK_N], f32>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f32>, !tile.tile<[32, BLOCK_N], f32>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f32>
    tile.store_block %sum, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f32>, !tile.access<[BLOCK_M, BLOCK_N], f32>
  }
}

// CHECK-LABEL: tile.kernel @slow 
// ALWAYS-LABEL: tile.kernel @slow 
// CHECK:          tile.stage described {{[{]$}}
// ALWAYS:         tile.stage described {{[{]$}}

// -----

// What is not stored for certain would be copied back as it never was.
tile.kernel @perhaps matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %h = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %some = tile.compare lt %zero, %K : i64 -> i1
    scf.if %some {
      %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f16>
      tile.store_block %h, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f16>, !tile.access<[BLOCK_M, BLOCK_N], f16>
    }
  }
}

// CHECK-LABEL: tile.kernel @perhaps 
// ALWAYS-LABEL: tile.kernel @perhaps 
// CHECK:          tile.stage described {{[{]$}}
// ALWAYS:         tile.stage described {{[{]$}}

// -----

// The same for blocks that are not those of all programs ...
tile.kernel @one_column matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %h = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %pc = tile.block_pointer %c[%row, %zero] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f16>
    tile.store_block %h, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f16>, !tile.access<[BLOCK_M, BLOCK_N], f16>
  }
}

// CHECK-LABEL: tile.kernel @one_column 
// ALWAYS-LABEL: tile.kernel @one_column 
// CHECK:          tile.stage described {{[{]$}}
// ALWAYS:         tile.stage described {{[{]$}}

// -----

// ... or do not reach the end of the matrix.
tile.kernel @other_extent matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %h = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %pc = tile.block_pointer %c[%row, %col] of %M x %M as [BLOCK_M, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f16>
    tile.store_block %h, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f16>, !tile.access<[BLOCK_M, BLOCK_N], f16>
  }
}

// CHECK-LABEL: tile.kernel @other_extent 
// ALWAYS-LABEL: tile.kernel @other_extent 
// CHECK:          tile.stage described {{[{]$}}
// ALWAYS:         tile.stage described {{[{]$}}

// -----

// How large a product is can only be told by all three extents.
tile.kernel @two_extents matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.constant 32 : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %h = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f16>
    tile.store_block %h, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f16>, !tile.access<[BLOCK_M, BLOCK_N], f16>
  }
}

// CHECK-LABEL: tile.kernel @two_extents 
// ALWAYS-LABEL: tile.kernel @two_extents 
// CHECK:          tile.stage described {{[{]$}}
// ALWAYS:         tile.stage described {{[{]$}}

// -----

// Blocks that cover an axis are other ones than those of large products.
tile.kernel @covering matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage cover [1] {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %block_n, %pid_n : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, 32], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [32, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, BLOCK_N], f16>
    %va = tile.load_block %pa : !tile.access<[BLOCK_M, 32], f16> -> !tile.tile<[BLOCK_M, 32], f16>
    %vb = tile.load_block %pb : !tile.access<[32, BLOCK_N], f16> -> !tile.tile<[32, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum = tile.dot ieee %va, %vb, %start : !tile.tile<[BLOCK_M, 32], f16>, !tile.tile<[32, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %h = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f16>
    tile.store_block %h, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f16>, !tile.access<[BLOCK_M, BLOCK_N], f16>
  }
}

// CHECK-LABEL: tile.kernel @covering 
// ALWAYS-LABEL: tile.kernel @covering 
// CHECK:          tile.stage cover [1] described {{[{]$}}
// ALWAYS:         tile.stage cover [1] described {{[{]$}}
