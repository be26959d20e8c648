// RUN: patlang-opt %s -p tile-to-tl,tl-name-values -t triton | filecheck %s

// Over both axes, one after the other: at once, values and indices may be paired wrongly.

tile.kernel @k grid(%x "x" : !tile.buffer<f32>, %o "o" : !tile.buffer<i64>) {
  tile.stage cover [0, 1] plan {num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %m = tile.in_domain : !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %v = tile.load %x[%offs] mask %m guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>) -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %a = tile.reduce argmax %v : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> i64
    %0 = tile.constant 0 : i64
    tile.store %a, %o[%0] guarded : i64, !tile.buffer<i64>, i64
  }
}

// CHECK: a = tl.reduce(tl.reduce((v, offs), 1, argmax), 0, argmax)[1]
