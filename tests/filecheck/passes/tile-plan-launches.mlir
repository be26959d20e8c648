// RUN: patlang-opt %s -p tile-plan-launches | filecheck %s
// RUN: patlang-opt %s -p 'tile-plan-launches{target="hip:gfx942"}' | filecheck %s --check-prefix=HIP
// RUN: not patlang-opt %s -p 'tile-plan-launches{target="cuda:1"}' 2>&1 | filecheck %s --check-prefix=WRONG

tile.kernel @line linear() {
  tile.stage {
  }
  tile.stage plan {BLOCK_SIZE = 256 : i64} {
  }
}

tile.kernel @rows grid() {
  tile.stage {
  }
}

// A plan that is there already stays.
// CHECK-LABEL: tile.kernel @line
// CHECK-NEXT:    tile.stage plan {BLOCK_SIZE = {{[0-9]+}} : i64, num_warps = {{[0-9]+}} : i64} {{[{]$}}
// CHECK:         tile.stage plan {BLOCK_SIZE = 256 : i64} {{[{]$}}
// CHECK-LABEL: tile.kernel @rows
// CHECK-NEXT:    tile.stage plan {BLOCK_R = {{[0-9]+}} : i64, BLOCK_C = {{[0-9]+}} : i64, num_warps = {{[0-9]+}} : i64} {{[{]$}}
// HIP:           tile.stage plan {BLOCK_SIZE
// WRONG:       error[P903]: 'cuda:1' is not a target
// WRONG-NEXT:  help: the targets are cuda:80
