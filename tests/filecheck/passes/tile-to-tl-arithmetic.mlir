// RUN: patlang-opt %s --split-input-file -p tile-to-tl,tl-name-values -t triton | filecheck %s

// Strict maths in f32: correctly rounded units, NaN kept, the device library for the rest.

tile.kernel @strict linear(%o "o" : !tile.buffer<f32>, %a "a" : f32, %b "b" : f32) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.add %a, %b : f32
    tile.store %r0, %o[%i0] guarded : f32, !tile.buffer<f32>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.div %a, %b : f32
    tile.store %r1, %o[%i1] guarded : f32, !tile.buffer<f32>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.rem %a, %b : f32
    tile.store %r2, %o[%i2] guarded : f32, !tile.buffer<f32>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.max %a, %b : f32
    tile.store %r3, %o[%i3] guarded : f32, !tile.buffer<f32>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.min %a, %b : f32
    tile.store %r4, %o[%i4] guarded : f32, !tile.buffer<f32>, i64
    %i5 = tile.constant 5 : i64
    %r5 = tile.pow %a, %b : f32
    tile.store %r5, %o[%i5] guarded : f32, !tile.buffer<f32>, i64
    %i6 = tile.constant 6 : i64
    %r6 = tile.neg %a : f32
    tile.store %r6, %o[%i6] guarded : f32, !tile.buffer<f32>, i64
    %i7 = tile.constant 7 : i64
    %r7 = tile.abs %a : f32
    tile.store %r7, %o[%i7] guarded : f32, !tile.buffer<f32>, i64
    %i8 = tile.constant 8 : i64
    %r8 = tile.sqrt %a : f32
    tile.store %r8, %o[%i8] guarded : f32, !tile.buffer<f32>, i64
    %i9 = tile.constant 9 : i64
    %r9 = tile.floor %a : f32
    tile.store %r9, %o[%i9] guarded : f32, !tile.buffer<f32>, i64
    %i10 = tile.constant 10 : i64
    %r10 = tile.ceil %a : f32
    tile.store %r10, %o[%i10] guarded : f32, !tile.buffer<f32>, i64
    %i11 = tile.constant 11 : i64
    %r11 = tile.trunc %a : f32
    tile.store %r11, %o[%i11] guarded : f32, !tile.buffer<f32>, i64
    %i12 = tile.constant 12 : i64
    %r12 = tile.round %a : f32
    tile.store %r12, %o[%i12] guarded : f32, !tile.buffer<f32>, i64
    %i13 = tile.constant 13 : i64
    %r13 = tile.exp %a : f32
    tile.store %r13, %o[%i13] guarded : f32, !tile.buffer<f32>, i64
    %i14 = tile.constant 14 : i64
    %r14 = tile.log %a : f32
    tile.store %r14, %o[%i14] guarded : f32, !tile.buffer<f32>, i64
    %i15 = tile.constant 15 : i64
    %r15 = tile.sin %a : f32
    tile.store %r15, %o[%i15] guarded : f32, !tile.buffer<f32>, i64
    %i16 = tile.constant 16 : i64
    %r16 = tile.tanh %a : f32
    tile.store %r16, %o[%i16] guarded : f32, !tile.buffer<f32>, i64
    %i17 = tile.constant 17 : i64
    %r17 = tile.erf %a : f32
    tile.store %r17, %o[%i17] guarded : f32, !tile.buffer<f32>, i64
    %i18 = tile.constant 18 : i64
    %r18 = tile.fma %a, %b, %a : f32
    tile.store %r18, %o[%i18] guarded : f32, !tile.buffer<f32>, i64
  }
}

