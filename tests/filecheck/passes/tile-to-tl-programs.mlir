// RUN: patlang-opt %s --split-input-file -p tile-to-tl,tl-name-values -t triton | filecheck %s

// Variables that trade their values are assigned together.

tile.kernel @trade_places linear(%x "x" : !tile.buffer<f32>, %y "y" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %w = tile.load %y[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %zero = tile.constant 0 : i64
    %three = tile.constant 3 : i64
    %one = tile.constant 1 : i64
    %a, %b = scf.for %i = %zero to %three step %one iter_args(%p = %v, %q = %w) -> (!tile.tile<[BLOCK_SIZE], f32>, !tile.tile<[BLOCK_SIZE], f32>) : i64 {
      scf.yield %q, %p : !tile.tile<[BLOCK_SIZE], f32>, !tile.tile<[BLOCK_SIZE], f32>
    }
    %r = tile.sub %a, %b : !tile.tile<[BLOCK_SIZE], f32>
    tile.store %r, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      def trade_places_kernel(x, y, out, n: tl.int64, BLOCK_SIZE: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     w = tl.load(y + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     p = v{{( +#.*)?$}}
// CHECK-NEXT:     q = w{{( +#.*)?$}}
// CHECK-NEXT:     for i in range(3):{{( +#.*)?$}}
// CHECK-NEXT:         p, q = q, p{{( +#.*)?$}}
// CHECK-NEXT:     r = p - q{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + offs, r, mask=mask){{( +#.*)?$}}

// -----

// A loop index gets a type of its own where the bare index would not do.

tile.kernel @index_of_a_loop linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %two = tile.constant 2 : i64
    %nine = tile.constant 9 : i64
    %r = scf.for %i = %two to %nine step %two iter_args(%sum = %v) -> (!tile.tile<[BLOCK_SIZE], f32>) : i64 {
      %square = tile.mul %i, %i : i64
      %f = tile.cast %square : i64 -> f32
      %g = tile.cast %i : i64 -> f32
      %h = tile.div %f, %g : f32
      %b = tile.broadcast %h : f32 -> !tile.tile<[BLOCK_SIZE], f32>
      %s = tile.add %sum, %b : !tile.tile<[BLOCK_SIZE], f32>
      scf.yield %s : !tile.tile<[BLOCK_SIZE], f32>
    }
    tile.store %r, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      def index_of_a_loop_kernel(x, out, n: tl.int64, BLOCK_SIZE: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     sum_ = v{{( +#.*)?$}}
// CHECK-NEXT:     for i in range(2, 9, 2):{{( +#.*)?$}}
// CHECK-NEXT:         i_1 = tl.full((), i, tl.int64){{( +#.*)?$}}
// CHECK-NEXT:         square = i_1 * i_1{{( +#.*)?$}}
// CHECK-NEXT:         f = square.to(tl.float32){{( +#.*)?$}}
// CHECK-NEXT:         g = tl.full((), i, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:         h = tl.div_rn(f, g){{( +#.*)?$}}
// CHECK-NEXT:         s = sum_ + h{{( +#.*)?$}}
// CHECK-NEXT:         sum_ = s{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + offs, sum_, mask=mask){{( +#.*)?$}}

// -----

// A value that is still read is not assigned by an inner loop.

tile.kernel @nested_loops linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %k "k" : i64) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %zero = tile.constant 0 : i64
    %one = tile.constant 1 : i64
    %r = scf.for %i = %zero to %k step %one iter_args(%acc = %v) -> (!tile.tile<[BLOCK_SIZE], f32>) : i64 {
      %inner = scf.for %j = %zero to %i step %one iter_args(%acc2 = %acc) -> (!tile.tile<[BLOCK_SIZE], f32>) : i64 {
        %t = tile.add %acc2, %acc : !tile.tile<[BLOCK_SIZE], f32>
        scf.yield %t : !tile.tile<[BLOCK_SIZE], f32>
      }
      scf.yield %inner : !tile.tile<[BLOCK_SIZE], f32>
    }
    tile.store %r, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      def nested_loops_kernel(x, out, k: tl.int64, n: tl.int64, BLOCK_SIZE: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     acc = v{{( +#.*)?$}}
// CHECK-NEXT:     for i in range(k):{{( +#.*)?$}}
// CHECK-NEXT:         acc2 = acc{{( +#.*)?$}}
// CHECK-NEXT:         for j in range(i):{{( +#.*)?$}}
// CHECK-NEXT:             t = acc2 + acc{{( +#.*)?$}}
// CHECK-NEXT:             acc2 = t{{( +#.*)?$}}
// CHECK-NEXT:         acc = acc2{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + offs, acc, mask=mask){{( +#.*)?$}}

// -----

// A test that is an expression stands in the `while`.

tile.kernel @while_with_an_expression linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %limit "limit" : f32) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %start = tile.constant 1.0 : f32
    %two = tile.constant 2.0 : f32
    %s, %r = scf.while (%a = %start, %acc = %v) : (f32, !tile.tile<[BLOCK_SIZE], f32>) -> (f32, !tile.tile<[BLOCK_SIZE], f32>) {
      %c = tile.compare lt %a, %limit : f32 -> i1
      %d = tile.condition %c : i1
      scf.condition(%d) %a, %acc : f32, !tile.tile<[BLOCK_SIZE], f32>
    } do {
    ^bb0(%a2: f32, %acc2: !tile.tile<[BLOCK_SIZE], f32>):
      %a3 = tile.mul %a2, %two : f32
      %b = tile.broadcast %a3 : f32 -> !tile.tile<[BLOCK_SIZE], f32>
      %acc3 = tile.add %acc2, %b : !tile.tile<[BLOCK_SIZE], f32>
      scf.yield %a3, %acc3 : f32, !tile.tile<[BLOCK_SIZE], f32>
    }
    tile.store %r, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      def while_with_an_expression_kernel({{( +#.*)?$}}
// CHECK-NEXT:     x, out, limit: tl.float32, n: tl.int64, BLOCK_SIZE: tl.constexpr{{( +#.*)?$}}
// CHECK-NEXT: ):{{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     a = tl.full((), 1.0, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     acc = v{{( +#.*)?$}}
// CHECK-NEXT:     while a < limit:{{( +#.*)?$}}
// CHECK-NEXT:         a3 = a * 2.0{{( +#.*)?$}}
// CHECK-NEXT:         acc3 = acc + a3{{( +#.*)?$}}
// CHECK-NEXT:         a = a3{{( +#.*)?$}}
// CHECK-NEXT:         acc = acc3{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + offs, acc, mask=mask){{( +#.*)?$}}

// -----

// Any other test is made before the loop and at the end of its body.

tile.kernel @while_that_loads_its_condition linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %steps "steps" : !tile.buffer<i32>) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %zero = tile.constant 0 : i64
    %1 = tile.length %steps : !tile.buffer<i32>
    %none = tile.constant 0 : i32
    %s, %r = scf.while (%a = %zero, %acc = %v) : (i64, !tile.tile<[BLOCK_SIZE], f32>) -> (i64, !tile.tile<[BLOCK_SIZE], f32>) {
      %2 = tile.compare lt %a, %1 : i64 -> i1
      %3 = tile.compare ge %a, %zero : i64 -> i1
      %4 = tile.and %3, %2 : i1
      %step = tile.load %steps[%a] mask %4 guarded : (!tile.buffer<i32>, i64, i1) -> i32
      %c = tile.compare gt %step, %none : i32 -> i1
      %d = tile.condition %c : i1
      %wide = tile.cast %step : i32 -> i64
      %next = tile.add %a, %wide : i64
      scf.condition(%d) %next, %acc : i64, !tile.tile<[BLOCK_SIZE], f32>
    } do {
    ^bb0(%a2: i64, %acc2: !tile.tile<[BLOCK_SIZE], f32>):
      %f = tile.cast %a2 : i64 -> f32
      %b = tile.broadcast %f : f32 -> !tile.tile<[BLOCK_SIZE], f32>
      %acc3 = tile.add %acc2, %b : !tile.tile<[BLOCK_SIZE], f32>
      scf.yield %a2, %acc3 : i64, !tile.tile<[BLOCK_SIZE], f32>
    }
    tile.store %r, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      def while_that_loads_its_condition_kernel({{( +#.*)?$}}
// CHECK-NEXT:     x, out, steps, n: tl.int64, steps_len: tl.int64, BLOCK_SIZE: tl.constexpr{{( +#.*)?$}}
// CHECK-NEXT: ):{{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     test = (tl.full((), 0, tl.int64) >= 0) & (0 < steps_len){{( +#.*)?$}}
// CHECK-NEXT:     step = tl.load(steps + 0, mask=test, other=0){{( +#.*)?$}}
// CHECK-NEXT:     c = step > 0{{( +#.*)?$}}
// CHECK-NEXT:     wide = step.to(tl.int64){{( +#.*)?$}}
// CHECK-NEXT:     next_ = 0 + wide{{( +#.*)?$}}
// CHECK-NEXT:     running = tl.where(c, tl.full((), 1, tl.int32), 0){{( +#.*)?$}}
// CHECK-NEXT:     a2 = next_{{( +#.*)?$}}
// CHECK-NEXT:     acc2 = v{{( +#.*)?$}}
// CHECK-NEXT:     while running != 0:{{( +#.*)?$}}
// CHECK-NEXT:         f = tl.full((), a2, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:         acc3 = acc2 + f{{( +#.*)?$}}
// CHECK-NEXT:         step_1 = tl.load(steps + a2, mask=(a2 >= 0) & (a2 < steps_len), other=0){{( +#.*)?$}}
// CHECK-NEXT:         c_1 = step_1 > 0{{( +#.*)?$}}
// CHECK-NEXT:         wide_1 = step_1.to(tl.int64){{( +#.*)?$}}
// CHECK-NEXT:         next__1 = a2 + wide_1{{( +#.*)?$}}
// CHECK-NEXT:         running = tl.where(c_1, running, 0){{( +#.*)?$}}
// CHECK-NEXT:         a2 = next__1{{( +#.*)?$}}
// CHECK-NEXT:         acc2 = acc3{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + offs, acc2, mask=mask){{( +#.*)?$}}

// -----

// So is one that reads what the body does not, for Triton 3.6 fails on that.

tile.kernel @while_tests_what_the_body_ignores linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %limit "limit" : f32) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %start = tile.constant 1.0 : f32
    %one = tile.constant 1 : i32
    %s, %i, %r = scf.while (%a = %start, %k = %one, %acc = %v) : (f32, i32, !tile.tile<[BLOCK_SIZE], f32>) -> (f32, i32, !tile.tile<[BLOCK_SIZE], f32>) {
      %c = tile.compare lt %a, %limit : f32 -> i1
      %d = tile.condition %c : i1
      scf.condition(%d) %a, %k, %acc : f32, i32, !tile.tile<[BLOCK_SIZE], f32>
    } do {
    ^bb0(%a2: f32, %k2: i32, %acc2: !tile.tile<[BLOCK_SIZE], f32>):
      %k3 = tile.add %k2, %k2 : i32
      %a3 = tile.cast %k3 : i32 -> f32
      %acc3 = tile.add %acc2, %acc2 : !tile.tile<[BLOCK_SIZE], f32>
      scf.yield %a3, %k3, %acc3 : f32, i32, !tile.tile<[BLOCK_SIZE], f32>
    }
    tile.store %r, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
  }
}

// CHECK:      def while_tests_what_the_body_ignores_kernel({{( +#.*)?$}}
// CHECK-NEXT:     x, out, limit: tl.float32, n: tl.int64, BLOCK_SIZE: tl.constexpr{{( +#.*)?$}}
// CHECK-NEXT: ):{{( +#.*)?$}}
// CHECK-NEXT:     limit_1 = tl.full((), limit, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     c = 1.0 < limit_1{{( +#.*)?$}}
// CHECK-NEXT:     running = tl.where(c, tl.full((), 1, tl.int32), 0){{( +#.*)?$}}
// CHECK-NEXT:     a2 = tl.full((), 1.0, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     k2 = tl.full((), 1, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     acc2 = v{{( +#.*)?$}}
// CHECK-NEXT:     while running != 0:{{( +#.*)?$}}
// CHECK-NEXT:         k3 = k2 + k2{{( +#.*)?$}}
// CHECK-NEXT:         a3 = k3.to(tl.float32){{( +#.*)?$}}
// CHECK-NEXT:         acc3 = acc2 + acc2{{( +#.*)?$}}
// CHECK-NEXT:         c_1 = a3 < limit_1{{( +#.*)?$}}
// CHECK-NEXT:         running = tl.where(c_1, running, 0){{( +#.*)?$}}
// CHECK-NEXT:         a2 = a3{{( +#.*)?$}}
// CHECK-NEXT:         k2 = k3{{( +#.*)?$}}
// CHECK-NEXT:         acc2 = acc3{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + offs, acc2, mask=mask){{( +#.*)?$}}

// -----

// Both arms assign the same variables.

tile.kernel @branches linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %k "k" : i32) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %three = tile.constant 3 : i32
    %c = tile.compare lt %k, %three : i32 -> i1
    %d = tile.condition %c : i1
    %r, %count = scf.if %d -> (!tile.tile<[BLOCK_SIZE], f32>, i32) {
      %w = tile.mul %v, %v : !tile.tile<[BLOCK_SIZE], f32>
      %one = tile.constant 1 : i32
      %k2 = tile.add %k, %one : i32
      scf.yield %w, %k2 : !tile.tile<[BLOCK_SIZE], f32>, i32
    } else {
      %seven = tile.constant 7 : i32
      scf.yield %v, %seven : !tile.tile<[BLOCK_SIZE], f32>, i32
    }
    %five = tile.constant 5 : i32
    %e = tile.compare ge %count, %five : i32 -> i1
    scf.if %e {
      tile.store %r, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
    }
  }
}

// CHECK:      def branches_kernel(x, out, k: tl.int32, n: tl.int64, BLOCK_SIZE: tl.constexpr):{{( +#.*)?$}}
// CHECK-NEXT:     k_1 = tl.full((), k, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     c = k_1 < 3{{( +#.*)?$}}
// CHECK-NEXT:     if c:{{( +#.*)?$}}
// CHECK-NEXT:         w = v * v{{( +#.*)?$}}
// CHECK-NEXT:         k2 = k_1 + 1{{( +#.*)?$}}
// CHECK-NEXT:         r = w{{( +#.*)?$}}
// CHECK-NEXT:         count = k2{{( +#.*)?$}}
// CHECK-NEXT:     else:{{( +#.*)?$}}
// CHECK-NEXT:         r = v{{( +#.*)?$}}
// CHECK-NEXT:         count = tl.full((), 7, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     e = count >= 5{{( +#.*)?$}}
// CHECK-NEXT:     if e:{{( +#.*)?$}}
// CHECK-NEXT:         tl.store(out + offs, r, mask=mask){{( +#.*)?$}}

// -----

// Rows and columns of a matrix.

tile.kernel @rows_and_columns grid(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %flat "flat" : !tile.buffer<i64>) {
  tile.stage plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    %col = tile.index col : !tile.tile<[1, BLOCK_C], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>) -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %rows = tile.size n_rows : i64
    %rb = tile.broadcast %rows : i64 -> !tile.tile<[1, BLOCK_C], i64>
    %cm = tile.mul %col, %rb : !tile.tile<[1, BLOCK_C], i64>
    %cb = tile.broadcast %cm : !tile.tile<[1, BLOCK_C], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %rowb = tile.broadcast %row : !tile.tile<[BLOCK_R, 1], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %turned = tile.add %cb, %rowb : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %1 = tile.length %out : !tile.buffer<f32>
    %2 = tile.broadcast %1 : i64 -> !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %3 = tile.compare lt %turned, %2 : !tile.tile<[BLOCK_R, BLOCK_C], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %4 = tile.constant 0 : i64
    %5 = tile.broadcast %4 : i64 -> !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %6 = tile.compare ge %turned, %5 : !tile.tile<[BLOCK_R, BLOCK_C], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %7 = tile.and %0, %6 : !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %8 = tile.and %7, %3 : !tile.tile<[BLOCK_R, BLOCK_C], i1>
    tile.store %v, %out[%turned] mask %8 guarded : !tile.tile<[BLOCK_R, BLOCK_C], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>
    tile.store %turned, %flat[%offs] mask %0 guarded : !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>
  }
}

// CHECK:      def rows_and_columns_kernel({{( +#.*)?$}}
// CHECK-NEXT:     x,{{( +#.*)?$}}
// CHECK-NEXT:     out,{{( +#.*)?$}}
// CHECK-NEXT:     flat,{{( +#.*)?$}}
// CHECK-NEXT:     n_rows: tl.int64,{{( +#.*)?$}}
// CHECK-NEXT:     n_cols: tl.int64,{{( +#.*)?$}}
// CHECK-NEXT:     out_len: tl.int64,{{( +#.*)?$}}
// CHECK-NEXT:     BLOCK_R: tl.constexpr,{{( +#.*)?$}}
// CHECK-NEXT:     BLOCK_C: tl.constexpr,{{( +#.*)?$}}
// CHECK-NEXT: ):{{( +#.*)?$}}
// CHECK-NEXT:     col_blocks = tl.full((), tl.cdiv(n_cols, BLOCK_C), tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     program = tl.program_id(0){{( +#.*)?$}}
// CHECK-NEXT:     row = ((program // col_blocks).to(tl.int64) * BLOCK_R + tl.arange(0, BLOCK_R))[:, None]{{( +#.*)?$}}
// CHECK-NEXT:     col = ((program % col_blocks).to(tl.int64) * BLOCK_C + tl.arange(0, BLOCK_C))[None, :]{{( +#.*)?$}}
// CHECK-NEXT:     offs = row * n_cols + col{{( +#.*)?$}}
// CHECK-NEXT:     row_mask = row < n_rows{{( +#.*)?$}}
// CHECK-NEXT:     col_mask = col < n_cols{{( +#.*)?$}}
// CHECK-NEXT:     mask = row_mask & col_mask{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     cm = col * n_rows{{( +#.*)?$}}
// CHECK-NEXT:     turned = cm + row{{( +#.*)?$}}
// CHECK-NEXT:     test = mask & (turned >= 0) & (turned < out_len){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + turned, v, mask=test){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(flat + offs, turned, mask=mask){{( +#.*)?$}}

// -----

// A reduction gives NaN where one element is NaN, and the index of the first one.

tile.kernel @reductions_with_nan linear(%x "x" : !tile.buffer<f32>, %f "f" : !tile.buffer<f32>, %m "m" : !tile.buffer<i64>) {
  tile.stage cover [0] plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], f32>
    %zero = tile.constant 0 : i64
    %one = tile.constant 1 : i64
    %1 = tile.constant neg_inf : f32
    %2 = tile.broadcast %1 : f32 -> !tile.tile<[BLOCK_SIZE], f32>
    %3 = tile.select %0, %v, %2 : !tile.tile<[BLOCK_SIZE], i1>, !tile.tile<[BLOCK_SIZE], f32>
    %s = tile.reduce max %3 : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %4 = tile.constant inf : f32
    %5 = tile.broadcast %4 : f32 -> !tile.tile<[BLOCK_SIZE], f32>
    %6 = tile.select %0, %v, %5 : !tile.tile<[BLOCK_SIZE], i1>, !tile.tile<[BLOCK_SIZE], f32>
    %t = tile.reduce min %6 : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %7 = tile.length %f : !tile.buffer<f32>
    %8 = tile.compare lt %zero, %7 : i64 -> i1
    tile.store %s, %f[%zero] mask %8 guarded : f32, !tile.buffer<f32>, i64, i1
    %9 = tile.compare lt %one, %7 : i64 -> i1
    tile.store %t, %f[%one] mask %9 guarded : f32, !tile.buffer<f32>, i64, i1
    %a = tile.reduce argmax %3 : !tile.tile<[BLOCK_SIZE], f32> -> i64
    %b = tile.reduce argmin %6 : !tile.tile<[BLOCK_SIZE], f32> -> i64
    %10 = tile.length %m : !tile.buffer<i64>
    %11 = tile.compare lt %zero, %10 : i64 -> i1
    tile.store %a, %m[%zero] mask %11 guarded : i64, !tile.buffer<i64>, i64, i1
    %12 = tile.compare lt %one, %10 : i64 -> i1
    tile.store %b, %m[%one] mask %12 guarded : i64, !tile.buffer<i64>, i64, i1
  }
}

// CHECK:      def reductions_with_nan_kernel({{( +#.*)?$}}
// CHECK-NEXT:     x, f, m, n: tl.int64, f_len: tl.int64, m_len: tl.int64, BLOCK_SIZE: tl.constexpr{{( +#.*)?$}}
// CHECK-NEXT: ):{{( +#.*)?$}}
// CHECK-NEXT:     offs = tl.arange(0, BLOCK_SIZE).to(tl.int64){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     value = tl.where(mask, v, float("-inf")){{( +#.*)?$}}
// CHECK-NEXT:     s = tl.reduce(value, 0, maximum_nan){{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.where(mask, v, float("inf")){{( +#.*)?$}}
// CHECK-NEXT:     t = tl.reduce(value_1, 0, minimum_nan){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(f, s, mask=0 < f_len){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(f + 1, t, mask=1 < f_len){{( +#.*)?$}}
// CHECK-NEXT:     a = tl.reduce((value, offs), 0, argmax)[1]{{( +#.*)?$}}
// CHECK-NEXT:     b = tl.reduce((value_1, offs), 0, argmin)[1]{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(m, a, mask=0 < m_len){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(m + 1, b, mask=1 < m_len){{( +#.*)?$}}

// -----

// Reductions along an axis keep it; one program covers a row.

tile.kernel @row_softmax grid(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>, %best "best" : !tile.buffer<i64>, %any "any" : !tile.buffer<i1>) {
  tile.stage cover [1] plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>) -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %1 = tile.constant neg_inf : f32
    %2 = tile.broadcast %1 : f32 -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %3 = tile.select %0, %v, %2 : !tile.tile<[BLOCK_R, BLOCK_C], i1>, !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %top = tile.reduce max %3 axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], f32>
    %tb = tile.broadcast %top : !tile.tile<[BLOCK_R, 1], f32> -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %d = tile.sub %v, %tb : !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %4 = tile.constant -0.0 : f32
    %5 = tile.broadcast %4 : f32 -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %6 = tile.select %0, %d, %5 : !tile.tile<[BLOCK_R, BLOCK_C], i1>, !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %total = tile.reduce sum %6 axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], f32>
    %totb = tile.broadcast %total : !tile.tile<[BLOCK_R, 1], f32> -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %q = tile.div %d, %totb : !tile.tile<[BLOCK_R, BLOCK_C], f32>
    tile.store %q, %out[%offs] mask %0 guarded : !tile.tile<[BLOCK_R, BLOCK_C], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_R, BLOCK_C], i64>, !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %a = tile.reduce argmax %3 axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, 1], i64>
    %7 = tile.in_domain : !tile.tile<[BLOCK_R, 1], i1>
    %8 = tile.length %best : !tile.buffer<i64>
    %9 = tile.broadcast %8 : i64 -> !tile.tile<[BLOCK_R, 1], i64>
    %10 = tile.compare lt %row, %9 : !tile.tile<[BLOCK_R, 1], i64> -> !tile.tile<[BLOCK_R, 1], i1>
    %11 = tile.and %7, %10 : !tile.tile<[BLOCK_R, 1], i1>
    tile.store %a, %best[%row] mask %11 guarded : !tile.tile<[BLOCK_R, 1], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_R, 1], i64>, !tile.tile<[BLOCK_R, 1], i1>
    %two = tile.constant 2.0 : f32
    %twob = tile.broadcast %two : f32 -> !tile.tile<[BLOCK_R, BLOCK_C], f32>
    %big = tile.compare gt %v, %twob : !tile.tile<[BLOCK_R, BLOCK_C], f32> -> !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %12 = tile.constant false : i1
    %13 = tile.broadcast %12 : i1 -> !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %14 = tile.select %0, %big, %13 : !tile.tile<[BLOCK_R, BLOCK_C], i1>, !tile.tile<[BLOCK_R, BLOCK_C], i1>
    %some = tile.reduce any %14 axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], i1> -> !tile.tile<[BLOCK_R, 1], i1>
    %15 = tile.length %any : !tile.buffer<i1>
    %16 = tile.broadcast %15 : i64 -> !tile.tile<[BLOCK_R, 1], i64>
    %17 = tile.compare lt %row, %16 : !tile.tile<[BLOCK_R, 1], i64> -> !tile.tile<[BLOCK_R, 1], i1>
    %18 = tile.and %7, %17 : !tile.tile<[BLOCK_R, 1], i1>
    tile.store %some, %any[%row] mask %18 guarded : !tile.tile<[BLOCK_R, 1], i1>, !tile.buffer<i1>, !tile.tile<[BLOCK_R, 1], i64>, !tile.tile<[BLOCK_R, 1], i1>
  }
}

// CHECK:      def row_softmax_kernel({{( +#.*)?$}}
// CHECK-NEXT:     x,{{( +#.*)?$}}
// CHECK-NEXT:     out,{{( +#.*)?$}}
// CHECK-NEXT:     best,{{( +#.*)?$}}
// CHECK-NEXT:     any_,{{( +#.*)?$}}
// CHECK-NEXT:     n_rows: tl.int64,{{( +#.*)?$}}
// CHECK-NEXT:     n_cols: tl.int64,{{( +#.*)?$}}
// CHECK-NEXT:     best_len: tl.int64,{{( +#.*)?$}}
// CHECK-NEXT:     any_len: tl.int64,{{( +#.*)?$}}
// CHECK-NEXT:     BLOCK_R: tl.constexpr,{{( +#.*)?$}}
// CHECK-NEXT:     BLOCK_C: tl.constexpr,{{( +#.*)?$}}
// CHECK-NEXT: ):{{( +#.*)?$}}
// CHECK-NEXT:     row = (tl.program_id(0).to(tl.int64) * BLOCK_R + tl.arange(0, BLOCK_R))[:, None]{{( +#.*)?$}}
// CHECK-NEXT:     col = tl.arange(0, BLOCK_C).to(tl.int64)[None, :]{{( +#.*)?$}}
// CHECK-NEXT:     offs = row * n_cols + col{{( +#.*)?$}}
// CHECK-NEXT:     row_mask = row < n_rows{{( +#.*)?$}}
// CHECK-NEXT:     col_mask = col < n_cols{{( +#.*)?$}}
// CHECK-NEXT:     mask = row_mask & col_mask{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0.0){{( +#.*)?$}}
// CHECK-NEXT:     value = tl.where(mask, v, float("-inf")){{( +#.*)?$}}
// CHECK-NEXT:     top = tl.reduce(value, 1, maximum_nan, keep_dims=True){{( +#.*)?$}}
// CHECK-NEXT:     d = v - top{{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.where(mask, d, tl.full((), 0.0, tl.float32) * -1.0){{( +#.*)?$}}
// CHECK-NEXT:     total = tl.sum(value_1, axis=1, keep_dims=True){{( +#.*)?$}}
// CHECK-NEXT:     q = tl.div_rn(d, total){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(out + offs, q, mask=mask){{( +#.*)?$}}
// CHECK-NEXT:     a = tl.reduce((value, tl.broadcast_to(col, [BLOCK_R, BLOCK_C])), 1, argmax, keep_dims=True)[1]{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(best + row, a, mask=row_mask & (row < best_len)){{( +#.*)?$}}
// CHECK-NEXT:     big = v > 2.0{{( +#.*)?$}}
// CHECK-NEXT:     value_2 = tl.where(mask, big, False).to(tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     some = tl.max(value_2, axis=1, keep_dims=True) != 0{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(any_ + row, some, mask=row_mask & (row < any_len)){{( +#.*)?$}}

// -----

// An atomic at one place takes place once.

tile.kernel @atomics linear(%x "x" : !tile.buffer<i32>, %count "count" : !tile.buffer<i32>, %top "top" : !tile.buffer<i64>) {
  tile.stage plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    %v = tile.load %x[%offs] mask %0 guarded : (!tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>) -> !tile.tile<[BLOCK_SIZE], i32>
    %wide = tile.cast %v : !tile.tile<[BLOCK_SIZE], i32> -> !tile.tile<[BLOCK_SIZE], i64>
    %one = tile.constant 1 : i32
    %ones = tile.broadcast %one : i32 -> !tile.tile<[BLOCK_SIZE], i32>
    %1 = tile.length %count : !tile.buffer<i32>
    %2 = tile.broadcast %1 : i64 -> !tile.tile<[BLOCK_SIZE], i64>
    %3 = tile.compare lt %wide, %2 : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], i1>
    %zero = tile.constant 0 : i64
    %zeros = tile.broadcast %zero : i64 -> !tile.tile<[BLOCK_SIZE], i64>
    %4 = tile.compare ge %wide, %zeros : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], i1>
    %5 = tile.and %0, %4 : !tile.tile<[BLOCK_SIZE], i1>
    %6 = tile.and %5, %3 : !tile.tile<[BLOCK_SIZE], i1>
    tile.atomic add %ones, %count[%wide] mask %6 guarded : !tile.tile<[BLOCK_SIZE], i32>, !tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
    %7 = tile.length %top : !tile.buffer<i64>
    %8 = tile.broadcast %7 : i64 -> !tile.tile<[BLOCK_SIZE], i64>
    %9 = tile.compare lt %wide, %8 : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], i1>
    %10 = tile.and %5, %9 : !tile.tile<[BLOCK_SIZE], i1>
    tile.atomic max %offs, %top[%wide] mask %10 guarded : !tile.tile<[BLOCK_SIZE], i64>, !tile.buffer<i64>, !tile.tile<[BLOCK_SIZE], i64>, !tile.tile<[BLOCK_SIZE], i1>
    %seven = tile.constant 7 : i64
    %11 = tile.compare lt %zero, %7 : i64 -> i1
    tile.atomic add %seven, %top[%zero] mask %11 guarded : i64, !tile.buffer<i64>, i64, i1
  }
}

