//===- MemoryLimit.cpp - the memory that a library may ask for ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/model/MemoryLimit.h"
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelc;

uint64_t modelc::memoryLimit(const Target &target) {
  return uint64_t(1) << (target.pointerBits == 32 ? 31 : 36);
}

static uint64_t bytesOf(Type type) {
  return storageBytes(cast<RankedTensorType>(type));
}

static LogicalResult checkInterface(func::FuncOp main, TypeRange types, StringRef what,
                                    uint64_t limit) {
  for (auto [i, type] : llvm::enumerate(types)) {
    if (bytesOf(type) > limit) {
      auto name = what == "input" ? main.getArgAttrOfType<StringAttr>(i, "modelc.name")
                                  : main.getResultAttrOfType<StringAttr>(i, "modelc.name");
      return main.emitError() << what << " " << (name ? name.getValue() : "") << " has "
                              << bytesOf(type) << " bytes, expected at most " << limit;
    }
  }
  return success();
}

/// The launch whose own memory is largest: a result or a temporary.
static LaunchOp largestLaunch(ModuleOp module, func::FuncOp main, uint64_t &largest) {
  LaunchOp found;
  for (auto launch : main.front().getOps<LaunchOp>()) {
    uint64_t bytes = 0;
    for (Type type : launch.getResultTypes()) {
      bytes = std::max(bytes, bytesOf(type));
    }
    auto kernel = module.lookupSymbol<KernelOp>(launch.getKernel());
    if (auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>("scratch_bytes")) {
      for (int64_t size : sizes.asArrayRef()) {
        bytes = std::max<uint64_t>(bytes, size);
      }
    }
    if (!found || bytes > largest) {
      found = launch;
      largest = bytes;
    }
  }
  return found;
}

LogicalResult modelc::checkMemory(ModuleOp module, const Target &target) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  uint64_t limit = memoryLimit(target);
  if (failed(checkInterface(main, main.getArgumentTypes(), "input", limit)) ||
      failed(checkInterface(main, main.getResultTypes(), "output", limit))) {
    return failure();
  }
  auto planned = [&](StringRef memory) {
    auto bytes = module->getAttrOfType<IntegerAttr>(("modelc." + memory + "_bytes").str());
    return bytes ? bytes.getValue().getZExtValue() : 0;
  };
  uint64_t scratch = planned("scratch"), weights = planned("weight"), states = planned("state");
  if (llvm::SaturatingAdd(llvm::SaturatingAdd(scratch, weights), states) <= limit) {
    return success();
  }
  uint64_t largest = 0;
  LaunchOp launch = largestLaunch(module, main, largest);
  InFlightDiagnostic error = emitError(launch ? launch.getLoc() : main.getLoc());
  error << "the library would have " << scratch << " bytes of scratch, " << weights
        << " of weights and " << states << " of states, expected together at most " << limit
        << " for '" << target.name << "'";
  if (launch) {
    error << "; the largest value, " << largest << " bytes, is this node's";
  }
  return error;
}