// CHECK:      def strict_kernel(o, a: tl.float32, b: tl.float32):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     b_1 = tl.full((), b, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     r0 = a_1 + b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     r1 = tl.div_rn(a_1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     value = tl.full((), a, tl.float64){{( +#.*)?$}}
// CHECK-NEXT:     r2 = libdevice.fmod(value, tl.full((), b, tl.float64)).to(tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.maximum(a_1, b_1, propagate_nan=tl.PropagateNan.ALL){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = tl.minimum(a_1, b_1, propagate_nan=tl.PropagateNan.ALL){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}
// CHECK-NEXT:     r5 = libdevice.pow(a_1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 5, r5){{( +#.*)?$}}
// CHECK-NEXT:     r6 = a_1 * -1.0{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 6, r6){{( +#.*)?$}}
// CHECK-NEXT:     r7 = tl.abs(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 7, r7){{( +#.*)?$}}
// CHECK-NEXT:     r8 = tl.sqrt_rn(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 8, r8){{( +#.*)?$}}
// CHECK-NEXT:     r11 = libdevice.trunc(a_1){{( +#.*)?$}}
// CHECK-NEXT:     r9 = tl.where(a_1 < r11, r11 - 1.0, r11){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 9, r9){{( +#.*)?$}}
// CHECK-NEXT:     r10 = tl.where(a_1 > r11, r11 + 1.0, r11){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 10, r10){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 11, r11){{( +#.*)?$}}
// CHECK-NEXT:     r12 = libdevice.round(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 12, r12){{( +#.*)?$}}
// CHECK-NEXT:     r13 = libdevice.exp(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 13, r13){{( +#.*)?$}}
// CHECK-NEXT:     r14 = libdevice.log(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 14, r14){{( +#.*)?$}}
// CHECK-NEXT:     r15 = libdevice.sin(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 15, r15){{( +#.*)?$}}
// CHECK-NEXT:     r16 = libdevice.tanh(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 16, r16){{( +#.*)?$}}
// CHECK-NEXT:     r17 = erf(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 17, r17){{( +#.*)?$}}
// CHECK-NEXT:     r18 = tl.fma(a_1, b_1, a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 18, r18){{( +#.*)?$}}

// -----

// The same with the approximate units.

tile.kernel @fast linear(%o "o" : !tile.buffer<f32>, %a "a" : f32, %b "b" : f32) options {math = "fast"} {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.add %a, %b : f32
    tile.store %r0, %o[%i0] guarded : f32, !tile.buffer<f32>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.div %a, %b : f32
    tile.store %r1, %o[%i1] guarded : f32, !tile.buffer<f32>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.rem %a, %b : f32
    tile.store %r2, %o[%i2] guarded : f32, !tile.buffer<f32>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.max %a, %b : f32
    tile.store %r3, %o[%i3] guarded : f32, !tile.buffer<f32>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.min %a, %b : f32
    tile.store %r4, %o[%i4] guarded : f32, !tile.buffer<f32>, i64
    %i5 = tile.constant 5 : i64
    %r5 = tile.pow %a, %b : f32
    tile.store %r5, %o[%i5] guarded : f32, !tile.buffer<f32>, i64
    %i6 = tile.constant 6 : i64
    %r6 = tile.neg %a : f32
    tile.store %r6, %o[%i6] guarded : f32, !tile.buffer<f32>, i64
    %i7 = tile.constant 7 : i64
    %r7 = tile.abs %a : f32
    tile.store %r7, %o[%i7] guarded : f32, !tile.buffer<f32>, i64
    %i8 = tile.constant 8 : i64
    %r8 = tile.sqrt %a : f32
    tile.store %r8, %o[%i8] guarded : f32, !tile.buffer<f32>, i64
    %i9 = tile.constant 9 : i64
    %r9 = tile.floor %a : f32
    tile.store %r9, %o[%i9] guarded : f32, !tile.buffer<f32>, i64
    %i10 = tile.constant 10 : i64
    %r10 = tile.ceil %a : f32
    tile.store %r10, %o[%i10] guarded : f32, !tile.buffer<f32>, i64
    %i11 = tile.constant 11 : i64
    %r11 = tile.trunc %a : f32
    tile.store %r11, %o[%i11] guarded : f32, !tile.buffer<f32>, i64
    %i12 = tile.constant 12 : i64
    %r12 = tile.round %a : f32
    tile.store %r12, %o[%i12] guarded : f32, !tile.buffer<f32>, i64
    %i13 = tile.constant 13 : i64
    %r13 = tile.exp %a : f32
    tile.store %r13, %o[%i13] guarded : f32, !tile.buffer<f32>, i64
    %i14 = tile.constant 14 : i64
    %r14 = tile.log %a : f32
    tile.store %r14, %o[%i14] guarded : f32, !tile.buffer<f32>, i64
    %i15 = tile.constant 15 : i64
    %r15 = tile.sin %a : f32
    tile.store %r15, %o[%i15] guarded : f32, !tile.buffer<f32>, i64
    %i16 = tile.constant 16 : i64
    %r16 = tile.tanh %a : f32
    tile.store %r16, %o[%i16] guarded : f32, !tile.buffer<f32>, i64
    %i17 = tile.constant 17 : i64
    %r17 = tile.erf %a : f32
    tile.store %r17, %o[%i17] guarded : f32, !tile.buffer<f32>, i64
    %i18 = tile.constant 18 : i64
    %r18 = tile.fma %a, %b, %a : f32
    tile.store %r18, %o[%i18] guarded : f32, !tile.buffer<f32>, i64
  }
}