// CHECK:      def atomics_kernel({{( +#.*)?$}}
// CHECK-NEXT:     x, count, top, n: tl.int64, count_len: tl.int64, top_len: tl.int64, BLOCK_SIZE: tl.constexpr{{( +#.*)?$}}
// CHECK-NEXT: ):{{( +#.*)?$}}
// CHECK-NEXT:     program = tl.program_id(0){{( +#.*)?$}}
// CHECK-NEXT:     offs = program.to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE){{( +#.*)?$}}
// CHECK-NEXT:     mask = offs < n{{( +#.*)?$}}
// CHECK-NEXT:     v = tl.load(x + offs, mask=mask, other=0){{( +#.*)?$}}
// CHECK-NEXT:     wide = v.to(tl.int64){{( +#.*)?$}}
// CHECK-NEXT:     test = mask & (wide >= 0){{( +#.*)?$}}
// CHECK-NEXT:     test_1 = test & (wide < count_len){{( +#.*)?$}}
// CHECK-NEXT:     tl.atomic_add(count + wide, 1, mask=test_1, sem="relaxed"){{( +#.*)?$}}
// CHECK-NEXT:     test_2 = test & (wide < top_len){{( +#.*)?$}}
// CHECK-NEXT:     tl.atomic_max(top + wide, offs, mask=test_2, sem="relaxed"){{( +#.*)?$}}
// CHECK-NEXT:     test_3 = (0 < top_len) & (program == 0){{( +#.*)?$}}
// CHECK-NEXT:     tl.atomic_add(top, 7, mask=test_3, sem="relaxed"){{( +#.*)?$}}
