// RUN: patlang-opt %s -p tile-plan-launches | filecheck %s
// RUN: patlang-opt %s -p 'tile-plan-launches{target="hip:gfx942"}' | filecheck %s --check-prefix=HIP
// RUN: patlang-opt %s -p 'tile-plan-launches{block="BLOCK_M=64,BLOCK_K=32"}' | filecheck %s --check-prefix=CHOSEN
// RUN: not patlang-opt %s -p 'tile-plan-launches{block="BLOCK_K=8"}' 2>&1 | filecheck %s --check-prefix=SHALLOW
// RUN: not patlang-opt %s -p 'tile-plan-launches{block="BLOCK_M=48"}' 2>&1 | filecheck %s --check-prefix=POWER
// RUN: not patlang-opt %s -p 'tile-plan-launches{block="BLOCK_M=512,BLOCK_K=256" target="cuda:80"}' 2>&1 | filecheck %s --check-prefix=LARGE

tile.kernel @product matmul() {
  tile.stage {
    %zero = tile.constant 0.0 : f16
    %none = tile.constant 0.0 : f32
    %a = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
    %b = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_K, BLOCK_N], f16>
    %c = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %d = tile.dot ieee %a, %b, %c : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
  }
}

// Where one block covers the columns, the plans have blocks of all widths, from narrow ones.
tile.kernel @covered matmul() {
  tile.stage cover [1] {
  }
}

// CHECK-LABEL: tile.kernel @product
// CHECK-NEXT:    tile.stage plan {plans = [{BLOCK_M = 128 : i64, BLOCK_N = 256 : i64, BLOCK_K = 64 : i64, GROUP_M = 8 : i64, num_warps = 8 : i64, num_stages = 3 : i64, speed = 100 : i64}, {BLOCK_M
// CHECK-LABEL: tile.kernel @covered
// CHECK-NEXT:    tile.stage cover [1] plan {plans = [{BLOCK_M = 64 : i64, BLOCK_N = 16 : i64,
// HIP-LABEL:   tile.kernel @product
// HIP-NEXT:      tile.stage plan {plans = [{BLOCK_M = 128 : i64, BLOCK_N = 128 : i64, BLOCK_K = 64 : i64, GROUP_M = 8 : i64, num_warps = 8 : i64, num_stages = 2 : i64, speed = 100 : i64}, {BLOCK_M
// CHOSEN-LABEL: tile.kernel @product
// CHOSEN-NEXT:   tile.stage plan {plans = [{BLOCK_M = 64 : i64, BLOCK_N = 256 : i64, BLOCK_K = 32 : i64, GROUP_M = 8 : i64, num_warps = 8 : i64, num_stages = 3 : i64, speed = 100 : i64}]} {{[{]$}}
// SHALLOW:     error[P405]: BLOCK_K is 8, and a product of f16 needs 16 or more
// SHALLOW:       help: choose BLOCK_K=16 or more
// POWER:       error[P118]: 'BLOCK_M=48' is not a block size
// LARGE:       error[P405]: blocks of 512 x 256 and 256 x 256 need 393216 bytes of shared memory, and cuda:80 has 166912
