// RUN: patlang-opt %s -p tile-to-tl -t mlir --hide-locations | filecheck %s

// 16-bit integers are negated by a subtraction from a number that is 0 in every launch: `neg.s16`
// and `abs.s16` do not wrap on NVIDIA where their result is widened.
tile.kernel @short linear(%x "x" : !tile.buffer<i16>, %out "out" : !tile.buffer<i64>) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] guarded : (!tile.buffer<i16>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], i16>
    %n = tile.neg %v : !tile.tile<[BLOCK_SIZE], i16>
    %a = tile.abs %n : !tile.tile<[BLOCK_SIZE], i16>
    %w = tile.cast %a : !tile.tile<[BLOCK_SIZE], i16> -> !tile.tile<[BLOCK_SIZE], i64>
    tile.store %w, %out[%offs] guarded : !tile.tile<[BLOCK_SIZE], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_SIZE], i64>
  }
}
// CHECK-NOT:  tl.unary neg
// CHECK-NOT:  tl.call abs
// CHECK:      %{{[0-9]+}} = tl.program_id 2 : i32{{$}}
// CHECK:      %n = tl.binary sub %{{[0-9]+}}, %v : i16, !tl.tensor<[BLOCK_SIZE], i16> -> !tl.tensor<[BLOCK_SIZE], i16>{{$}}
// CHECK:      %a = tl.call where(
