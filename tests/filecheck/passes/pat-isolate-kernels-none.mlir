// RUN: not patlang-opt %s --pass-pipeline=pat-isolate-kernels 2>&1 | filecheck %s

// CHECK: error[P210]: the program has no kernel{{$}}
// CHECK: help: a kernel has '# @gpu_kernel' on the line above its function{{$}}
pat.func @host("z") {
}
