// Runs single ops as loops in the interpreter, for tests of their semantics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"
#include "codegen/eval/Interpreter.h"
#include "codegen/kernel/LoopEmitter.h"
#include "ir/ConstantData.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace modelc::test {

static std::string kernelText(const std::string &op, FunctionType type) {
  std::string text = "modelc.kernel @k {\n^bb0(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(llvm::enumerate(type.getInputs()), os,
                        [&](auto input) { os << "%" << input.index() << ": " << input.value(); });
  os << "):\n  %r:" << type.getNumResults() << " = " << op << "\n  modelc.yield ";
  llvm::interleaveComma(llvm::seq(type.getNumResults()), os, [&](unsigned i) { os << "%r#" << i; });
  os << " : ";
  llvm::interleaveComma(type.getResults(), os);
  os << "\n}\n";
  return text;
}

Outcome runWithStatus(const std::string &op, const std::vector<Values> &operands) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ModelcDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  auto type = dyn_cast_or_null<FunctionType>(parseType(op.substr(op.rfind(" : (") + 3), &context));
  if (!type || type.getNumInputs() != operands.size()) {
    ADD_FAILURE() << "bad types: " << op;
    return {};
  }
  auto module = parseSourceString<ModuleOp>(kernelText(op, type), &context);
  if (!module) {
    ADD_FAILURE() << "cannot parse " << op;
    return {};
  }
  auto kernel = *module->getOps<KernelOp>().begin();
  LoopGenerator generator;
  FailureOr<KernelCode> code = generator.emit(kernel, "k", {});
  if (failed(code) || failed(verify(*code->module))) {
    ADD_FAILURE() << "cannot emit " << op;
    return {};
  }

  std::vector<std::vector<char>> buffers;
  for (auto [input, values] : llvm::zip(type.getInputs(), operands)) {
    auto tensor = cast<RankedTensorType>(input);
    EXPECT_EQ(tensor.getNumElements(), static_cast<int64_t>(values.size())) << op;
    buffers.push_back(encode(tensor.getElementType(), values));
    buffers.back().resize(storageBytes(storageType(tensor)));
  }
  for (Type result : type.getResults()) {
    // Elements that are never written stand out.
    buffers.emplace_back(storageBytes(storageType(cast<RankedTensorType>(result))), 0x55);
  }
  for (uint64_t bytes : code->scratchBytes) {
    buffers.emplace_back(bytes, 0x33);
  }
  SmallVector<MutableArrayRef<char>> views(buffers.begin(), buffers.end());
  Budget budget{uint64_t(1) << 32};
  auto status = interpret(*code->module->getOps<func::FuncOp>().begin(), views, budget);
  if (!status) {
    ADD_FAILURE() << llvm::toString(status.takeError()) << " in " << op;
    return {};
  }
  Outcome outcome{{}, *status};
  for (auto [i, result] : llvm::enumerate(type.getResults())) {
    auto tensor = cast<RankedTensorType>(result);
    outcome.results.push_back(
        {Shape(tensor.getShape()),
         decode(tensor.getElementType(), buffers[operands.size() + i], tensor.getNumElements())});
  }
  return outcome;
}

std::vector<Tensor> run(const std::string &op, const std::vector<Values> &operands) {
  Outcome outcome = runWithStatus(op, operands);
  EXPECT_EQ(outcome.status, 0) << op;
  return outcome.results;
}

} // namespace modelc::test
