// Compiles single kernels as the compiler does, and runs them between fences.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"
#include "codegen/model/KernelSelection.h"
#include "ir/ConstantData.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/PackWeights.h"
#include "test/unit/harness/Fence.h"
#include "test/unit/harness/Jit.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;

namespace modelc::test {

const std::vector<std::string> &hostTargets() {
  static const std::vector<std::string> names = [] {
    Target native = target("native");
    std::vector<std::string> result;
    if (native.family == TargetFamily::X86) {
      result.push_back("x86-64");
      if (hasFeature(native, "avx2") && hasFeature(native, "fma")) {
        result.push_back("x86-64-v3");
      }
    } else if (native.family == TargetFamily::AArch64) {
      result.push_back("aarch64");
    }
    result.push_back("native");
    return result;
  }();
  return names;
}

/// The kernel alone.
static std::string kernelText(const KernelCase &c) {
  std::string text = "modelc.kernel @k {\n^bb0(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(llvm::enumerate(c.types), os,
                        [&](auto type) { os << "%" << type.index() << ": " << type.value(); });
  os << "):\n  " << c.body << "\n}\n";
  return text;
}

namespace {
/// The kernel of a case between its text and its code.
class CompiledCase {
public:
  CompiledCase(const KernelCase &c, const std::vector<Values> &values, const Target &target);

  bool isValid() const { return jit != nullptr; }
  std::vector<Tensor> run(FenceSide side);

private:
  bool prepare(const KernelCase &c, const std::vector<Values> &values, const Target &target);
  void makeLaunch();
  void makeConstants(ArrayRef<unsigned> numbers);

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
  LaunchOp launch;
  std::vector<std::vector<char>> operands;
  KernelCode code;
  std::unique_ptr<JitKernel> jit;
};
} // namespace

/// A function that launches the kernel with its arguments.
void CompiledCase::makeLaunch() {
  Block &body = kernel.getBody().front();
  TypeRange operandTypes = body.getArgumentTypes();
  TypeRange resultTypes = body.getTerminator()->getOperandTypes();
  Location loc = kernel.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  auto main = b.create<func::FuncOp>(loc, "main", b.getFunctionType(operandTypes, {}));
  b.setInsertionPointToStart(main.addEntryBlock());
  launch = b.create<LaunchOp>(loc, resultTypes, "k", main.getArguments());
  b.create<func::ReturnOp>(loc);
}

/// What the compiler knows about operands: their values, which it may bring into another order.
void CompiledCase::makeConstants(ArrayRef<unsigned> numbers) {
  OpBuilder b(launch);
  for (unsigned number : numbers) {
    auto type = cast<RankedTensorType>(launch.getInputs()[number].getType());
    launch->setOperand(
        number, b.create<ConstantOp>(launch.getLoc(), type, makeConstant(type, operands[number])));
  }
}

bool CompiledCase::prepare(const KernelCase &c, const std::vector<Values> &values,
                           const Target &target) {
  context.loadDialect<ModelcDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  module = parseSourceString<ModuleOp>(kernelText(c), &context);
  if (!module) {
    ADD_FAILURE() << "cannot parse " << kernelText(c);
    return false;
  }
  kernel = *module->getOps<KernelOp>().begin();
  makeLaunch();
  for (auto [type, operand] : llvm::zip_equal(launch.getInputs().getTypes(), values)) {
    auto tensor = cast<RankedTensorType>(type);
    EXPECT_EQ(tensor.getNumElements(), static_cast<int64_t>(operand.size())) << c.body;
    operands.push_back(encode(tensor.getElementType(), operand));
  }
  makeConstants(c.constants);
  TargetAttr facts = targetAttr(target, &context);
  PassManager manager(&context);
  manager.addPass(createPackWeightsPass([&](KernelOp op) { return packingsOf(op, facts); }));
  if (failed(manager.run(*module))) {
    ADD_FAILURE() << "cannot pack the weights of " << c.body;
    return false;
  }
  for (unsigned number : c.constants) {
    copyConstant(constantValue(launch.getInputs()[number]), operands[number]);
  }
  const KernelGenerator *generator = selectGenerator(kernel, facts);
  EXPECT_EQ(generator ? generator->name() : "none", c.generator) << c.body;
  FailureOr<KernelCode> emitted = generateKernel(kernel, "k", facts);
  if (failed(emitted) || failed(verify(*emitted->module))) {
    ADD_FAILURE() << "cannot emit " << c.body;
    return false;
  }
  code = std::move(*emitted);
  return true;
}

CompiledCase::CompiledCase(const KernelCase &c, const std::vector<Values> &values,
                           const Target &target) {
  if (!prepare(c, values, target)) {
    return;
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_TRUE(succeeded(writeBytecodeToFile(*code.module, os)));
  os.flush();
  jit = std::make_unique<JitKernel>(textKernel("k", std::move(bytes), code.scalarLoops), target);
}

std::vector<Tensor> CompiledCase::run(FenceSide side) {
  std::vector<FencedMemory> memory;
  for (const std::vector<char> &operand : operands) {
    memory.emplace_back(operand.size(), side);
    llvm::copy(operand, memory.back().bytes().begin());
  }
  ArrayRef<int64_t> places = inPlaceOperands(kernel);
  std::vector<unsigned> resultNumbers;
  for (auto [i, type] : llvm::enumerate(launch.getResultTypes())) {
    if (!places.empty() && places[i] >= 0) {
      resultNumbers.push_back(static_cast<unsigned>(places[i]));
      continue;
    }
    resultNumbers.push_back(static_cast<unsigned>(memory.size()));
    memory.emplace_back(storageBytes(cast<RankedTensorType>(type)), side);
  }
  for (uint64_t bytes : code.scratchBytes) {
    memory.emplace_back(bytes, side);
  }
  std::vector<void *> pointers;
  for (const FencedMemory &piece : memory) {
    pointers.push_back(piece.bytes().data());
  }
  EXPECT_EQ(jit->call(pointers, code.returnsStatus), 0);
  for (auto [i, piece] : llvm::enumerate(memory)) {
    EXPECT_TRUE(piece.isGuardIntact()) << "written beside argument " << i;
    if (i < operands.size() && !llvm::is_contained(resultNumbers, i)) {
      EXPECT_TRUE(llvm::equal(piece.bytes(), operands[i])) << "operand " << i << " was changed";
    }
  }
  std::vector<Tensor> results;
  for (auto [type, number] : llvm::zip_equal(launch.getResultTypes(), resultNumbers)) {
    auto tensor = cast<RankedTensorType>(type);
    results.push_back(
        {Shape(tensor.getShape()),
         decode(tensor.getElementType(), memory[number].bytes(), tensor.getNumElements())});
  }
  return results;
}

std::vector<Tensor> runKernel(const KernelCase &c, const std::vector<Values> &operands,
                              const std::string &name) {
  llvm::EnablePrettyStackTrace();
  llvm::PrettyStackTraceFormat trace("target %s: %s", name.c_str(), c.body.c_str());
  CompiledCase compiled(c, operands, target(name));
  if (!compiled.isValid()) {
    return {};
  }
  std::vector<Tensor> results = compiled.run(FenceSide::After);
  std::vector<Tensor> again = compiled.run(FenceSide::Before);
  for (auto [x, y] : llvm::zip_equal(results, again)) {
    expectEqual(y, x);
  }
  return results;
}

std::vector<Shape> oddSizes(size_t count, int64_t largest, unsigned rounds) {
  std::vector<int64_t> sizes;
  for (int64_t size : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100}) {
    if (size <= largest) {
      sizes.push_back(size);
    }
  }
  std::vector<Shape> tuples;
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      Shape tuple;
      for (size_t position = 0; position < count; ++position) {
        tuple.push_back(sizes[(i + position * (4 + 3 * round)) % sizes.size()]);
      }
      tuples.push_back(tuple);
    }
  }
  return tuples;
}

} // namespace modelc::test
