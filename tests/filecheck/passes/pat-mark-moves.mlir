// RUN: patlang-opt %s --split-input-file --pass-pipeline=pat-mark-moves | filecheck %s --strict-whitespace
// RUN: patlang-opt %s --split-input-file --pass-pipeline=pat-mark-moves,pat-mark-moves | filecheck %s --strict-whitespace

// A fresh list belongs to its variable, and so does the result of a push.

// CHECK-LABEL: pat.func @grow("n") returns "xs" {
// CHECK-NEXT:    %0 = pat.list[]{{$}}
// CHECK-NEXT:    pat.let "xs", %0{{$}}
// CHECK-NEXT:    %1 = pat.get "xs"{{$}}
// CHECK-NEXT:    %2 = pat.member %1, "length"{{$}}
// CHECK-NEXT:    %3 = pat.get "xs"{{$}}
// CHECK-NEXT:    %4 = pat.host "list_push"(%3, %2) in_place{{$}}
// CHECK-NEXT:    pat.let "xs", %4{{$}}
// CHECK-NEXT:    %5 = pat.get "xs"{{$}}
// CHECK-NEXT:    %6 = pat.host "list_set"(%5, %2, %2) in_place{{$}}
// CHECK-NEXT:    pat.let "xs", %6{{$}}
// CHECK-NEXT:  }
pat.func @grow("n") returns "xs" {
  %0 = pat.list []
  pat.let "xs", %0
  %1 = pat.get "xs"
  %2 = pat.member %1, "length"
  %3 = pat.get "xs"
  %4 = pat.host "list_push"(%3, %2)
  pat.let "xs", %4
  %5 = pat.get "xs"
  %6 = pat.host "list_set"(%5, %2, %2)
  pat.let "xs", %6
}

// -----

// A parameter is not owned before its first push, and never after another variable has the list.

// CHECK-LABEL: pat.func @shared("xs", "v") {
// CHECK-NEXT:    %0 = pat.get "v"{{$}}
// CHECK-NEXT:    %1 = pat.get "xs"{{$}}
// CHECK-NEXT:    %2 = pat.host "list.push_held"(%1, %0){{$}}
// CHECK-NEXT:    pat.let "xs", %2{{$}}
// CHECK-NEXT:    %3 = pat.get "xs"{{$}}
// CHECK-NEXT:    pat.let "ys", %3{{$}}
// CHECK-NEXT:    %4 = pat.get "xs"{{$}}
// CHECK-NEXT:    %5 = pat.host "list.push_held"(%4, %0){{$}}
// CHECK-NEXT:    pat.let "xs", %5{{$}}
// CHECK-NEXT:    %6 = pat.get "xs"{{$}}
// CHECK-NEXT:    %7 = pat.host "list_push"(%6, %0) in_place{{$}}
// CHECK-NEXT:    pat.let "xs", %7{{$}}
// CHECK-NEXT:  }
pat.func @shared("xs", "v") {
  %0 = pat.get "v"
  %1 = pat.get "xs"
  %2 = pat.host "list_push"(%1, %0)
  pat.let "xs", %2
  %3 = pat.get "xs"
  pat.let "ys", %3
  %4 = pat.get "xs"
  %5 = pat.host "list_push"(%4, %0)
  pat.let "xs", %5
  %6 = pat.get "xs"
  %7 = pat.host "list_push"(%6, %0)
  pat.let "xs", %7
}

// -----

// A list that is pushed into itself, that is held twice in one statement, or that is read after its
// new version went to another variable, is copied.

// CHECK-LABEL: pat.func @copies() {
// CHECK:         %3 = pat.host "list_push"(%1, %2){{$}}
// CHECK:         %6 = pat.host "list_push"(%5, %4){{$}}
// CHECK:         %8 = pat.host "list_push"(%7, %4){{$}}
// CHECK-NOT:     in_place
// CHECK:       }
pat.func @copies() {
  %0 = pat.list []
  pat.let "xs", %0
  %1 = pat.get "xs"
  %2 = pat.get "xs"
  %3 = pat.host "list_push"(%1, %2)
  pat.let "xs", %3
  %4 = pat.get "xs"
  %5 = pat.get "xs"
  %6 = pat.host "list_push"(%5, %4)
  pat.let "xs", %6
  %7 = pat.get "xs"
  %8 = pat.host "list_push"(%7, %4)
  pat.let "ys", %8
  %9 = pat.get "xs"
  pat.let "zs", %9
}

// -----

// A function that only looks at its argument leaves it owned; one that may keep it does not.

