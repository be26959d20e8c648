// RUN: patlang-opt %s --split-input-file -p tile-to-tl,tl-name-values -t triton | filecheck %s

// Programs along columns alone are those of the grid.

tile.kernel @columns grid(%out "out" : !tile.buffer<i64>) {
  tile.stage plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64} {
    %col = tile.index col : !tile.tile<[1, BLOCK_C], i64>
    tile.store %col, %out[%col] guarded : !tile.tile<[1, BLOCK_C], i64>, !tile.buffer<i64>, !tile.tile<[1, BLOCK_C], i64>
  }
}

// CHECK:      def columns_kernel(out, BLOCK_C: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     col = (tl.program_id(0).to(tl.int64) * BLOCK_C + tl.arange(0, BLOCK_C))[None, :]{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + col, col){{( +#.*)?$}}
// CHECK:          columns_kernel[(cdiv(n_cols, 128),)](out, BLOCK_C=128, num_warps=4, enable_fp_fusion=False){{( +#.*)?$}}

// -----

// Along both axes they are numbered by rows; an atomic that does not follow the columns takes
// place once, though there be no columns.

tile.kernel @count grid(%out "out" : !tile.buffer<i64>, %c "c" : !tile.buffer<i64>) {
  tile.stage plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64} {
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    %col = tile.index col : !tile.tile<[1, BLOCK_C], i64>
    tile.atomic add %row, %out[%row] guarded : !tile.tile<[BLOCK_R, 1], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_R, 1], i64>
    tile.atomic add %col, %c[%col] guarded : !tile.tile<[1, BLOCK_C], i64>, !tile.buffer<i64>, !tile.tile<[1, BLOCK_C], i64>
  }
}

// CHECK:      def count_kernel(out, c, n_cols: tl.int64, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     value = tl.full((), tl.cdiv(n_cols, BLOCK_C), tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     col_blocks = tl.maximum(value, 1){{( +#.*)?$}}
// CHECK-NEXT:     program = tl.program_id(0){{( +#.*)?$}}
// CHECK-NEXT:     value_1 = program // col_blocks{{( +#.*)?$}}
// CHECK-NEXT:     value_2 = program % col_blocks{{( +#.*)?$}}
// CHECK-NEXT:     row = (value_1.to(tl.int64) * BLOCK_R + tl.arange(0, BLOCK_R))[:, None]{{( +#.*)?$}}
// CHECK-NEXT:     col = (value_2.to(tl.int64) * BLOCK_C + tl.arange(0, BLOCK_C))[None, :]{{( +#.*)?$}}
// CHECK-NEXT:     tl.atomic_add(out + row, row, mask=value_2 == 0, sem="relaxed"){{( +#.*)?$}}
// CHECK-NEXT:     tl.atomic_add(c + col, col, mask=value_1 == 0, sem="relaxed"){{( +#.*)?$}}

// -----

// A mask that is a literal: the atomic goes away, or has no mask.

tile.kernel @literals linear(%out "out" : !tile.buffer<i64>) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %no = tile.constant false : i1
    %none = tile.broadcast %no : i1 -> !tile.tile<[BLOCK_SIZE], i1>
    %yes = tile.constant true : i1
    %all = tile.broadcast %yes : i1 -> !tile.tile<[BLOCK_SIZE], i1>
    tile.atomic add %offs, %out[%offs] mask %none guarded : !tile.tile<[BLOCK_SIZE], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
    tile.atomic max %offs, %out[%offs] mask %all guarded : !tile.tile<[BLOCK_SIZE], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      def literals_kernel(out, BLOCK_SIZE: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     tl.atomic_max(out + offs, offs, sem="relaxed"){{( +#.*)?$}}
// CHECK-EMPTY:
