// RUN: patlang-opt %s --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file | patlang-opt - --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file --print-op-generic \
// RUN:   | patlang-opt - --split-input-file | filecheck %s

tile.kernel @described matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) matrices [#tile.matrix<"a", [M, 64]>] {
  tile.stage described order persistent plan {plans = []} {
    %zero = tile.constant 0 : i64
    %v = tile.descriptor_load %a[%zero, %zero] : !tile.buffer<f16>, i64, i64 -> !tile.tile<[BLOCK_M, 64], f16>
    tile.descriptor_store %v, %c[%zero, %zero] : !tile.tile<[BLOCK_M, 64], f16>, !tile.buffer<f16>, i64, i64
  }
  tile.stage order grouped {
  }
}

// CHECK:      tile.kernel @described matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) matrices [#tile.matrix<"a", [M, 64]>] {{[{]$}}
// CHECK-NEXT:   tile.stage described order persistent plan {plans = []} {{[{]$}}
// CHECK-NEXT:     %zero = tile.constant 0 : i64{{$}}
// CHECK-NEXT:     %v = tile.descriptor_load %a[%zero, %zero] : !tile.buffer<f16>, i64, i64 -> !tile.tile<[BLOCK_M, 64], f16>{{$}}
// CHECK-NEXT:     tile.descriptor_store %v, %c[%zero, %zero] : !tile.tile<[BLOCK_M, 64], f16>, !tile.buffer<f16>, i64, i64{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   tile.stage order grouped {{[{]$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

tile.kernel @copied matmul(%a "a" : !tile.buffer<f16>) {
  tile.stage described copies <{a = "columns"}, 256, 2147483648> order grouped {
  }
}

// CHECK:      tile.kernel @copied matmul(%a "a" : !tile.buffer<f16>) {{[{]$}}
// CHECK-NEXT:   tile.stage described copies <{a = "columns"}, 256, 2147483648> order grouped {{[{]$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
