//===- RecurrentLoops.cpp - loops of GRU, LSTM and RNN --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/LoopHelpers.h"

using namespace mlir;
using namespace modelc;
using loops::Buffer;
using loops::Carried;
using loops::Span;

namespace {
/// One step of one sequence.
struct Step {
  Value direction, time, batch;
  unsigned number; ///< of the direction
};

/// What the three cells share: the products, the way along time, and the states.
template <typename OpTy> class Recurrence {
public:
  Recurrence(ImplicitLocOpBuilder &b, KernelIO &io, OpTy op, unsigned functions)
      : b(b), io(io), op(op), type(computeType(elementOf(op.getX()))), times(shapeOf(op.getX())[0]),
        batch(shapeOf(op.getX())[1]), input(shapeOf(op.getX())[2]), hidden(shapeOf(op.getR())[2]),
        rows(shapeOf(op.getR())[1]), directions(shapeOf(op.getR())[0]), functions(functions),
        h(b, io, {batch, hidden}, type) {}

  /// Runs `cell` for each step that a sequence is long enough for. `states` are all states that
  /// the cell updates, `initial` the operands that they start from; they become results 1, 2.
  void run(ArrayRef<const Buffer *> states, ArrayRef<unsigned> initial,
           llvm::function_ref<void(const Step &)> cell) {
    for (int64_t d = 0; d < directions; ++d) {
      Value direction = indexing::constant(b, d);
      forStates([&](ValueRange at) {
        for (auto [state, operand] : llvm::zip(states, initial)) {
          state->store(b, at, io.read(operand, {direction, at[0], at[1]}));
        }
      });
      bool isReverse =
          op.getDirection() == Direction::Reverse || d == 1; // the second of two runs backwards
      loops::forEach(b, {times, batch}, [&](ValueRange at) {
        Value time = isReverse ? indexing::sub(b, indexing::constant(b, times - 1), at[0]) : at[0];
        Step step{direction, time, at[1], static_cast<unsigned>(d)};
        Value isActive = scalar::compare(b, scalar::Predicate::lt, loops::toI64(b, time),
                                         lengthOf(step.batch), false);
        loops::when(b, isActive, [&]() { cell(step); });
        forHidden([&](Value j) {
          Value y = b.create<arith::SelectOp>(isActive, h.load(b, {step.batch, j}), constant(0));
          io.write(0, {time, direction, step.batch, j}, y);
        });
      });
      forStates([&](ValueRange at) {
        for (auto [number, state] : llvm::enumerate(states)) {
          io.write(number + 1, {direction, at[0], at[1]}, state->load(b, at));
        }
      });
    }
  }

  Value constant(double value) { return scalar::constant(b, type, value); }
  void forHidden(llvm::function_ref<void(Value)> body) {
    loops::forRange(b, loops::rangesOf(b, hidden)[0], body);
  }

  /// `W x` plus its bias, for row `row` of the stacked gates.
  Value fromInput(const Step &step, Value row) {
    Value bias = io.read(3, {step.direction, row});
    return product(input, bias, 1, step, row,
                   [&](Value i) { return io.read(0, {step.time, step.batch, i}); });
  }
  /// `R s` plus its bias, for a state `s`.
  Value fromState(const Step &step, Value row, llvm::function_ref<Value(Value)> state) {
    Value bias = io.read(3, {step.direction, indexing::add(b, row, rows)});
    return product(hidden, bias, 2, step, row, state);
  }
  Value fromState(const Step &step, Value row) {
    return fromState(step, row, [&](Value k) { return h.load(b, {step.batch, k}); });
  }
  Value gate(const Step &step, Value row) {
    return scalar::add(b, fromInput(step, row), fromState(step, row));
  }
  Value rowOf(int64_t gate, Value j) { return indexing::add(b, j, gate * hidden); }

  /// Activation function `number` of the cell, of the clipped value.
  Value activate(const Step &step, unsigned number, Value x) {
    double limit = op.getClip().convertToDouble();
    if (limit > 0) {
      x = scalar::max(b, scalar::min(b, x, constant(limit), false), constant(-limit), false);
    }
    return activateUnclipped(step, number, x);
  }

  Value activateUnclipped(const Step &step, unsigned number, Value x) {
    size_t position = step.number * functions + number;
    double alpha = op.getAlphas()[position], beta = op.getBetas()[position];
    switch (static_cast<Activation>(op.getActivations()[position])) {
    case Activation::Sigmoid:
      return scalar::sigmoid(b, x);
    case Activation::Tanh:
      return scalar::tanh(b, x);
    case Activation::Relu:
      return scalar::relu(b, x);
    case Activation::Affine:
      return scalar::mulAdd(b, x, constant(alpha), constant(beta));
    case Activation::LeakyRelu:
      return scalar::leakyRelu(b, x, alpha);
    case Activation::ThresholdedRelu: {
      Value above = scalar::compare(b, scalar::Predicate::gt, x, constant(alpha), false);
      return b.create<arith::SelectOp>(above, x, constant(0));
    }
    case Activation::ScaledTanh:
      return scalar::mul(b, constant(alpha), scalar::tanh(b, scalar::mul(b, constant(beta), x)));
    case Activation::HardSigmoid:
      return scalar::hardSigmoid(b, x, alpha, beta);
    case Activation::Elu:
      return scalar::elu(b, x, alpha);
    case Activation::Softsign:
      return scalar::softsign(b, x);
    case Activation::Softplus:
      return scalar::softplus(b, x);
    }
    llvm_unreachable("the op was checked to have known activations");
  }

  ImplicitLocOpBuilder &b;
  KernelIO &io;
  OpTy op;
  Type type;
  int64_t times, batch, input, hidden, rows, directions;
  unsigned functions;
  Buffer h; ///< [batch, hidden]

private:
  void forStates(llvm::function_ref<void(ValueRange)> body) {
    loops::forEach(b, {batch, hidden}, body);
  }
  Value lengthOf(Value sequence) {
    return scalar::cast(b, io.read(4, sequence), elementOf(op.getLengths()), b.getI64Type());
  }
  /// Indices of the weight of row `row` (gate and hidden unit) and vector element `i`.
  SmallVector<Value> weightAt(const Step &step, Value row, Value i, int64_t length) {
    auto packed = op->template getAttrOfType<IntegerAttr>("packed");
    if (!packed) {
      return {step.direction, row, i};
    }
    // By block of units, element, gate, unit: see RecurrentOps.td.
    int64_t width = packed.getInt(), gates = rows / hidden;
    Value gate = indexing::div(b, row, hidden), unit = indexing::rem(b, row, hidden);
    Value first = indexing::mul(b, indexing::div(b, unit, width), width);
    Value rest = indexing::sub(b, indexing::constant(b, hidden), first);
    Value blockWidth = loops::minimum(b, rest, indexing::constant(b, width));
    Value group = indexing::add(b, indexing::mul(b, i, gates), gate);
    Value position = indexing::add(b, indexing::mul(b, first, gates * length),
                                   indexing::add(b, b.create<arith::MulIOp>(group, blockWidth),
                                                 indexing::sub(b, unit, first)));
    return {step.direction, indexing::div(b, position, length), indexing::rem(b, position, length)};
  }
  /// `initial` plus the product of row `row` of a weight operand and a vector.
  Value product(int64_t length, Value initial, unsigned weights, const Step &step, Value row,
                llvm::function_ref<Value(Value)> vector) {
    Span all = loops::rangesOf(b, length)[0];
    return loops::reduceRange(b, all, initial, [&](Value i, ValueRange carried) -> Carried {
      Value weight = io.read(weights, weightAt(step, row, i, length));
      return {loops::sumOfProducts(b, carried[0], weight, vector(i))};
    })[0];
  }
};
} // namespace

void GruOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Recurrence cell(b, io, *this, /*functions=*/2);
  int64_t hidden = cell.hidden;
  // update z, reset r, candidate n; and r * h.
  Buffer gates(b, io, {3 * hidden}, cell.type), reset(b, io, {hidden}, cell.type);
  cell.run(&cell.h, 5u, [&](const Step &step) {
    Value batch = step.batch;
    loops::forEach(b, {2 * hidden}, [&](ValueRange row) {
      gates.store(b, row, cell.activate(step, 0, cell.gate(step, row[0])));
    });
    if (!getLinearBeforeReset()) {
      cell.forHidden([&](Value j) {
        Value r = gates.load(b, cell.rowOf(1, j));
        reset.store(b, j, scalar::mul(b, r, cell.h.load(b, {batch, j})));
      });
    }
    cell.forHidden([&](Value j) {
      Value row = cell.rowOf(2, j);
      Value x = cell.fromInput(step, row), sum;
      if (getLinearBeforeReset()) {
        Value r = gates.load(b, cell.rowOf(1, j));
        sum = scalar::mulAdd(b, r, cell.fromState(step, row), x);
      } else {
        sum =
            scalar::add(b, x, cell.fromState(step, row, [&](Value k) { return reset.load(b, k); }));
      }
      gates.store(b, row, cell.activate(step, 1, sum));
    });
    cell.forHidden([&](Value j) {
      Value z = gates.load(b, j), n = gates.load(b, cell.rowOf(2, j));
      Value h = cell.h.load(b, {batch, j});
      Value fresh = scalar::mul(b, scalar::sub(b, cell.constant(1), z), n);
      cell.h.store(b, {batch, j}, scalar::mulAdd(b, z, h, fresh));
    });
  });
}

void LstmOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Recurrence cell(b, io, *this, /*functions=*/3);
  int64_t hidden = cell.hidden;
  Buffer c(b, io, {cell.batch, hidden}, cell.type);
  Buffer gates(b, io, {4 * hidden}, cell.type); // input i, output o, forget f, cell c
  cell.run({&cell.h, &c}, {5u, 6u}, [&](const Step &step) {
    Value batch = step.batch;
    loops::forEach(b, {4 * hidden},
                   [&](ValueRange row) { gates.store(b, row, cell.gate(step, row[0])); });
    cell.forHidden([&](Value j) {
      Value old = c.load(b, {batch, j});
      // Gate `number` with its peephole to the cell state.
      auto open = [&](int64_t number, Value state) {
        Value row = cell.rowOf(number, j);
        Value weight = io.read(7, {step.direction, row});
        return cell.activate(step, 0, scalar::mulAdd(b, weight, state, gates.load(b, row)));
      };
      Value i = open(0, old);
      Value f = getInputForget() ? scalar::sub(b, cell.constant(1), i) : open(2, old);
      Value fresh = cell.activate(step, 1, gates.load(b, cell.rowOf(3, j)));
      Value next = scalar::mulAdd(b, f, old, scalar::mul(b, i, fresh));
      Value o = open(1, next);
      c.store(b, {batch, j}, next);
      cell.h.store(b, {batch, j}, scalar::mul(b, o, cell.activateUnclipped(step, 2, next)));
    });
  });
}

void RnnOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Recurrence cell(b, io, *this, /*functions=*/1);
  Buffer next(b, io, {cell.hidden}, cell.type);
  cell.run(&cell.h, 5u, [&](const Step &step) {
    cell.forHidden([&](Value j) { next.store(b, j, cell.activate(step, 0, cell.gate(step, j))); });
    cell.forHidden([&](Value j) { cell.h.store(b, {step.batch, j}, next.load(b, j)); });
  });
}
