// Recurrent cells by vector code with packed weights, against ONNX's equations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Recurrent.h"
#include "codegen/model/KernelSelection.h"
#include "ir/ConstantData.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Passes.h"
#include "test/unit/cpu/CpuTest.h"
#include "test/unit/harness/Jit.h"

using namespace mlir;

namespace modelc::test {
namespace {

/// What the pass makes of a model: the block's width (0: left alone), and the operands.
struct Packed {
  int64_t width = 0;
  std::vector<Values> operands;
};

Packed pack(const RecurrentModel &model, const Target &target) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ModelcDialect>();
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  (*module)->setAttr("modelc.target", targetAttr(target, &context));
  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  Packed packed{0, model.operands()};
  OperationState state(loc, "modelc." + model.c.cell);
  for (auto [text, values] : llvm::zip_equal(model.operandTypes(), packed.operands)) {
    auto type = cast<RankedTensorType>(parseType(text, &context));
    ElementsAttr value = makeConstant(type, encode(type.getElementType(), values));
    state.addOperands(b.create<ConstantOp>(loc, type, value).getResult());
  }
  for (const std::string &type : model.resultTypes()) {
    state.addTypes(parseType(type, &context));
  }
  std::string op = model.op();
  size_t begin = op.find('{');
  Attribute attributes = parseAttribute(op.substr(begin, op.find('}') + 1 - begin), &context);
  state.addAttributes(cast<DictionaryAttr>(attributes).getValue());
  Operation *cell = b.create(state);
  PassManager manager(&context, ModuleOp::getOperationName());
  manager.addPass(createPackRecurrentWeightsPass());
  if (failed(manager.run(*module))) {
    ADD_FAILURE() << "cannot pack " << op;
    return packed;
  }
  if (auto width = cell->getAttrOfType<IntegerAttr>("packed")) {
    packed.width = width.getInt();
  }
  for (auto [operand, values] : llvm::zip_equal(cell->getOperands(), packed.operands)) {
    auto type = cast<RankedTensorType>(operand.getType());
    std::vector<char> bytes(storageBytes(type));
    copyConstant(constantValue(operand), bytes);
    values = decode(type.getElementType(), bytes, values.size());
  }
  return packed;
}

void check(const Recurrent &description) {
  RecurrentModel model(description);
  model.peephole.values.assign(model.peephole.values.size(), 0); // others are not packed
  std::vector<Tensor> expected = model.results();
  for (const std::string &name : hostTargets()) {
    SCOPED_TRACE(name + ": " + model.op());
    Packed packed = pack(model, target(name));
    ASSERT_NE(packed.width, 0);
    EXPECT_EQ(packed.operands, model.packedOperands(packed.width));
    size_t count = expected.size();
    std::string body = "%r:" + std::to_string(count) + " = " +
                       model.op(", packed = " + std::to_string(packed.width) + " : i64") +
                       "\nmodelc.yield %r#0, %r#1" + (count == 3 ? ", %r#2" : "") + " : ";
    for (const std::string &type : model.resultTypes()) {
      body += (body.back() == ' ' ? "" : ", ") + type;
    }
    auto results = runKernel({model.operandTypes(), body, "recurrent"}, packed.operands, name);
    ASSERT_EQ(results.size(), count);
    for (size_t i = 0; i < count; ++i) {
      expectClose(results[i], expected[i], 2e-5);
    }
  }
}

Recurrent sized(Recurrent description, int64_t times, int64_t batch, int64_t inputs,
                int64_t hidden) {
  description.times = times;
  description.batch = batch;
  description.inputs = inputs;
  description.hidden = hidden;
  return description;
}

const char *const directions[] = {"forward", "reverse", "bidirectional"};

Recurrent gru(const std::string &direction) {
  std::vector<int> activations{sigmoid, tanh};
  if (direction == "bidirectional") {
    activations.insert(activations.end(), {sigmoid, tanh});
  }
  return {"gru", direction, activations, {}, {}, 0, true};
}

Recurrent lstm(const std::string &direction) {
  std::vector<int> activations{sigmoid, tanh, tanh};
  if (direction == "bidirectional") {
    activations.insert(activations.end(), {sigmoid, tanh, tanh});
  }
  return {"lstm", direction, activations};
}

void sweep(Recurrent (*make)(const std::string &), int64_t largest, unsigned rounds) {
  size_t number = 0;
  for (const Shape &s : oddSizes(2, largest, rounds)) {
    int64_t times = 1 + static_cast<int64_t>(number % 3), batch = number % 4 == 0 ? 5 : 1;
    check(sized(make(directions[number++ % 3]), times, batch, s[0], s[1]));
  }
}

TEST(CpuGru, OddSizes) {
  sweep(gru, 17, 1);
}
TEST(CpuGru, DISABLED_MoreSizes) {
  sweep(gru, 100, 4);
}
TEST(CpuLstm, OddSizes) {
  sweep(lstm, 17, 1);
}
TEST(CpuLstm, DISABLED_MoreSizes) {
  sweep(lstm, 100, 4);
}

// Sequences in tiles, and what is left of them.
TEST(CpuRecurrent, Batches) {
  for (int64_t batch : {3, 7}) {
    check(sized(gru("reverse"), 2, batch, 5, 17));
    check(sized(lstm("reverse"), 2, batch, 5, 17));
  }
}

} // namespace
} // namespace modelc::test
