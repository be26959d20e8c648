// RUN: patlang-opt %s -p tile-to-tl,tl-name-values -t triton | filecheck %s

// A running sum along the rows of a 2-D kernel, in the type that inference gave it.

tile.kernel @k grid(%x "x" : !tile.buffer<i8>, %o "o" : !tile.buffer<i64>) {
  tile.stage cover [1] plan {BLOCK_R = 1 : i64, BLOCK_C = 64 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %m = tile.in_domain : !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %v = tile.load %x[%offs] mask %m guarded : (!tile.buffer<i8>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>) -> !tile.tile<[BLOCK_R, BLOCK_C], i8>
    %w = tile.cast %v : !tile.tile<[BLOCK_R, BLOCK_C], i8> -> !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %s = tile.scan %w axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    tile.store %s, %o[%offs] mask %m guarded : !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>
  }
}

// CHECK:      v = tl.load(x + offs, mask=mask, other=0)
// CHECK-NEXT: w = v.to(tl.int64)
// CHECK-NEXT: s = tl.cumsum(w, axis=1)
