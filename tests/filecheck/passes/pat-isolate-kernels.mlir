// RUN: patlang-opt %s --pass-pipeline=pat-isolate-kernels | filecheck %s
// RUN: patlang-opt %s --pass-pipeline="pat-isolate-kernels{kernel=b}" | filecheck %s --check-prefix=ONE
// RUN: not patlang-opt %s --pass-pipeline="pat-isolate-kernels{kernel=host}" 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not patlang-opt %s --pass-pipeline="pat-isolate-kernels{kernel=b},pat-isolate-kernels{kernel=a}" 2>&1 | filecheck %s --check-prefix=GONE

// CHECK:      builtin.module {
// CHECK-NEXT:   pat.func @a("x") kernel linear {
// CHECK-NEXT:   }
// CHECK-NEXT:   pat.func @b("y") kernel grid options {math = "fast"} {
// CHECK-NEXT:   }
// CHECK-NEXT: }

// ONE:      builtin.module {
// ONE-NEXT:   pat.func @b("y") kernel grid options {math = "fast"} {
// ONE-NEXT:   }
// ONE-NEXT: }

// UNKNOWN: error[P210]: there is no kernel 'host'
// UNKNOWN: help: the kernels are: a, b{{$}}

// GONE: error[P210]: there is no kernel 'a'
// GONE: help: the kernels are: b{{$}}

pat.program {
  %0 = pat.constant 3
  pat.let "x", %0
}
pat.func @host("z") {
}
pat.func @a("x") kernel linear {
}
pat.func @b("y") kernel grid options {math = "fast"} {
}
