// RUN: patlang-opt %s | filecheck %s
// RUN: patlang-opt %s | patlang-opt - | filecheck %s
// RUN: patlang-opt %s --hide-locations | filecheck %s --check-prefix=HIDDEN
// RUN: patlang-opt %s --print-debuginfo | filecheck %s --check-prefix=ALL

// A place that the text states is kept; the own place of an operation is not written.

pat.program {
  %0 = pat.constant 1 loc("k.patlang":3:9)
  %1 = pat.constant 2
  pat.let "x", %0 loc(callsite("k.patlang":3:1 at "k.patlang":9:5))
  %2 = pat.constant 3 loc(unknown)
}

// CHECK:      pat.program {{[{]$}}
// CHECK-NEXT:   %0 = pat.constant 1 loc("k.patlang":3:9){{$}}
// CHECK-NEXT:   %1 = pat.constant 2{{$}}
// CHECK-NEXT:   pat.let "x", %0 loc(callsite("k.patlang":3:1 at "k.patlang":9:5)){{$}}
// CHECK-NEXT:   %2 = pat.constant 3 loc(unknown){{$}}
// CHECK-NEXT: }{{$}}

// HIDDEN:     %0 = pat.constant 1{{$}}
// HIDDEN:     pat.let "x", %0{{$}}
// HIDDEN-NOT: loc(

// ALL:        %0 = pat.constant 1 loc("k.patlang":3:9){{$}}
// ALL-NEXT:   %1 = pat.constant 2 loc("{{.*}}locations.mlir":10:3){{$}}
// ALL:      } loc("{{.*}}locations.mlir":8:1){{$}}
