// RUN: patlang-opt %s -p tile-plan-launches | filecheck %s
// RUN: patlang-opt %s -p 'tile-plan-launches{block="BLOCK_M=64,BLOCK_N=64"}' | filecheck %s --check-prefix=SMALL
// RUN: patlang-opt %s -p 'tile-plan-launches{block="BLOCK_M=128,BLOCK_N=256"}' | filecheck %s --check-prefix=LARGE

// Each alternative has the plans that are best in its order. One that has none of the sizes that are
// asked for goes away.
tile.kernel @product matmul() {
  tile.stage described order flattened {
    %zero = tile.constant 0.0 : f16
    %none = tile.constant 0.0 : f32
    %a = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
    %b = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_K, BLOCK_N], f16>
    %c = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %d = tile.dot ieee %a, %b, %c : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
  }
  tile.stage described order grouped {
    %zero = tile.constant 0.0 : f16
    %none = tile.constant 0.0 : f32
    %a = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
    %b = tile.broadcast %zero : f16 -> !tile.tile<[BLOCK_K, BLOCK_N], f16>
    %c = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %d = tile.dot ieee %a, %b, %c : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
  }
}

// CHECK:      tile.stage described order flattened plan {plans = [{BLOCK_M = 128 : i64, BLOCK_N = 256 : i64,
// CHECK:      tile.stage described order grouped plan {plans = [{BLOCK_M = 64 : i64, BLOCK_N = 128 : i64,
// SMALL-NOT:  flattened
// SMALL:      tile.stage described order grouped plan {plans = [{BLOCK_M = 64 : i64, BLOCK_N = 64 : i64, BLOCK_K = 128 : i64, GROUP_M = 8 : i64, num_warps = 4 : i64, num_stages = 4 : i64, speed = {{[0-9]+}} : i64}]} {{[{]$}}
// LARGE:      tile.stage described order flattened plan {plans = [{BLOCK_M = 128 : i64, BLOCK_N = 256 : i64, BLOCK_K = 64 : i64, GROUP_M = 8 : i64, num_warps = 8 : i64, num_stages = 3 : i64, speed = 100 : i64}]} {{[{]$}}
