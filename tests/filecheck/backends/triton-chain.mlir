// RUN: patlang-opt %s -p tile-to-tl,tl-name-values -t triton | filecheck %s

// A chain of launches for long inputs, and one launch that covers short ones.

tile.kernel @top grid(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  %s = tile.scratch [all, blocks] : !tile.buffer<f32>
  tile.stage above 256 plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %v = tile.load %x[%offs] guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>) -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %m = tile.reduce max %v axis 1 in_block : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], f32>
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    %c = tile.program 1 : i64
    %n = tile.programs 1 : i64
    %cb = tile.broadcast %c : i64 -> !tile.tile<[BLOCK_R, 1], i64>
    %nb = tile.broadcast %n : i64 -> !tile.tile<[BLOCK_R, 1], i64>
    %start = tile.mul %row, %nb : !tile.tile<[BLOCK_R, 1], i64>
    %place = tile.add %start, %cb : !tile.tile<[BLOCK_R, 1], i64>
    tile.store %m, %s[%place] guarded : !tile.tile<[BLOCK_R, 1], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_R, 1], i64>
  }
  tile.stage cover [1] over %s : !tile.buffer<f32> above 256 plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %v = tile.load %s[%offs] guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>) -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %m = tile.reduce max %v axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], f32>
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    tile.store %m, %out[%row] guarded : !tile.tile<[BLOCK_R, 1], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_R, 1], i64>
  }
  tile.stage cover [1] upto 256 plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %v = tile.load %x[%offs] guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>) -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %m = tile.reduce max %v axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], f32>
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    tile.store %m, %out[%row] guarded : !tile.tile<[BLOCK_R, 1], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_R, 1], i64>
  }
}

