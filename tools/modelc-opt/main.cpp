//===- main.cpp - modelc-opt: runs single passes on textual IR ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Passes.h"
#include "codegen/math/ExpandMath.h"
#include "codegen/model/KernelSelection.h"
#include "ir/ModelcDialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"
#include "passes/stream/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<modelc::ModelcDialect>();
  modelc::registerKernelDialects(registry);
  mlir::registerCSEPass();
  mlir::registerCanonicalizerPass();
  modelc::registerModelcPasses();
  modelc::registerPackWeightsPass();
  modelc::registerModelcStreamPasses();
  modelc::registerCodegenPasses();
  modelc::registerExpandMathPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "modelc pass driver\n", registry));
}
