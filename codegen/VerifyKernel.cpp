// modelc-verify-kernel: the contract between kernel generators and the lowering.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace modelc {

#define GEN_PASS_DEF_VERIFYKERNELPASS
#include "codegen/Passes.h.inc"

namespace {

struct VerifyKernelPass : impl::VerifyKernelPassBase<VerifyKernelPass> {
  using Base::Base;
  void runOnOperation() override;
};

} // namespace

static bool isStaticMemRef(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape()) {
    return false;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(getStridesAndOffset(memref, strides, offset)) &&
         !ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides);
}

static LogicalResult verifySignature(func::FuncOp function) {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (isa<BaseMemRefType>(type) ? !isStaticMemRef(type) : !type.isIntOrIndexOrFloat()) { // C2
      return function.emitError()
             << "argument " << index
             << " must be a scalar or a memref of static shape and layout, got " << type;
    }
  }
  bool ok = function.getNumResults() == 0 ||
            (function.getNumResults() == 1 && function.getResultTypes().front().isInteger(32));
  if (!ok) { // C2
    return function.emitError() << "must return nothing or one i32, got "
                                << function.getFunctionType();
  }
  return success();
}

static LogicalResult verifyOperation(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, memref::ReallocOp, memref::CopyOp>(
          op)) { // C4
    return op->emitError() << "'" << op->getName()
                           << "' is not allowed: a kernel's memory is its arguments";
  }
  if (auto global = dyn_cast<memref::GlobalOp>(op)) {
    if (!global.getConstant() || global.isUninitialized()) { // C5
      return op->emitError() << "global '" << global.getSymName()
                             << "' must be constant and initialized";
    }
  }
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    if (memref && memref.getElementType().isInteger(1)) { // C3
      return op->emitError() << "'" << op->getName() << "' uses " << type
                             << ": a bool in memory is an i8";
    }
  }
  return success();
}

void VerifyKernelPass::runOnOperation() {
  ModuleOp module = getOperation();
  func::FuncOp kernel;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() && !function.isExternal()) {
      continue;
    }
    if (kernel || function.isExternal()) { // C1
      function.emitError() << "a kernel module has one public function, and a body for each";
      return signalPassFailure();
    }
    kernel = function;
  }
  if (!kernel) { // C1
    module.emitError() << "a kernel module needs a public function";
    return signalPassFailure();
  }
  WalkResult result = module.walk([](Operation *op) {
    return failed(verifyOperation(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (failed(verifySignature(kernel)) || result.wasInterrupted()) {
    signalPassFailure();
  }
}

} // namespace modelc