// CHECK:      def fast_kernel(o, a: tl.float32, b: tl.float32):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     b_1 = tl.full((), b, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     r0 = a_1 + b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     r1 = a_1 / b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = libdevice.fmod(a_1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.maximum(a_1, b_1, propagate_nan=tl.PropagateNan.ALL){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = tl.minimum(a_1, b_1, propagate_nan=tl.PropagateNan.ALL){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}
// CHECK-NEXT:     r5 = libdevice.pow(a_1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 5, r5){{( +#.*)?$}}
// CHECK-NEXT:     r6 = a_1 * -1.0{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 6, r6){{( +#.*)?$}}
// CHECK-NEXT:     r7 = tl.abs(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 7, r7){{( +#.*)?$}}
// CHECK-NEXT:     r8 = tl.sqrt(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 8, r8){{( +#.*)?$}}
// CHECK-NEXT:     r9 = tl.floor(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 9, r9){{( +#.*)?$}}
// CHECK-NEXT:     r10 = tl.ceil(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 10, r10){{( +#.*)?$}}
// CHECK-NEXT:     r11 = libdevice.trunc(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 11, r11){{( +#.*)?$}}
// CHECK-NEXT:     r12 = libdevice.round(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 12, r12){{( +#.*)?$}}
// CHECK-NEXT:     r13 = tl.exp(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 13, r13){{( +#.*)?$}}
// CHECK-NEXT:     r14 = tl.log(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 14, r14){{( +#.*)?$}}
// CHECK-NEXT:     r15 = tl.sin(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 15, r15){{( +#.*)?$}}
// CHECK-NEXT:     r16 = libdevice.tanh(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 16, r16){{( +#.*)?$}}
// CHECK-NEXT:     r17 = erf(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 17, r17){{( +#.*)?$}}
// CHECK-NEXT:     r18 = tl.fma(a_1, b_1, a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 18, r18){{( +#.*)?$}}

// -----

// In f64 the plain division and root are exact.

tile.kernel @wide linear(%o "o" : !tile.buffer<f64>, %a "a" : f64, %b "b" : f64) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.div %a, %b : f64
    tile.store %r0, %o[%i0] guarded : f64, !tile.buffer<f64>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.rem %a, %b : f64
    tile.store %r1, %o[%i1] guarded : f64, !tile.buffer<f64>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.max %a, %b : f64
    tile.store %r2, %o[%i2] guarded : f64, !tile.buffer<f64>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.sqrt %a : f64
    tile.store %r3, %o[%i3] guarded : f64, !tile.buffer<f64>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.floor %a : f64
    tile.store %r4, %o[%i4] guarded : f64, !tile.buffer<f64>, i64
    %i5 = tile.constant 5 : i64
    %r5 = tile.exp %a : f64
    tile.store %r5, %o[%i5] guarded : f64, !tile.buffer<f64>, i64
  }
}

// CHECK:      def wide_kernel(o, a: tl.float64, b: tl.float64):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.float64){{( +#.*)?$}}
// CHECK-NEXT:     b_1 = tl.full((), b, tl.float64){{( +#.*)?$}}
// CHECK-NEXT:     r0 = a_1 / b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     r1 = libdevice.fmod(a_1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = tl.maximum(a_1, b_1, propagate_nan=tl.PropagateNan.ALL){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.sqrt(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = libdevice.floor(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}
// CHECK-NEXT:     r5 = libdevice.exp(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 5, r5){{( +#.*)?$}}

// -----

// Halves are computed in f32 and rounded once.

tile.kernel @half linear(%o "o" : !tile.buffer<f16>, %a "a" : f16, %b "b" : f16) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.add %a, %b : f16
    tile.store %r0, %o[%i0] guarded : f16, !tile.buffer<f16>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.div %a, %b : f16
    tile.store %r1, %o[%i1] guarded : f16, !tile.buffer<f16>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.exp %a : f16
    tile.store %r2, %o[%i2] guarded : f16, !tile.buffer<f16>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.neg %a : f16
    tile.store %r3, %o[%i3] guarded : f16, !tile.buffer<f16>, i64
  }
}

