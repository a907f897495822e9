//===- PackRecurrentWeights.cpp - weights in the order of their reading ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Passes.h"

namespace modelc {
#define GEN_PASS_DEF_PACKRECURRENTWEIGHTSPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

namespace {
/// The elements of a float constant.
class Floats {
public:
  explicit Floats(ElementsAttr value)
      : type(cast<RankedTensorType>(value.getType())), data(type.getNumElements()) {
    copyConstant(value, bytes());
  }
  MutableArrayRef<char> bytes() {
    return {reinterpret_cast<char *>(data.data()), data.size() * sizeof(float)};
  }
  ElementsAttr constant() { return makeConstant(type, bytes()); }

  RankedTensorType type;
  std::vector<float> data;
};

struct PackRecurrentWeightsPass
    : modelc::impl::PackRecurrentWeightsPassBase<PackRecurrentWeightsPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

/// Units per block: as many as keep the multipliers busy and their sums, one
/// per gate and vector, in registers beside a weight and an input.
static int64_t blockWidth(TargetAttr target, int64_t hidden) {
  int64_t lanes = target.getVectorBytes() / sizeof(float);
  int64_t vectors = lanes == 4 && target.getVectorRegisters() >= 32 ? 4 : 2;
  return std::min(lanes * vectors, hidden);
}

/// Whether each sequence takes part in every step.
static bool hasFullLengths(Value lengths, int64_t time) {
  ElementsAttr constant = constantValue(lengths);
  if (!constant) {
    return false;
  }
  auto values = constantIntegers(constant);
  return values && llvm::all_of(*values, [&](int64_t length) { return length >= time; });
}

static bool hasActivations(ArrayRef<int32_t> activations, ArrayRef<Activation> pattern) {
  for (auto [i, activation] : llvm::enumerate(activations)) {
    if (activation != static_cast<int32_t>(pattern[i % pattern.size()])) {
      return false;
    }
  }
  return true;
}

static bool isZero(Value value) {
  ElementsAttr constant = constantValue(value);
  auto splat = dyn_cast_or_null<SplatElementsAttr>(constant);
  return splat && splat.getElementType().isF32() && splat.getSplatValue<APFloat>().isZero();
}

/// What both cells need: known weights in f32, every step for every sequence.
template <typename OpTy> static bool isPackable(OpTy op, ArrayRef<Activation> pattern) {
  auto type = cast<RankedTensorType>(op.getX().getType());
  auto isConstant = [](Value value) {
    ElementsAttr constant = constantValue(value);
    return constant && constant.getNumElements() != 0;
  };
  return !op.getPacked() && type.getElementType().isF32() && type.getNumElements() != 0 &&
         isConstant(op.getW()) && isConstant(op.getR()) && isConstant(op.getBias()) &&
         hasFullLengths(op.getLengths(), type.getDimSize(0)) &&
         hasActivations(op.getActivations(), pattern) && op.getClip().isZero();
}

/// Weights [directions, gates * hidden, length], see RecurrentOps.td.
static ElementsAttr packWeights(ElementsAttr value, int64_t gates, int64_t width) {
  Floats from(value), to(value);
  ArrayRef<int64_t> shape = from.type.getShape();
  int64_t rows = shape[1], length = shape[2], hidden = rows / gates;
  size_t at = 0;
  for (int64_t d = 0; d < shape[0]; ++d) {
    for (int64_t first = 0; first < hidden; first += width) {
      int64_t last = std::min(first + width, hidden);
      for (int64_t i = 0; i < length; ++i) {
        for (int64_t gate = 0; gate < gates; ++gate) {
          for (int64_t unit = first; unit < last; ++unit) {
            int64_t row = d * rows + gate * hidden + unit;
            to.data[at++] = from.data[row * length + i];
          }
        }
      }
    }
  }
  return to.constant();
}

/// Adds the recurrent biases of the first `summed` gates to the input biases.
static ElementsAttr packBias(ElementsAttr value, int64_t gates, int64_t summed) {
  Floats bias(value);
  int64_t directions = bias.type.getDimSize(0);
  int64_t hidden = bias.type.getDimSize(1) / (2 * gates);
  for (int64_t d = 0; d < directions; ++d) {
    float *input = bias.data.data() + d * 2 * gates * hidden;
    float *recurrent = input + gates * hidden;
    for (int64_t i = 0; i < summed * hidden; ++i) {
      input[i] += recurrent[i];
      recurrent[i] = 0;
    }
  }
  return bias.constant();
}

template <typename OpTy>
static void pack(OpTy op, int64_t gates, int64_t summed, TargetAttr target) {
  OpBuilder b(op);
  int64_t hidden = cast<RankedTensorType>(op.getR().getType()).getDimSize(2);
  int64_t width = blockWidth(target, hidden);
  auto replace = [&](unsigned operand, ElementsAttr value) {
    Location loc = op->getOperand(operand).getLoc();
    op->setOperand(operand, b.create<ConstantOp>(loc, value.getType(), value));
  };
  replace(1, packWeights(constantValue(op.getW()), gates, width));
  replace(2, packWeights(constantValue(op.getR()), gates, width));
  replace(3, packBias(constantValue(op.getBias()), gates, summed));
  op.setPackedAttr(b.getI64IntegerAttr(width));
}

void PackRecurrentWeightsPass::runOnOperation() {
  auto target = getOperation()->getAttrOfType<TargetAttr>("modelc.target");
  if (!target || target.getVectorBytes() < 16) {
    return; // no vectors: the plain order serves as well
  }
  getOperation().walk([&](Operation *op) {
    if (auto gru = dyn_cast<GruOp>(op)) {
      // The reset gate works on the product of the state: both of its biases
      // stay apart.
      if (gru.getLinearBeforeReset() && isPackable(gru, {Activation::Sigmoid, Activation::Tanh})) {
        pack(gru, /*gates=*/3, /*summed=*/2, target);
        ++numPacked;
      }
    } else if (auto lstm = dyn_cast<LstmOp>(op)) {
      if (!lstm.getInputForget() && isZero(lstm.getPeephole()) &&
          isPackable(lstm, {Activation::Sigmoid, Activation::Tanh, Activation::Tanh})) {
        pack(lstm, /*gates=*/4, /*summed=*/4, target);
        ++numPacked;
      }
    }
  });
}