// CHECK:      def top_kernel_1(x, scratch, n_cols: tl.int64, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     col_blocks = tl.full((), tl.cdiv(n_cols, BLOCK_C), tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     program = tl.program_id(0){{( +#.*)?$}}
// CHECK-NEXT:     row = ((program // col_blocks).to(tl.int64) * BLOCK_R + tl.arange(0, BLOCK_R))[:, None]{{( +#.*)?$}}
// CHECK-NEXT:     c = (program % col_blocks).to(tl.int64){{( +#.*)?$}}
// CHECK-NEXT:     col = (c * BLOCK_C + tl.arange(0, BLOCK_C))[None, :]{{( +#.*)?$}}
// CHECK-NEXT:     offs = row * n_cols + col{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs){{( +#.*)?$}}
// CHECK-NEXT:     m = tl.reduce(v, 1, maximum_nan, keep_dims=True){{( +#.*)?$}}
// CHECK-NEXT:     n = col_blocks.to(tl.int64){{( +#.*)?$}}
// CHECK-NEXT:     start = row * n{{( +#.*)?$}}
// CHECK-NEXT:     place = start + c{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(scratch + place, m){{( +#.*)?$}}
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT: @triton.jit{{( +#.*)?$}}
// CHECK-NEXT: def top_kernel_2(out, scratch, own_n_cols: tl.int64, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     row = (tl.program_id(0).to(tl.int64) * BLOCK_R + tl.arange(0, BLOCK_R))[:, None]{{( +#.*)?$}}
// CHECK-NEXT:     col = tl.arange(0, BLOCK_C).to(tl.int64)[None, :]{{( +#.*)?$}}
// CHECK-NEXT:     offs = row * own_n_cols + col{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(scratch + offs){{( +#.*)?$}}
// CHECK-NEXT:     m = tl.reduce(v, 1, maximum_nan, keep_dims=True){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + row, m){{( +#.*)?$}}
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT: @triton.jit{{( +#.*)?$}}
// CHECK-NEXT: def top_kernel_3(x, out, n_cols: tl.int64, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     row = (tl.program_id(0).to(tl.int64) * BLOCK_R + tl.arange(0, BLOCK_R))[:, None]{{( +#.*)?$}}
// CHECK-NEXT:     col = tl.arange(0, BLOCK_C).to(tl.int64)[None, :]{{( +#.*)?$}}
// CHECK-NEXT:     offs = row * n_cols + col{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs){{( +#.*)?$}}
// CHECK-NEXT:     m = tl.reduce(v, 1, maximum_nan, keep_dims=True){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + row, m){{( +#.*)?$}}
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT: def top(x, out):{{( +#.*)?$}}
// CHECK-NEXT:     """Run the kernel top of triton-chain.mlir; it writes out."""{{( +#.*)?$}}
// CHECK-NEXT:     check_buffers(("x", x, torch.float32), ("out", out, torch.float32)){{( +#.*)?$}}
// CHECK-NEXT:     check_matrix("x", x){{( +#.*)?$}}
// CHECK-NEXT:     n_rows, n_cols = x.shape{{( +#.*)?$}}
// CHECK-NEXT:     check_apart(("x", x, False, True), ("out", out, True, False)){{( +#.*)?$}}
// CHECK-NEXT:     with on_device_of(x):{{( +#.*)?$}}
// CHECK-NEXT:         if n_cols > 256:{{( +#.*)?$}}
// CHECK-NEXT:             scratch = torch.empty(n_rows, cdiv(n_cols, 128), dtype=torch.float32, device=x.device){{( +#.*)?$}}
// CHECK-NEXT:             top_kernel_1[(cdiv(n_rows, 8) * cdiv(n_cols, 128),)]({{( +#.*)?$}}
// CHECK-NEXT:                 x, scratch, n_cols, BLOCK_R=8, BLOCK_C=128, num_warps=4, enable_fp_fusion=False{{( +#.*)?$}}
// CHECK-NEXT:             ){{( +#.*)?$}}
// CHECK-NEXT:             block_c = next_power_of_2(scratch.shape[1]){{( +#.*)?$}}
// CHECK-NEXT:             block_r = max(1024 // block_c, 1){{( +#.*)?$}}
// CHECK-NEXT:             top_kernel_2[(cdiv(scratch.shape[0], block_r),)]({{( +#.*)?$}}
// CHECK-NEXT:                 out,{{( +#.*)?$}}
// CHECK-NEXT:                 scratch,{{( +#.*)?$}}
// CHECK-NEXT:                 scratch.shape[1],{{( +#.*)?$}}
// CHECK-NEXT:                 BLOCK_R=block_r,{{( +#.*)?$}}
// CHECK-NEXT:                 BLOCK_C=block_c,{{( +#.*)?$}}
// CHECK-NEXT:                 num_warps=min(max(block_r * block_c // 256, 4), 16),{{( +#.*)?$}}
// CHECK-NEXT:                 enable_fp_fusion=False,{{( +#.*)?$}}
// CHECK-NEXT:             ){{( +#.*)?$}}
// CHECK-NEXT:         else:{{( +#.*)?$}}
// CHECK-NEXT:             block_c_1 = next_power_of_2(n_cols){{( +#.*)?$}}
// CHECK-NEXT:             block_r_1 = max(1024 // block_c_1, 1){{( +#.*)?$}}
// CHECK-NEXT:             top_kernel_3[(cdiv(n_rows, block_r_1),)]({{( +#.*)?$}}
// CHECK-NEXT:                 x,{{( +#.*)?$}}
// CHECK-NEXT:                 out,{{( +#.*)?$}}
// CHECK-NEXT:                 n_cols,{{( +#.*)?$}}
// CHECK-NEXT:                 BLOCK_R=block_r_1,{{( +#.*)?$}}
// CHECK-NEXT:                 BLOCK_C=block_c_1,{{( +#.*)?$}}
// CHECK-NEXT:                 num_warps=min(max(block_r_1 * block_c_1 // 256, 4), 16),{{( +#.*)?$}}
// CHECK-NEXT:                 enable_fp_fusion=False,{{( +#.*)?$}}
// CHECK-NEXT:             ){{( +#.*)?$}}