// CHECK:      def half_kernel(o, a: tl.float16, b: tl.float16):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.float16){{( +#.*)?$}}
// CHECK-NEXT:     value = tl.full((), a, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.full((), b, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     r0 = (value + value_1).to(tl.float16){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     r1 = tl.div_rn(value, value_1).to(tl.float16){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = libdevice.exp(value).to(tl.float16){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = a_1 * -1.0{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}

// -----

// So is bf16.

tile.kernel @brain linear(%o "o" : !tile.buffer<bf16>, %a "a" : bf16, %b "b" : bf16) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.mul %a, %b : bf16
    tile.store %r0, %o[%i0] guarded : bf16, !tile.buffer<bf16>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.rem %a, %b : bf16
    tile.store %r1, %o[%i1] guarded : bf16, !tile.buffer<bf16>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.floor %a : bf16
    tile.store %r2, %o[%i2] guarded : bf16, !tile.buffer<bf16>, i64
  }
}

// CHECK:      def brain_kernel(o, a: tl.bfloat16, b: tl.bfloat16):{{( +#.*)?$}}
// CHECK-NEXT:     value = tl.full((), a, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     r0 = (value * tl.full((), b, tl.float32)).to(tl.bfloat16){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.full((), a, tl.float64){{( +#.*)?$}}
// CHECK-NEXT:     r1 = libdevice.fmod(value_1, tl.full((), b, tl.float64)).to(tl.bfloat16){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     value_2 = libdevice.trunc(value){{( +#.*)?$}}
// CHECK-NEXT:     r2 = tl.where(value < value_2, value_2 - 1.0, value_2).to(tl.bfloat16){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}

// -----

// Integers: no case is left to the hardware.

tile.kernel @integers linear(%o "o" : !tile.buffer<i32>, %a "a" : i32, %b "b" : i32) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.add %a, %b : i32
    tile.store %r0, %o[%i0] guarded : i32, !tile.buffer<i32>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.quotient %a, %b : i32
    tile.store %r1, %o[%i1] guarded : i32, !tile.buffer<i32>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.rem %a, %b : i32
    tile.store %r2, %o[%i2] guarded : i32, !tile.buffer<i32>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.max %a, %b : i32
    tile.store %r3, %o[%i3] guarded : i32, !tile.buffer<i32>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.band %a, %b : i32
    tile.store %r4, %o[%i4] guarded : i32, !tile.buffer<i32>, i64
    %i5 = tile.constant 5 : i64
    %r5 = tile.bor %a, %b : i32
    tile.store %r5, %o[%i5] guarded : i32, !tile.buffer<i32>, i64
    %i6 = tile.constant 6 : i64
    %r6 = tile.bxor %a, %b : i32
    tile.store %r6, %o[%i6] guarded : i32, !tile.buffer<i32>, i64
    %i7 = tile.constant 7 : i64
    %r7 = tile.shl %a, %b : i32
    tile.store %r7, %o[%i7] guarded : i32, !tile.buffer<i32>, i64
    %i8 = tile.constant 8 : i64
    %r8 = tile.shr %a, %b : i32
    tile.store %r8, %o[%i8] guarded : i32, !tile.buffer<i32>, i64
    %i9 = tile.constant 9 : i64
    %r9 = tile.neg %a : i32
    tile.store %r9, %o[%i9] guarded : i32, !tile.buffer<i32>, i64
    %i10 = tile.constant 10 : i64
    %r10 = tile.abs %a : i32
    tile.store %r10, %o[%i10] guarded : i32, !tile.buffer<i32>, i64
    %i11 = tile.constant 11 : i64
    %r11 = tile.bnot %a : i32
    tile.store %r11, %o[%i11] guarded : i32, !tile.buffer<i32>, i64
  }
}

