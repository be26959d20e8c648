// RUN: patlang-opt %s -p tile-to-tl,tl-name-values -t triton | filecheck %s

// A whole module: imports, helpers, the kernel, and a launcher with the kernel's name. `max` and
// `n` are names of others, so they get an underscore or a number.

tile.kernel @max linear(%x "x" : !tile.buffer<f32>, %y "n" : !tile.buffer<f32>, %k "k" : f32) {
  tile.stage plan {BLOCK_SIZE = 512 : i64, num_warps = 2 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %lanes = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %lanes guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %kb = tile.broadcast %k : f32 -> !tile.tile<[BLOCK_SIZE], f32>
    %0 = tile.sub %v, %kb : !tile.tile<[BLOCK_SIZE], f32>
    %1 = tile.sub %v, %0 : !tile.tile<[BLOCK_SIZE], f32>
    %2 = tile.mul %1, %kb : !tile.tile<[BLOCK_SIZE], f32>
    tile.store %2, %y[%offs] mask %lanes guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      """Triton kernels from triton.mlir, compiled by PatLang IR for Triton 3.6 to 3.9."""{{$}}
// CHECK-EMPTY:
// CHECK-NEXT: import contextlib{{$}}
// CHECK-NEXT: import numbers{{$}}
// CHECK-EMPTY:
// CHECK-NEXT: import torch{{$}}
// CHECK-NEXT: import triton{{$}}
// CHECK-NEXT: import triton.language as tl{{$}}
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT: def check_buffers(*buffers):{{$}}
// CHECK:      def check_scalar(name, value, kind):{{$}}
// CHECK:      def check_length(name, buffer, n):{{$}}
// CHECK:      def check_apart(*buffers):{{$}}
// CHECK:      @triton.jit{{$}}
// CHECK-NEXT: def max_kernel(x, n, k: tl.float32, n_1: tl.int64, BLOCK_SIZE: tl.constexpr):{{$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)  # triton.mlir:8{{$}}
// CHECK-NEXT:     mask = offs < n_1{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0)  # triton.mlir:10{{$}}
// CHECK-NEXT:     tl.store(n + offs, (v - (v - k)) * k, mask=mask)  # triton.mlir:15{{$}}
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT: def max_(x, n, k):{{$}}
// CHECK-NEXT:     """Run the kernel max of triton.mlir; it writes n."""{{$}}
// CHECK-NEXT:     check_buffers(("x", x, torch.float32), ("n", n, torch.float32)){{$}}
// CHECK-NEXT:     check_scalar("k", k, numbers.Real){{$}}
// CHECK-NEXT:     n_1 = x.numel(){{$}}
// CHECK-NEXT:     check_length("n", n, n_1){{$}}
// CHECK-NEXT:     check_apart(("x", x, False, True), ("n", n, True, True)){{$}}
// CHECK-NEXT:     if n_1 == 0:{{$}}
// CHECK-NEXT:         return{{$}}
// CHECK-NEXT:     with on_device_of(x):{{$}}
// CHECK-NEXT:         max_kernel[(cdiv(n_1, 512),)]({{$}}
// CHECK-NEXT:             x, n, float(k), n_1, BLOCK_SIZE=512, num_warps=2, enable_fp_fusion=False{{$}}
// CHECK-NEXT:         ){{$}}
