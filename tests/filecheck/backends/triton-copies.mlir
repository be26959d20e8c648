// RUN: patlang-opt %s -p patlang-tile-to-triton -t triton | filecheck %s
// RUN: patlang-opt %s -p patlang-tile-to-triton -t triton | filecheck %s --check-prefix=ORDERS

// A launcher that copies matrices of large products: the kernel whose blocks the GPU moves gets the
// copies, and what it wrote is copied back.

tile.kernel @matmul matmul(%a "a" : !tile.buffer<f16>, %b "b" : !tile.buffer<f16>,
    %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %block_k = tile.block_size BLOCK_K : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %pid_n, %block_n : i64
    %zero = tile.constant 0 : i64
    %one = tile.constant 1 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, BLOCK_K]
      : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_K], f16>
    %pb = tile.block_pointer %b[%zero, %col] of %K x %N as [BLOCK_K, BLOCK_N]
      : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_K, BLOCK_N], f16>
    %none = tile.constant 0.0 : f32
    %start = tile.broadcast %none : f32 -> !tile.tile<[BLOCK_M, BLOCK_N], f32>
    %sum, %pa2, %pb2 = scf.for %k = %zero to %K step %block_k
        iter_args(%acc = %start, %qa = %pa, %qb = %pb) -> (!tile.tile<[BLOCK_M, BLOCK_N], f32>, !tile.access<[BLOCK_M, BLOCK_K], f16>, !tile.access<[BLOCK_K, BLOCK_N], f16>) : i64 {
      %a_block = tile.load_block %qa : !tile.access<[BLOCK_M, BLOCK_K], f16> -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
      %b_block = tile.load_block %qb : !tile.access<[BLOCK_K, BLOCK_N], f16> -> !tile.tile<[BLOCK_K, BLOCK_N], f16>
      %acc_2 = tile.dot ieee %a_block, %b_block, %acc : !tile.tile<[BLOCK_M, BLOCK_K], f16>, !tile.tile<[BLOCK_K, BLOCK_N], f16>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
      %na = tile.advance %qa by %zero, %block_k : !tile.access<[BLOCK_M, BLOCK_K], f16>, i64, i64
      %nb = tile.advance %qb by %block_k, %zero : !tile.access<[BLOCK_K, BLOCK_N], f16>, i64, i64
      scf.yield %acc_2, %na, %nb : !tile.tile<[BLOCK_M, BLOCK_N], f32>, !tile.access<[BLOCK_M, BLOCK_K], f16>, !tile.access<[BLOCK_K, BLOCK_N], f16>
    }
    %result = tile.cast %sum : !tile.tile<[BLOCK_M, BLOCK_N], f32> -> !tile.tile<[BLOCK_M, BLOCK_N], f16>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N]
      : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_N], f16>
    tile.store_block %result, %pc : !tile.tile<[BLOCK_M, BLOCK_N], f16>, !tile.access<[BLOCK_M, BLOCK_N], f16>
  }
}

// CHECK:      def room_for(matrix, layout, written=False):{{$}}
// CHECK:      def copy_matrix(source, target):{{$}}
// CHECK:      def matmul(a, b, c):{{$}}
// CHECK-NEXT:     """Run the kernel matmul of triton-copies.mlir; it writes c."""{{$}}
// CHECK-NEXT:     check_tensors(("a", a, torch.float16), ("b", b, torch.float16), ("c", c, torch.float16)){{$}}
// CHECK-NEXT:     M, N, K = solve_sizes({{$}}
// CHECK-NEXT:         ("M", "N", "K"), ("a", a, ("M", "K")), ("b", b, ("K", "N")), ("c", c, ("M", "N")){{$}}
// CHECK-NEXT:     ){{$}}
// CHECK-NEXT:     check_separate(("a", a, False), ("b", b, False), ("c", c, True)){{$}}
// CHECK-NEXT:     if M == 0 or N == 0:{{$}}
// CHECK-NEXT:         return{{$}}
// CHECK-NEXT:     a_in, b_in, c_out = a, b, c{{$}}
// CHECK-NEXT:     if min(M, N, K) >= 256 and M * N * K >= 2**31:{{$}}
// CHECK-NEXT:         a_in = room_for(a, "either"){{$}}
// CHECK-NEXT:         b_in = room_for(b, "either"){{$}}
// CHECK-NEXT:         c_out = room_for(c, "rows", written=True){{$}}
// CHECK-NEXT:         copy_matrix(a, a_in){{$}}
// CHECK-NEXT:         copy_matrix(b, b_in){{$}}
// CHECK-NEXT:     if fits_descriptor(a_in) and fits_descriptor(b_in) and fits_descriptor(c_out, written=True):{{$}}
// CHECK-NEXT:         cores = processors(a){{$}}
// CHECK-NEXT:         chosen = choose_plan({{$}}
// CHECK-NEXT:             MATMUL_KERNEL_DESCRIPTORS_FLATTENED_PLANS + MATMUL_KERNEL_DESCRIPTORS_PLANS, M, N, cores{{$}}
// CHECK-NEXT:         ){{$}}
// CHECK-NEXT:         _, plan = chosen{{$}}
// CHECK-NEXT:         programs = cdiv(M, plan["BLOCK_M"]) * cdiv(N, plan["BLOCK_N"]){{$}}
// CHECK-NEXT:         if chosen in MATMUL_KERNEL_DESCRIPTORS_FLATTENED_PLANS:{{$}}
// CHECK-NEXT:             programs = min(programs, cores){{$}}
// CHECK-NEXT:             with on_device_of(a):{{$}}
// CHECK-NEXT:                 matmul_kernel_descriptors_flattened[(programs,)]({{$}}
// CHECK:              else:{{$}}
// CHECK:                      matmul_kernel_descriptors[(programs,)]({{$}}
// CHECK-NEXT:                     describe(a_in, plan["BLOCK_M"], plan["BLOCK_K"]),{{$}}
// CHECK-NEXT:                     describe(b_in, plan["BLOCK_K"], plan["BLOCK_N"]),{{$}}
// CHECK-NEXT:                     describe(c_out, plan["BLOCK_M"], plan["BLOCK_N"]),{{$}}
// CHECK-NEXT:                     M,{{$}}
// CHECK-NEXT:                     N,{{$}}
// CHECK-NEXT:                     K,{{$}}
// CHECK-NEXT:                     **plan,{{$}}
// CHECK-NEXT:                     A_TURNED=a_in.stride(1) != 1,{{$}}
// CHECK-NEXT:                     B_TURNED=b_in.stride(1) != 1,{{$}}
// CHECK-NEXT:                     enable_fp_fusion=False,{{$}}
// CHECK-NEXT:                 ){{$}}
// CHECK-NEXT:         copy_matrix(c_out, c){{$}}
// CHECK-NEXT:         return{{$}}

// A kernel in several orders; in one of them both loops run as one.
// ORDERS:      def matmul_kernel_descriptors_flattened({{$}}
// ORDERS:          program = tl.program_id(0){{( +#.*)?$}}
// ORDERS:          blocks = row_blocks * col_blocks{{( +#.*)?$}}
// ORDERS-NEXT:     programs = tl.num_programs(0){{( +#.*)?$}}
// ORDERS-NEXT:     for block in tl.range(program, blocks, programs, flatten=True):{{( +#.*)?$}}
// ORDERS:      def matmul_kernel_descriptors({{$}}
// ORDERS:          program = tl.program_id(0){{( +#.*)?$}}
// ORDERS:      def matmul_kernel({{$}}