// CHECK:      def integers_kernel(o, a: tl.int32, b: tl.int32):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     b_1 = tl.full((), b, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     r0 = a_1 + b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     test = b_1 == 0{{( +#.*)?$}}
// CHECK-NEXT:     test_1 = b_1 == -1{{( +#.*)?$}}
// CHECK-NEXT:     value = tl.where(test | test_1, 1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     r9 = -a_1{{( +#.*)?$}}
// CHECK-NEXT:     r1 = tl.where(test, 0, tl.where(test_1, r9, a_1 // value)){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = a_1 % value{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.maximum(a_1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = a_1 & b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}
// CHECK-NEXT:     r5 = a_1 | b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 5, r5){{( +#.*)?$}}
// CHECK-NEXT:     r6 = a_1 ^ b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 6, r6){{( +#.*)?$}}
// CHECK-NEXT:     test_2 = (b_1 < 0) | (b_1 >= 32){{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.where(test_2, 31, b_1){{( +#.*)?$}}
// CHECK-NEXT:     r7 = tl.where(test_2, 0, a_1 << value_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 7, r7){{( +#.*)?$}}
// CHECK-NEXT:     r8 = a_1 >> value_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 8, r8){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 9, r9){{( +#.*)?$}}
// CHECK-NEXT:     r10 = tl.abs(a_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 10, r10){{( +#.*)?$}}
// CHECK-NEXT:     r11 = ~a_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 11, r11){{( +#.*)?$}}

// -----

// Unsigned integers have no -1 and no sign.

tile.kernel @unsigned linear(%o "o" : !tile.buffer<ui8>, %a "a" : ui8, %b "b" : ui8) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.quotient %a, %b : ui8
    tile.store %r0, %o[%i0] guarded : ui8, !tile.buffer<ui8>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.rem %a, %b : ui8
    tile.store %r1, %o[%i1] guarded : ui8, !tile.buffer<ui8>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.shl %a, %b : ui8
    tile.store %r2, %o[%i2] guarded : ui8, !tile.buffer<ui8>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.shr %a, %b : ui8
    tile.store %r3, %o[%i3] guarded : ui8, !tile.buffer<ui8>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.min %a, %b : ui8
    tile.store %r4, %o[%i4] guarded : ui8, !tile.buffer<ui8>, i64
  }
}

// CHECK:      def unsigned_kernel(o, a: tl.uint8, b: tl.uint8):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.uint8){{( +#.*)?$}}
// CHECK-NEXT:     b_1 = tl.full((), b, tl.uint8){{( +#.*)?$}}
// CHECK-NEXT:     test = b_1 == 0{{( +#.*)?$}}
// CHECK-NEXT:     value = tl.where(test, 1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     r0 = tl.where(test, 0, a_1 // value){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     r1 = a_1 % value{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     test_1 = b_1 >= 8{{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.where(test_1, 7, b_1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = tl.where(test_1, 0, a_1 << value_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.where(test_1, 0, a_1 >> value_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = tl.minimum(a_1, b_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}

// -----

// A known divisor or count needs less.

tile.kernel @known linear(%o "o" : !tile.buffer<i32>, %a "a" : i32, %b "b" : i32) {
  tile.stage plan {num_warps = 4 : i64} {
    %two = tile.constant 2 : i32
    %minus = tile.constant -1 : i32
    %i0 = tile.constant 0 : i64
    %r0 = tile.quotient %a, %two : i32
    tile.store %r0, %o[%i0] guarded : i32, !tile.buffer<i32>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.quotient %a, %minus : i32
    tile.store %r1, %o[%i1] guarded : i32, !tile.buffer<i32>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.rem %a, %two : i32
    tile.store %r2, %o[%i2] guarded : i32, !tile.buffer<i32>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.shl %a, %two : i32
    tile.store %r3, %o[%i3] guarded : i32, !tile.buffer<i32>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.shr %a, %minus : i32
    tile.store %r4, %o[%i4] guarded : i32, !tile.buffer<i32>, i64
  }
}

// CHECK:      def known_kernel(o, a: tl.int32):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     r0 = a_1 // 2{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     value = tl.full((), -1, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     test = value == 0{{( +#.*)?$}}
// CHECK-NEXT:     test_1 = value == -1{{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.where(test_1, -a_1, a_1 // tl.where(test | test_1, 1, -1)){{( +#.*)?$}}
// CHECK-NEXT:     r1 = tl.where(test, 0, value_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = a_1 % 2{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = a_1 << 2{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = a_1 >> tl.full((), 31, tl.int32){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}

// -----

// Truth values.

