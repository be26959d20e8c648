// RUN: patlang-opt %s --split-input-file -p tile-order-programs | filecheck %s
// RUN: patlang-opt %s --split-input-file -p 'tile-order-programs{order=persistent}' | filecheck %s --check-prefix=PERSISTENT
// RUN: patlang-opt %s --split-input-file -p 'tile-order-programs{order=rows}' | filecheck %s --check-prefix=ROWS
// RUN: not patlang-opt %s --split-input-file -p 'tile-order-programs{order=columns}' 2>&1 | filecheck %s --check-prefix=WRONG

// WRONG:      error[P905]: 'columns' is no order
// WRONG-NEXT:   help: they are auto, rows, grouped, persistent, flattened{{$}}

tile.kernel @both matmul() {
  tile.stage {
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
  }
}

// CHECK:           tile.kernel @both matmul() {{[{]$}}
// CHECK-NEXT:        tile.stage order grouped {{[{]$}}
// PERSISTENT:      tile.kernel @both matmul() {{[{]$}}
// PERSISTENT-NEXT:   tile.stage order persistent {{[{]$}}
// ROWS:            tile.kernel @both matmul() {{[{]$}}
// ROWS-NEXT:         tile.stage {{[{]$}}

// -----

// With one axis there is nothing to group.
tile.kernel @rows matmul() {
  tile.stage {
    %pid_m = tile.program 0 : i64
  }
}

// CHECK:           tile.kernel @rows matmul() {{[{]$}}
// CHECK-NEXT:        tile.stage {{[{]$}}
// PERSISTENT:      tile.kernel @rows matmul() {{[{]$}}
// PERSISTENT-NEXT:   tile.stage order persistent {{[{]$}}

// -----

// An order that is there stays, and other kernels have none.
tile.kernel @chosen matmul() {
  tile.stage order persistent {
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
  }
}
tile.kernel @grid grid() {
  tile.stage {
    %p = tile.program 0 : i64
    %q = tile.program 1 : i64
  }
}

// CHECK:           tile.kernel @chosen matmul() {{[{]$}}
// CHECK-NEXT:        tile.stage order persistent {{[{]$}}
// CHECK:           tile.kernel @grid grid() {{[{]$}}
// CHECK-NEXT:        tile.stage {{[{]$}}

// -----

// Products whose blocks the GPU moves by itself are made in each order that it has plans in, but for
// kernels whose blocks cover an axis.
tile.kernel @product matmul() {
  tile.stage described {
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %zero = tile.constant 0.0 : f16
    %none = tile.constant 0.0 : f32
    %a = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
    %b = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_K, BLOCK_N], f16>
    %c = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %d = tile.dot ieee %a, %b, %c : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
  }
  tile.stage {
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
  }
}
tile.kernel @covered matmul() {
  tile.stage cover [1] described {
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %zero = tile.constant 0.0 : f16
    %none = tile.constant 0.0 : f32
    %a = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
    %b = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_K, BLOCK_N], f16>
    %c = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %d = tile.dot ieee %a, %b, %c : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
  }
}

// CHECK:           tile.kernel @product matmul() {{[{]$}}
// CHECK-NEXT:        tile.stage described order flattened {{[{]$}}
// CHECK:             tile.dot
// CHECK:             tile.stage described order grouped {{[{]$}}
// CHECK:             tile.dot
// CHECK:             tile.stage order grouped {{[{]$}}
// CHECK:           tile.kernel @covered matmul() {{[{]$}}
// CHECK-NEXT:        tile.stage cover [1] described order grouped {{[{]$}}