// CHECK-LABEL: pat.func @size("xs") {
// CHECK-LABEL: pat.func @same("xs") {
// CHECK-LABEL: pat.program {
// CHECK:         %{{[0-9]+}} = pat.call "size"(%{{[0-9]+}}){{$}}
// CHECK:         %{{[0-9]+}} = pat.host "list_push"(%{{[0-9]+}}, %{{[0-9]+}}) in_place{{$}}
// CHECK:         %{{[0-9]+}} = pat.call "same"(%{{[0-9]+}}){{$}}
// CHECK:         %{{[0-9]+}} = pat.host "list.push_held"(%{{[0-9]+}}, %{{[0-9]+}}){{$}}
pat.func @size("xs") {
  %0 = pat.get "xs"
  %1 = pat.host "list_len"(%0)
  pat.return %1
}
pat.func @same("xs") {
  %0 = pat.get "xs"
  pat.return %0
}
pat.program {
  %0 = pat.list []
  pat.let "xs", %0
  %1 = pat.get "xs"
  %2 = pat.call "size"(%1)
  pat.let "n", %2
  %3 = pat.get "xs"
  %4 = pat.get "n"
  %5 = pat.host "list_push"(%3, %4)
  pat.let "xs", %5
  %6 = pat.get "xs"
  %7 = pat.call "same"(%6)
  pat.let "ys", %7
  %8 = pat.get "xs"
  %9 = pat.get "n"
  %10 = pat.host "list_push"(%8, %9)
  pat.let "xs", %10
}

// -----

// In a loop that starts with a shared list, a flag says when it has been copied.

// CHECK-LABEL: pat.func @extend("xs", "go") {
// CHECK-NEXT:    %0 = pat.constant false{{$}}
// CHECK-NEXT:    pat.let "xs.owned", %0{{$}}
// CHECK-NEXT:    pat.while {
// CHECK-NEXT:      %1 = pat.get "go"{{$}}
// CHECK-NEXT:      pat.yield %1{{$}}
// CHECK-NEXT:    } do {
// CHECK-NEXT:      pat.if {
// CHECK-NEXT:        %2 = pat.get "xs.owned"{{$}}
// CHECK-NEXT:        %3 = pat.unary not %2{{$}}
// CHECK-NEXT:        pat.yield %3{{$}}
// CHECK-NEXT:      } then {
// CHECK-NEXT:        %4 = pat.get "xs"{{$}}
// CHECK-NEXT:        %5 = pat.host "list.own"(%4){{$}}
// CHECK-NEXT:        pat.let "xs", %5{{$}}
// CHECK-NEXT:        %6 = pat.constant true{{$}}
// CHECK-NEXT:        pat.let "xs.owned", %6{{$}}
// CHECK-NEXT:      }
// CHECK-NEXT:      %7 = pat.get "xs"{{$}}
// CHECK-NEXT:      %8 = pat.get "go"{{$}}
// CHECK-NEXT:      %9 = pat.host "list_push"(%7, %8) in_place{{$}}
// CHECK-NEXT:      pat.let "xs", %9{{$}}
// CHECK-NEXT:      pat.if {
// CHECK-NEXT:        %10 = pat.get "go"{{$}}
// CHECK-NEXT:        pat.yield %10{{$}}
// CHECK-NEXT:      } then {
// CHECK-NEXT:        %11 = pat.constant false{{$}}
// CHECK-NEXT:        pat.let "xs.owned", %11{{$}}
// CHECK-NEXT:        %12 = pat.get "xs"{{$}}
// CHECK-NEXT:        pat.let "ys", %12{{$}}
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
pat.func @extend("xs", "go") {
  pat.while {
    %0 = pat.get "go"
    pat.yield %0
  } do {
    %1 = pat.get "xs"
    %2 = pat.get "go"
    %3 = pat.host "list_push"(%1, %2)
    pat.let "xs", %3
    pat.if {
      %4 = pat.get "go"
      pat.yield %4
    } then {
      %5 = pat.get "xs"
      pat.let "ys", %5
    }
  }
}

// -----

// A list in a list or in a record changes in place if the run finds no other reference to it.

// CHECK-LABEL: pat.func @inner("i", "v") {
// CHECK-NEXT:    %0 = pat.list[]{{$}}
// CHECK-NEXT:    %1 = pat.list[%0]{{$}}
// CHECK-NEXT:    pat.let "m", %1{{$}}
// CHECK-NEXT:    %2 = pat.get "m"{{$}}
// CHECK-NEXT:    %3 = pat.get "i"{{$}}
// CHECK-NEXT:    %4 = pat.get "m"{{$}}
// CHECK-NEXT:    %5 = pat.get "i"{{$}}
// CHECK-NEXT:    %6 = pat.index %4[%5]{{$}}
// CHECK-NEXT:    %7 = pat.get "v"{{$}}
// CHECK-NEXT:    %8 = pat.host "list.push_held"(%6, %7){{$}}
// CHECK-NEXT:    %9 = pat.host "list_set"(%2, %3, %8) in_place{{$}}
// CHECK-NEXT:    pat.let "m", %9{{$}}
// CHECK-NEXT:    %10 = pat.get "i"{{$}}
// CHECK-NEXT:    %11 = pat.get "v"{{$}}
// CHECK-NEXT:    %12 = pat.constant "kept"{{$}}
// CHECK-NEXT:    %13 = pat.host "record.push"(%10, %12, %11){{$}}
// CHECK-NEXT:  }
pat.func @inner("i", "v") {
  %0 = pat.list []
  %1 = pat.list [%0]
  pat.let "m", %1
  %2 = pat.get "m"
  %3 = pat.get "i"
  %4 = pat.get "m"
  %5 = pat.get "i"
  %6 = pat.index %4[%5]
  %7 = pat.get "v"
  %8 = pat.host "list_push"(%6, %7)
  %9 = pat.host "list_set"(%2, %3, %8)
  pat.let "m", %9
  %10 = pat.get "i"
  %11 = pat.get "i"
  %12 = pat.member %11, "kept"
  %13 = pat.get "v"
  %14 = pat.host "list_push"(%12, %13)
  pat.set_member %10, "kept", %14
}