tile.kernel @truth linear(%o "o" : !tile.buffer<i1>, %a "a" : i1, %b "b" : i1, %x "x" : f32, %k "k" : i64) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.and %a, %b : i1
    tile.store %r0, %o[%i0] guarded : i1, !tile.buffer<i1>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.or %a, %b : i1
    tile.store %r1, %o[%i1] guarded : i1, !tile.buffer<i1>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.not %a : i1
    tile.store %r2, %o[%i2] guarded : i1, !tile.buffer<i1>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.compare lt %a, %b : i1 -> i1
    tile.store %r3, %o[%i3] guarded : i1, !tile.buffer<i1>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.truth %x : f32 -> i1
    tile.store %r4, %o[%i4] guarded : i1, !tile.buffer<i1>, i64
    %i5 = tile.constant 5 : i64
    %r5 = tile.truth %k : i64 -> i1
    tile.store %r5, %o[%i5] guarded : i1, !tile.buffer<i1>, i64
    %i6 = tile.constant 6 : i64
    %r6 = tile.truth %a : i1 -> i1
    tile.store %r6, %o[%i6] guarded : i1, !tile.buffer<i1>, i64
    %i7 = tile.constant 7 : i64
    %r7 = tile.compare ne %x, %x : f32 -> i1
    tile.store %r7, %o[%i7] guarded : i1, !tile.buffer<i1>, i64
  }
}

// CHECK:      def truth_kernel(o, a: tl.int1, b: tl.int1, x: tl.float32, k: tl.int64):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.int1){{( +#.*)?$}}
// CHECK-NEXT:     b_1 = tl.full((), b, tl.int1){{( +#.*)?$}}
// CHECK-NEXT:     x_1 = tl.full((), x, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     k_1 = tl.full((), k, tl.int64){{( +#.*)?$}}
// CHECK-NEXT:     r0 = a_1 & b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     r1 = a_1 | b_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = a_1 ^ True{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.full((), a, tl.int8) < tl.full((), b, tl.int8){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = x_1 != 0.0{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}
// CHECK-NEXT:     r5 = k_1 != 0{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 5, r5){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 6, a_1){{( +#.*)?$}}
// CHECK-NEXT:     r7 = x_1 != x_1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 7, r7){{( +#.*)?$}}

// -----

// Float to integer saturates, and NaN gives 0.

tile.kernel @casts linear(%o "o" : !tile.buffer<i8>, %w "w" : !tile.buffer<f64>, %x "x" : f32, %h "h" : f16, %k "k" : i64, %t "t" : i1) {
  tile.stage plan {num_warps = 4 : i64} {
    %i0 = tile.constant 0 : i64
    %r0 = tile.cast %x : f32 -> i8
    tile.store %r0, %o[%i0] guarded : i8, !tile.buffer<i8>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.cast %h : f16 -> i8
    tile.store %r1, %o[%i1] guarded : i8, !tile.buffer<i8>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.cast %k : i64 -> i8
    tile.store %r2, %o[%i2] guarded : i8, !tile.buffer<i8>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.cast %t : i1 -> i8
    tile.store %r3, %o[%i3] guarded : i8, !tile.buffer<i8>, i64
    %big = tile.constant 1.0e30 : f32
    %n = tile.cast %big : f32 -> i8
    tile.store %n, %o[%i0] guarded : i8, !tile.buffer<i8>, i64
  }
}

// CHECK:      def casts_kernel(o, x: tl.float32, h: tl.float16, k: tl.int64, t: tl.int1):{{( +#.*)?$}}
// CHECK-NEXT:     x_1 = tl.full((), x, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     value = tl.where(x_1 == x_1, tl.full((), x, tl.int8), 0){{( +#.*)?$}}
// CHECK-NEXT:     value_1 = tl.where(x_1 <= -128.0, -128, value){{( +#.*)?$}}
// CHECK-NEXT:     r0 = tl.where(x_1 >= 128.0, 127, value_1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     value_2 = tl.full((), h, tl.float32){{( +#.*)?$}}
// CHECK-NEXT:     value_3 = tl.where(value_2 == value_2, value_2.to(tl.int8), 0){{( +#.*)?$}}
// CHECK-NEXT:     value_4 = tl.where(value_2 <= -128.0, -128, value_3){{( +#.*)?$}}
// CHECK-NEXT:     r1 = tl.where(value_2 >= 128.0, 127, value_4){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = tl.full((), k, tl.int8){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.full((), t, tl.int8){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, 127){{( +#.*)?$}}

