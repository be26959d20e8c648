// RUN: patlang-opt %s --split-input-file -p tile-legalize-block-pointers | filecheck %s
// RUN: patlang-opt %s --split-input-file -p 'tile-legalize-block-pointers{target="cuda:80"}' | filecheck %s --check-prefix=OLD
// RUN: patlang-opt %s --split-input-file -p 'tile-legalize-block-pointers{strategy=pointer}' | filecheck %s --check-prefix=OLD
// RUN: patlang-opt %s --split-input-file -p 'tile-legalize-block-pointers{triton=3.9}' | filecheck %s
// RUN: not patlang-opt %s -p 'tile-legalize-block-pointers{triton=3.5}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not patlang-opt %s -p 'tile-legalize-block-pointers{target="cuda:1"}' 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not patlang-opt %s -p 'tile-legalize-block-pointers{strategy=blocks}' 2>&1 | filecheck %s --check-prefix=STRATEGY

// What must hold of blocks that the GPU moves by itself: for each fact a kernel with it and one without.
// OLD-NOT: descriptor
// NONE:          error[P905]: '3.5' is no version of Triton that is supported{{$}}
// NONE-NEXT:       help: they are 3.6, 3.7, 3.8, 3.9{{$}}
// TARGET:        error[P903]: 'cuda:1' is not a target{{$}}
// STRATEGY:      error[P905]: 'blocks' is no strategy{{$}}
// STRATEGY-NEXT:   help: they are auto, pointer, descriptor, copy{{$}}

// All that can be proved is: the second form takes the place of the first where a call allows it.
tile.kernel @whole matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @whole 
// CHECK-NEXT:    tile.stage described {{[{]$}}
// CHECK:           tile.descriptor_load %a[
// CHECK:         tile.stage {{[{]$}}
// CHECK-NOT:       descriptor
// CHECK:           tile.load %a[

// -----

// A kernel without products waits for memory anyhow.
tile.kernel @no_product matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %x = tile.cast %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %x, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @no_product 
// CHECK-NOT:       tile.descriptor_load
// CHECK:           tile.load %a[

// -----

// Blocks of 8 bytes along an axis are too narrow ...
tile.kernel @narrow matmul(%a "a" : !tile.buffer<i8>, %c "c" : !tile.buffer<i32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 8] : !tile.buffer<i8>, i64, i64, i64, i64 -> !tile.access<[16, 8], i8>
    %v = tile.load_block %pa : !tile.access<[16, 8], i8> -> !tile.tile<[16, 8], i8>
    %none = tile.constant 0 : i32
    %acc = tile.broadcast %none : i32 -> !tile.tile<[16, 16], i32>
    %w = tile.transpose %v : !tile.tile<[16, 8], i8> -> !tile.tile<[8, 16], i8>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 8], i8>, !tile.tile<[8, 16], i8>, !tile.tile<[16, 16], i32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<i32>, i64, i64, i64, i64 -> !tile.access<[16, 16], i32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], i32>, !tile.access<[16, 16], i32>
  }
}

// CHECK-LABEL: tile.kernel @narrow 
// CHECK-NOT:       tile.descriptor_load
// CHECK:           tile.load %a[

// -----

// ... and those of 16 are not.
tile.kernel @wide matmul(%a "a" : !tile.buffer<i8>, %c "c" : !tile.buffer<i32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<i8>, i64, i64, i64, i64 -> !tile.access<[16, 16], i8>
    %v = tile.load_block %pa : !tile.access<[16, 16], i8> -> !tile.tile<[16, 16], i8>
    %none = tile.constant 0 : i32
    %acc = tile.broadcast %none : i32 -> !tile.tile<[16, 16], i32>
    %w = tile.transpose %v : !tile.tile<[16, 16], i8> -> !tile.tile<[16, 16], i8>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], i8>, !tile.tile<[16, 16], i8>, !tile.tile<[16, 16], i32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<i32>, i64, i64, i64, i64 -> !tile.access<[16, 16], i32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], i32>, !tile.access<[16, 16], i32>
  }
}

// CHECK-LABEL: tile.kernel @wide 
// CHECK-NEXT:    tile.stage described {{[{]$}}
// CHECK:           tile.descriptor_load %a[
// CHECK:         tile.stage {{[{]$}}
// CHECK-NOT:       descriptor
// CHECK:           tile.load %a[

// -----

// A block that starts at an element whose address is no multiple of 16 bytes ...
tile.kernel @start_at_three matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %three = tile.constant 3 : i64
    %pa = tile.block_pointer %a[%zero, %three] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @start_at_three 
// CHECK-NOT:       tile.descriptor_load
// CHECK:           tile.load %a[

// -----

// ... and one that starts at a multiple.
tile.kernel @start_at_eight matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %eight = tile.constant 8 : i64
    %pa = tile.block_pointer %a[%zero, %eight] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @start_at_eight 