// -----

// A variable gives its list up at its last use, where who gets it may change it.

// CHECK-LABEL: pat.func @add("xs", "v") returns "xs" {
// CHECK-NEXT:    %0 = pat.get "xs"{{$}}
// CHECK-NEXT:    %1 = pat.get "v"{{$}}
// CHECK-NEXT:    %2 = pat.host "list.push_held"(%0, %1){{$}}
// CHECK-NEXT:    pat.let "xs", %2{{$}}
// CHECK-NEXT:  }
// CHECK-NEXT:  pat.func @go("acc", "v") {
// CHECK-NEXT:    %3 = pat.get "acc"{{$}}
// CHECK-NEXT:    %4 = pat.get "v"{{$}}
// CHECK-NEXT:    %5 = pat.call "add"(%3, %4){{$}}
// CHECK-NEXT:    pat.let "bcc", %5{{$}}
// CHECK-NEXT:    %6 = pat.get "acc" given{{$}}
// CHECK-NEXT:    %7 = pat.get "v"{{$}}
// CHECK-NEXT:    %8 = pat.host "list.push_held"(%6, %7){{$}}
// CHECK-NEXT:    %9 = pat.get "v"{{$}}
// CHECK-NEXT:    %10 = pat.call "go"(%8, %9){{$}}
// CHECK-NEXT:    %11 = pat.get "bcc" given{{$}}
// CHECK-NEXT:    %12 = pat.call "add"(%11, %10){{$}}
// CHECK-NEXT:    pat.return %12{{$}}
// CHECK-NEXT:  }
pat.func @add("xs", "v") returns "xs" {
  %0 = pat.get "xs"
  %1 = pat.get "v"
  %2 = pat.host "list_push"(%0, %1)
  pat.let "xs", %2
}
pat.func @go("acc", "v") {
  %0 = pat.get "acc"
  %1 = pat.get "v"
  %2 = pat.call "add"(%0, %1)
  pat.let "bcc", %2
  %3 = pat.get "acc"
  %4 = pat.get "v"
  %5 = pat.host "list_push"(%3, %4)
  %6 = pat.get "v"
  %7 = pat.call "go"(%5, %6)
  %8 = pat.get "bcc"
  %9 = pat.call "add"(%8, %7)
  pat.return %9
}

// -----

// A closure holds what it captured; a swap leaves the third variable without a list.

// CHECK-LABEL: pat.func @main.f("kept", "xs") {
// CHECK:         %{{[0-9]+}} = pat.host "list_push"(%{{[0-9]+}}, %{{[0-9]+}}){{$}}
// CHECK-LABEL: pat.program {
// CHECK:         pat.let "f", %6{{$}}
// CHECK-NEXT:    %7 = pat.get "a"{{$}}
// CHECK-NEXT:    pat.let "t", %7{{$}}
// CHECK-NEXT:    %8 = pat.get "b"{{$}}
// CHECK-NEXT:    pat.let "a", %8{{$}}
// CHECK-NEXT:    %9 = pat.get "t" given{{$}}
// CHECK-NEXT:    pat.let "b", %9{{$}}
// CHECK-NEXT:    %10 = pat.get "b"{{$}}
// CHECK-NEXT:    %11 = pat.constant 1{{$}}
// CHECK-NEXT:    %12 = pat.host "list.push_held"(%10, %11){{$}}
// CHECK-NEXT:    pat.let "b", %12{{$}}
pat.func @main.f("kept", "xs") {
  %0 = pat.get "kept"
  %1 = pat.get "xs"
  %2 = pat.host "list_push"(%0, %1)
  pat.return %2
}
pat.program {
  %0 = pat.list []
  pat.let "a", %0
  %1 = pat.list []
  pat.let "b", %1
  %2 = pat.get "a"
  %3 = pat.make_closure "main.f"(%2)
  pat.let "f", %3
  %4 = pat.get "a"
  pat.let "t", %4
  %5 = pat.get "b"
  pat.let "a", %5
  %6 = pat.get "t"
  pat.let "b", %6
  %7 = pat.get "b"
  %8 = pat.constant 1
  %9 = pat.host "list_push"(%7, %8)
  pat.let "b", %9
}