// -----

// A literal stands bare where Triton gives it the right type and value.

tile.kernel @literals linear(%o "o" : !tile.buffer<f64>, %a "a" : f64, %b "b" : f64) {
  tile.stage plan {num_warps = 4 : i64} {
    %tenth = tile.constant 0.1 : f64
    %zero = tile.constant -0.0 : f64
    %inf = tile.constant neg_inf : f64
    %one = tile.constant 1.0 : f64
    %big = tile.constant 5000000000 : i64
    %c = tile.compare lt %a, %tenth : f64 -> i1
    %i0 = tile.constant 0 : i64
    %r0 = tile.mul %a, %tenth : f64
    tile.store %r0, %o[%i0] guarded : f64, !tile.buffer<f64>, i64
    %i1 = tile.constant 1 : i64
    %r1 = tile.mul %a, %zero : f64
    tile.store %r1, %o[%i1] guarded : f64, !tile.buffer<f64>, i64
    %i2 = tile.constant 2 : i64
    %r2 = tile.select %c, %a, %tenth : i1, f64
    tile.store %r2, %o[%i2] guarded : f64, !tile.buffer<f64>, i64
    %i3 = tile.constant 3 : i64
    %r3 = tile.select %c, %one, %tenth : i1, f64
    tile.store %r3, %o[%i3] guarded : f64, !tile.buffer<f64>, i64
    %i4 = tile.constant 4 : i64
    %r4 = tile.max %a, %tenth : f64
    tile.store %r4, %o[%i4] guarded : f64, !tile.buffer<f64>, i64
    %i5 = tile.constant 5 : i64
    %r5 = tile.max %a, %one : f64
    tile.store %r5, %o[%i5] guarded : f64, !tile.buffer<f64>, i64
    %i6 = tile.constant 6 : i64
    %r6 = tile.fma %a, %tenth, %one : f64
    tile.store %r6, %o[%i6] guarded : f64, !tile.buffer<f64>, i64
    %i7 = tile.constant 7 : i64
    %r7 = tile.sqrt %tenth : f64
    tile.store %r7, %o[%i7] guarded : f64, !tile.buffer<f64>, i64
    %i8 = tile.constant 8 : i64
    %r8 = tile.cast %big : i64 -> f64
    tile.store %r8, %o[%i8] guarded : f64, !tile.buffer<f64>, i64
    tile.store %tenth, %o[%i0] guarded : f64, !tile.buffer<f64>, i64
    tile.store %one, %o[%i0] guarded : f64, !tile.buffer<f64>, i64
  }
}

// CHECK:      def literals_kernel(o, a: tl.float64):{{( +#.*)?$}}
// CHECK-NEXT:     a_1 = tl.full((), a, tl.float64){{( +#.*)?$}}
// CHECK-NEXT:     zero = tl.full((), 0.0, tl.float64) * -1.0{{( +#.*)?$}}
// CHECK-NEXT:     value = tl.full((), 0.1, tl.float64){{( +#.*)?$}}
// CHECK-NEXT:     c = a_1 < value{{( +#.*)?$}}
// CHECK-NEXT:     r0 = a_1 * 0.1{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, r0){{( +#.*)?$}}
// CHECK-NEXT:     r1 = a_1 * zero{{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 1, r1){{( +#.*)?$}}
// CHECK-NEXT:     r2 = tl.where(c, a_1, 0.1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 2, r2){{( +#.*)?$}}
// CHECK-NEXT:     r3 = tl.where(c, tl.full((), 1.0, tl.float64), 0.1){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 3, r3){{( +#.*)?$}}
// CHECK-NEXT:     r4 = tl.maximum(a_1, value, propagate_nan=tl.PropagateNan.ALL){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 4, r4){{( +#.*)?$}}
// CHECK-NEXT:     r5 = tl.maximum(a_1, 1.0, propagate_nan=tl.PropagateNan.ALL){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 5, r5){{( +#.*)?$}}
// CHECK-NEXT:     r6 = tl.fma(a_1, value, 1.0){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 6, r6){{( +#.*)?$}}
// CHECK-NEXT:     r7 = tl.sqrt(value){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 7, r7){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o + 8, 5000000000.0){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, value){{( +#.*)?$}}
// CHECK-NEXT:     tl.store(o, 1.0){{( +#.*)?$}}