// CHECK-NEXT:    tile.stage described {{[{]$}}
// CHECK:           tile.descriptor_load %a[
// CHECK:         tile.stage {{[{]$}}
// CHECK-NOT:       descriptor
// CHECK:           tile.load %a[

// -----

// The blocks of programs start at multiples, for products have blocks of 16 elements or more.
tile.kernel @start_of_block matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %row = tile.mul %pid_m, %block_m : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @start_of_block 
// CHECK-NEXT:    tile.stage described {{[{]$}}
// CHECK:           tile.descriptor_load %a[
// CHECK:         tile.stage {{[{]$}}
// CHECK-NOT:       descriptor
// CHECK:           tile.load %a[

// -----

// The number of a program is no multiple of anything.
tile.kernel @start_anywhere matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%pid_m, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @start_anywhere 
// CHECK-NOT:       tile.descriptor_load
// CHECK:           tile.load %a[

// -----

// A descriptor has blocks of one shape.
tile.kernel @two_shapes matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %n = tile.constant 0.0 : f32
    %t = tile.broadcast %n : f32 -> !tile.tile<[32, 32], f32>
    %pe = tile.block_pointer %c[%zero, %zero] of %M x %M as [32, 32] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[32, 32], f32>
    %pd = tile.block_pointer %a[%zero, %zero] of %M x %M as [32, 32] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[32, 32], f16>
    %u = tile.load_block %pd : !tile.access<[32, 32], f16> -> !tile.tile<[32, 32], f16>
    %s = tile.dot ieee %u, %u, %t : !tile.tile<[32, 32], f16>, !tile.tile<[32, 32], f16>, !tile.tile<[32, 32], f32>
    tile.store_block %s, %pe : !tile.tile<[32, 32], f32>, !tile.access<[32, 32], f32>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @two_shapes 
// CHECK-NOT:       tile.descriptor_load
// CHECK:           tile.load %a[

// -----

// The same with blocks of the same shape.
tile.kernel @one_shape matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %n = tile.constant 0.0 : f32
    %t = tile.broadcast %n : f32 -> !tile.tile<[16, 16], f32>
    %pe = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    %pd = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %u = tile.load_block %pd : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %s = tile.dot ieee %u, %u, %t : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    tile.store_block %s, %pe : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @one_shape 
// CHECK-NEXT:    tile.stage described {{[{]$}}
// CHECK:           tile.descriptor_load %a[
// CHECK:         tile.stage {{[{]$}}
// CHECK-NOT:       descriptor
// CHECK:           tile.load %a[

// -----

// A matrix that is loaded and stored is accessed in one way.
tile.kernel @loaded_and_stored matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %x = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    tile.store_block %x, %pa : !tile.tile<[16, 16], f16>, !tile.access<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @loaded_and_stored 
// CHECK-NOT:       tile.descriptor_load
// CHECK:           tile.load %a[

// -----

// A block of 32-bit elements is stored by pointers, for it would lie in shared memory first ...
tile.kernel @wide_store matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f32>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>
    tile.store_block %sum, %pc : !tile.tile<[16, 16], f32>, !tile.access<[16, 16], f32>
  }
}

// CHECK-LABEL: tile.kernel @wide_store 
// CHECK-NEXT:    tile.stage described {{[{]$}}
// CHECK:           tile.descriptor_load %a[
// CHECK:           tile.store %

// -----

// ... and one of 16-bit elements by a descriptor.
tile.kernel @narrow_store matmul(%a "a" : !tile.buffer<f16>, %c "c" : !tile.buffer<f16>) {
  tile.stage {
    %M = tile.size M : i64
    %pid_m = tile.program 0 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %zero = tile.constant 0 : i64
    %pa = tile.block_pointer %a[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    %v = tile.load_block %pa : !tile.access<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %none = tile.constant 0.0 : f32
    %acc = tile.broadcast %none : f32 -> !tile.tile<[16, 16], f32>
    %w = tile.transpose %v : !tile.tile<[16, 16], f16> -> !tile.tile<[16, 16], f16>
    %sum = tile.dot ieee %v, %w, %acc : !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f16>, !tile.tile<[16, 16], f32>
    %h = tile.cast %sum : !tile.tile<[16, 16], f32> -> !tile.tile<[16, 16], f16>
    %pc = tile.block_pointer %c[%zero, %zero] of %M x %M as [16, 16] : !tile.buffer<f16>, i64, i64, i64, i64 -> !tile.access<[16, 16], f16>
    tile.store_block %h, %pc : !tile.tile<[16, 16], f16>, !tile.access<[16, 16], f16>
  }
}

// CHECK-LABEL: tile.kernel @narrow_store 
// CHECK-NEXT:    tile.stage described {{[{]$}}
// CHECK:           tile.descriptor_load %a[
// CHECK:           tile.descriptor_store %
