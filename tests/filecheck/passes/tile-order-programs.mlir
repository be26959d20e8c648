// RUN: patlang-opt %s --split-input-file -p tile-order-programs | filecheck %s
// RUN: patlang-opt %s --split-input-file -p 'tile-order-programs{order=persistent}' | filecheck %s --check-prefix=PERSISTENT
// RUN: patlang-opt %s --split-input-file -p 'tile-order-programs{order=rows}' | filecheck %s --check-prefix=ROWS
// RUN: not patlang-opt %s --split-input-file -p 'tile-order-programs{order=columns}' 2>&1 | filecheck %s --check-prefix=WRONG

// WRONG:      error[P905]: 'columns' is no order
// WRONG-NEXT:   help: the orders are rows, grouped, persistent

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
