// RUN: patlang-opt %s --split-input-file --pass-pipeline=pat-resolve-names | filecheck %s --strict-whitespace
// RUN: patlang-opt %s --split-input-file --pass-pipeline=pat-resolve-names,pat-resolve-names | filecheck %s

// Variables of the top level; a function of the program comes before a host function.

// CHECK-LABEL: pat.program {
// CHECK-NEXT:    %0 = pat.constant 3{{$}}
// CHECK-NEXT:    pat.let "x", %0{{$}}
// CHECK-NEXT:    %1 = pat.get "x"{{$}}
// CHECK-NEXT:    %2 = pat.host "print"(%1){{$}}
// CHECK-NEXT:    %3 = pat.call "abs"(%1){{$}}
// CHECK-NEXT:    %4 = pat.get "x"{{$}}
// CHECK-NEXT:    %5 = pat.call_value %4(%1){{$}}
// CHECK-NEXT:  }
pat.program {
  %0 = pat.constant 3
  pat.let "x", %0
  %1 = pat.name "x"
  %2 = pat.apply "print"(%1)
  %3 = pat.apply "abs"(%1)
  %4 = pat.apply "x"(%1)
}
// CHECK-NEXT:  pat.func @abs("a") returns "r" {
// CHECK-NEXT:    %{{.*}} = pat.get "a"{{$}}
// CHECK-NEXT:    pat.let "r", %{{.*}}
pat.func @abs("a") returns "r" {
  %0 = pat.name "a"
  pat.let "r", %0
}

// -----

// A variable that a later round of the loop reads is bound; so is one that is set in a branch.

// CHECK-LABEL: pat.func @f("go") {
// CHECK:         pat.get "go"{{$}}
// CHECK:         pat.get "late"{{$}}
// CHECK:         pat.get "late"{{$}}
pat.func @f("go") {
  pat.while {
    %0 = pat.name "go"
    pat.yield %0
  } do {
    %1 = pat.name "late"
    pat.if {
      pat.yield %1
    } then {
      pat.let "late", %1
    }
  }
  %2 = pat.name "late"
  pat.return %2
}

// -----

// Inside a kernel: buffers, scalars, variables, implicit names, constants, intrinsics.

pat.program {
  %0 = pat.constant 2
  %1 = pat.unary neg %0
  pat.let "STEP", %1
  %2 = pat.constant true
  pat.let "n_rows", %2
}
// CHECK-LABEL: pat.func @k("x", "gain", "out") kernel linear {
// CHECK-NEXT:    %[[OFFS:.*]] = pat.implicit "offs"{{$}}
// CHECK-NEXT:    %[[X:.*]] = pat.load "x"[%[[OFFS]]]{{$}}
// CHECK-NEXT:    %[[GAIN:.*]] = pat.get "gain"{{$}}
// CHECK-NEXT:    %[[Y:.*]] = pat.binary mul %[[X]], %[[GAIN]]{{$}}
// CHECK-NEXT:    pat.let "y", %[[Y]]{{$}}
// CHECK-NEXT:    %[[GET:.*]] = pat.get "y"{{$}}
// CHECK-NEXT:    %[[STEP:.*]] = pat.constant -2{{$}}
// CHECK-NEXT:    %[[ROWS:.*]] = pat.constant true{{$}}
// CHECK-NEXT:    %[[SUM:.*]] = pat.intrinsic "select"(%[[ROWS]], %[[GET]], %[[STEP]]){{$}}
// CHECK-NEXT:    pat.store %[[SUM]], "out"[%[[OFFS]]]{{$}}
// CHECK-NEXT:    pat.atomic max %[[SUM]], "x"[%[[STEP]]]{{$}}
// CHECK-NEXT:    %[[LANES:.*]] = pat.implicit "offs"{{$}}
// CHECK-NEXT:    pat.atomic add %[[SUM]], "x"[%[[LANES]]]{{$}}
// CHECK-NEXT:  }
pat.func @k("x", "gain", "out") kernel linear {
  %0 = pat.name "x"
  %1 = pat.name "offs"
  %2 = pat.index %0[%1]
  %3 = pat.name "gain"
  %4 = pat.binary mul %2, %3
  pat.let "y", %4
  %5 = pat.name "y"
  %6 = pat.name "STEP"
  %7 = pat.name "n_rows"
  %8 = pat.apply "select"(%7, %5, %6)
  %9 = pat.name "out"
  %10 = pat.apply "store"(%9, %1, %8)
  %11 = pat.name "x"
  %12 = pat.apply "atomic_max"(%11, %6, %8)
  %13 = pat.apply "atomic_add"(%11, %8)
}
// A launch names the variables that get new lists.
// CHECK-LABEL: pat.func @host("a") {
// CHECK:         %[[A:.*]] = pat.get "a"{{$}}
// CHECK:         pat.launch "k"(%[[A]], %{{.*}}, %[[B:.*]]) writes ["a", "", "b"]{{$}}
pat.func @host("a") {
  %0 = pat.name "a"
  pat.let "b", %0
  %1 = pat.constant 2.0
  %2 = pat.name "b"
  %3 = pat.apply "k"(%0, %1, %2)
}

// -----

// The names of a 2-D kernel, which a 1-D kernel may use for its own variables.

// CHECK-LABEL: pat.func @k2("out") kernel grid {
// CHECK-NEXT:    %[[ROW:.*]] = pat.implicit "row"{{$}}
// CHECK-NEXT:    %[[COLS:.*]] = pat.implicit "n_cols"{{$}}
// CHECK-NEXT:    pat.store %[[COLS]], "out"[%[[ROW]]]{{$}}
pat.func @k2("out") kernel grid {
  %0 = pat.name "out"
  %1 = pat.name "row"
  %2 = pat.name "n_cols"
  %3 = pat.apply "store"(%0, %1, %2)
}
// CHECK-LABEL: pat.func @k1("out") kernel linear {
// CHECK:         pat.let "row", %{{.*}}
// CHECK-NEXT:    %[[GET:.*]] = pat.get "row"{{$}}
// CHECK-NEXT:    pat.store %[[GET]], "out"[%[[GET]]]{{$}}
pat.func @k1("out") kernel linear {
  %0 = pat.name "offs"
  pat.let "row", %0
  %1 = pat.name "out"
  %2 = pat.name "row"
  %3 = pat.apply "store"(%1, %2, %2)
}
