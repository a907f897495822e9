//===- RecurrentEmitter.cpp - the code of GRU and LSTM --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/RecurrentEmitter.h"
#include "ir/Scalars.h"

using namespace mlir;
using namespace modelc;

/// Products of at most this many elements and multiply-adds have no loop: their
/// latency overlaps with that of their neighbours.
static constexpr int64_t longestUnrolled = 16, mostUnrolled = 256;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

RecurrentEmitter::RecurrentEmitter(KernelOp kernel, Operation *cell, StringRef symbol,
                                   TargetAttr target)
    : op(cell), k(kernel, symbol, target), isGru(isa<GruOp>(cell)) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  times = shape[0];
  batch = shape[1];
  input = shape[2];
  directions = shapeOf(op->getOperand(2))[0];
  hidden = shapeOf(op->getOperand(2))[2];
  gates = isGru ? 3 : 4;
  packed = op->getAttrOfType<IntegerAttr>("packed").getInt();
  x = k.memoryOf(op->getOperand(0));
  w = k.memoryOf(op->getOperand(1));
  r = k.memoryOf(op->getOperand(2));
  auto yield = cast<YieldOp>(kernel.getBody().front().getTerminator());
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    Value *const places[] = {&y, &lastH, &lastC};
    *places[cast<OpResult>(value).getResultNumber()] = k.result(i);
  }
}

/// Powers of two that add up to `width`, none longer than a register.
RecurrentEmitter::Widths RecurrentEmitter::lanesOf(int64_t width) {
  Widths lanes;
  for (int64_t next = k.lanes(k.builder().getF32Type()); width > 0; next /= 2) {
    for (; width >= next; width -= next) {
      lanes.push_back(next);
    }
  }
  return lanes;
}

Value RecurrentEmitter::bias(const RecurrentTile &tile, int64_t gate, int64_t at, int64_t lanes) {
  Value tensor = op->getOperand(3);
  Type type = VectorType::get({lanes}, k.builder().getF32Type());
  if (auto constant = tensor.getDefiningOp<ConstantOp>()) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    return k.constant(type, splat.getSplatValue<APFloat>().convertToDouble());
  }
  int64_t row = (tile.direction * 2 * gates + gate) * hidden;
  return k.loadVector(k.memoryOf(tensor), k.add(tile.unit, row + at), lanes);
}

/// A state before the step: in the first of several steps, and in the only one,
/// an operand.
Value RecurrentEmitter::readState(Value memory, Value tensor, Value at, int64_t lanes) {
  if (memory) {
    return k.loadVector(memory, at, lanes);
  }
  Value operand = memoryOf(tensor);
  if (operand) {
    return k.loadVector(operand, at, lanes);
  }
  auto splat = cast<SplatElementsAttr>(tensor.getDefiningOp<ConstantOp>().getValue());
  return k.constant(VectorType::get({lanes}, k.builder().getF32Type()),
                    splat.getSplatValue<APFloat>().convertToDouble());
}

/// Adds the products of a block's weights and a vector per sequence to `sums`,
/// which are by sequence, gate, vector.
Values RecurrentEmitter::product(const RecurrentTile &tile, Values sums, Value weights, Value base,
                                 Value vectors, ArrayRef<Value> starts, int64_t length) {
  int64_t stride = gates * tile.width;
  auto oneStep = [&](Values sums, Value at, int64_t shift) {
    Value row = k.add(base, k.mul(at, stride));
    Values inputs;
    for (Value start : starts) {
      Value scalar = k.load(vectors, k.add(k.add(start, at), shift));
      inputs.push_back(scalar);
    }
    int64_t position = shift * stride;
    size_t number = 0, perSequence = gates * tile.lanes.size();
    for (int64_t gate = 0; gate < gates; ++gate) {
      for (int64_t lanes : tile.lanes) {
        Value weight = k.loadVector(weights, k.add(row, position), lanes);
        for (auto [s, scalar] : llvm::enumerate(inputs)) {
          Value &sum = sums[s * perSequence + number];
          sum = k.fma(weight, k.broadcast(scalar, lanes), sum);
        }
        position += lanes;
        ++number;
      }
    }
    return sums;
  };
  int64_t perStep = sums.size();
  bool isShort = length <= longestUnrolled && length * perStep <= mostUnrolled;
  int64_t unroll = isShort ? length : perStep <= 8 ? 4 : perStep <= 12 ? 2 : 1;
  int64_t main = length / unroll * unroll;
  sums = k.loop(0, main, unroll, sums, [&](Value at, Values sums) {
    for (int64_t i = 0; i < unroll; ++i) {
      sums = oneStep(sums, at, i);
    }
    return sums;
  });
  for (int64_t i = main; i < length; ++i) {
    sums = oneStep(sums, k.index(0), i);
  }
  return sums;
}

/// `(1 - z) n + z h` = `n + z (h - n)`.
Value RecurrentEmitter::gruState(ArrayRef<Value> gates, Value recurrent, Value before) {
  ImplicitLocOpBuilder &b = k.builder();
  Value update = scalar::sigmoid(b, gates[0]), reset = scalar::sigmoid(b, gates[1]);
  Value fresh = scalar::tanh(b, k.fma(reset, recurrent, gates[2]));
  return k.fma(update, scalar::sub(b, before, fresh), fresh);
}

void RecurrentEmitter::cell(const RecurrentTile &tile) {
  ImplicitLocOpBuilder &b = k.builder();
  int64_t vectors = tile.lanes.size();
  Type f32 = b.getF32Type();
  // Sums by sequence, gate, vector. The two products have sums of their own:
  // the processor can work on them at the same time.
  Values fromInput, fromState;
  for (int64_t s = 0; s < tile.sequences; ++s) {
    for (int64_t gate = 0; gate < gates; ++gate) {
      int64_t at = 0;
      for (int64_t lanes : tile.lanes) {
        fromInput.push_back(bias(tile, gate, at, lanes));
        bool apart = isGru && gate == 2;
        fromState.push_back(apart ? bias(tile, gates + gate, at, lanes)
                                  : k.constant(VectorType::get({lanes}, f32), 0));
        at += lanes;
      }
    }
  }
  SmallVector<Value> inputs, states;
  for (int64_t s = 0; s < tile.sequences; ++s) {
    Value sequence = k.add(tile.sequence, s);
    inputs.push_back(k.mul(k.add(k.mul(tile.time, batch), sequence), input));
    states.push_back(k.add(tile.from, k.mul(sequence, hidden)));
  }
  auto weightsAt = [&](int64_t length) {
    return k.add(k.mul(tile.unit, gates * length),
                 static_cast<int64_t>(tile.direction) * gates * hidden * length);
  };
  fromInput = product(tile, fromInput, w, weightsAt(input), x, inputs, input);
  Value initialH = op->getOperand(5);
  Value before = h ? h : memoryOf(initialH);
  if (before) {
    // The sums of long products go on where those of the input end: no others
    // fit into the registers.
    bool joined = hidden > longestUnrolled;
    if (joined) {
      for (size_t i = 0; i < fromInput.size(); ++i) {
        bool apart = isGru && i / vectors % gates == 2;
        if (!apart) {
          fromState[i] = fromInput[i];
        }
      }
    }
    fromState = product(tile, fromState, r, weightsAt(hidden), before, states, hidden);
    for (size_t i = 0; i < fromInput.size(); ++i) {
      bool apart = isGru && i / vectors % gates == 2;
      if (!apart) {
        fromInput[i] = joined ? fromState[i] : scalar::add(b, fromInput[i], fromState[i]);
      }
    }
  }
  for (int64_t s = 0; s < tile.sequences; ++s) {
    Value sequence = k.add(tile.sequence, s);
    Value row = k.add(k.mul(sequence, hidden), tile.unit);
    int64_t at = 0;
    for (auto [v, lanes] : llvm::enumerate(tile.lanes)) {
      SmallVector<Value> gate;
      for (int64_t g = 0; g < gates; ++g) {
        gate.push_back(fromInput[(s * gates + g) * vectors + v]);
      }
      Value oldAt = k.add(k.add(tile.from, row), at), next;
      if (isGru) {
        Value recurrent = fromState[(s * gates + 2) * vectors + v];
        next = gruState(gate, recurrent, readState(h, initialH, oldAt, lanes));
      } else {
        // Gates in the order input, output, forget, cell. The cell state of a
        // unit depends on no other unit: one place is enough.
        Value cellAt = k.add(k.add(row, tile.direction * batch * hidden), at);
        Value old = readState(c, op->getOperand(6), cellAt, lanes);
        Value in = scalar::sigmoid(b, gate[0]), forget = scalar::sigmoid(b, gate[2]);
        Value fresh = scalar::mul(b, in, scalar::tanh(b, gate[3]));
        Value state = k.fma(forget, old, fresh);
        next = scalar::mul(b, scalar::sigmoid(b, gate[1]), scalar::tanh(b, state));
        if (c || lastC) {
          k.store(state, c ? c : lastC, cellAt);
        }
      }
      if (y) {
        Value steps = k.add(k.mul(tile.time, directions), tile.direction);
        k.store(next, y, k.add(k.add(k.mul(steps, batch * hidden), row), at));
      }
      if (h) {
        k.store(next, h, k.add(k.add(tile.to, row), at));
      } else if (lastH) {
        k.store(next, lastH, oldAt);
      }
      at += lanes;
    }
  }
}

/// All sequences of a block, several at a time as far as registers go.
void RecurrentEmitter::block(RecurrentTile tile) {
  Widths lanes = lanesOf(tile.width);
  tile.lanes = lanes;
  int64_t registers = k.target().getVectorRegisters() - 4;
  // The hidden gate of gru has two sums.
  int64_t perSequence = 4 * lanes.size();
  int64_t most = std::max<int64_t>(1, std::min<int64_t>(registers / perSequence, 4));
  tile.sequences = std::min(most, batch);
  int64_t full = batch / tile.sequences * tile.sequences;
  k.loop(0, full, tile.sequences, [&](Value sequence) {
    tile.sequence = sequence;
    cell(tile);
  });
  if (full != batch) {
    tile.sequence = k.index(full);
    tile.sequences = batch - full;
    cell(tile);
  }
}

void RecurrentEmitter::step(unsigned direction, Value count) {
  ImplicitLocOpBuilder &b = k.builder();
  RecurrentTile tile;
  tile.direction = direction;
  auto kind = isGru ? cast<GruOp>(op).getDirection() : cast<LstmOp>(op).getDirection();
  bool isReverse = kind == Direction::Reverse || direction == 1;
  tile.time = isReverse ? b.create<arith::SubIOp>(k.index(times - 1), count).getResult() : count;
  // States of a direction: two of [batch, hidden], read and written in turn.
  int64_t size = batch * hidden;
  if (h) {
    Value odd = b.create<arith::AndIOp>(count, k.index(1));
    Value base = k.index(direction * 2 * size);
    Value first = k.add(base, k.mul(odd, size));
    tile.from = first;
    tile.to = b.create<arith::SubIOp>(k.index((direction * 4 + 1) * size), first);
  } else {
    tile.from = tile.to = k.index(direction * size);
  }
  tile.width = std::min(packed, hidden);
  int64_t full = hidden / tile.width * tile.width;
  k.loop(0, full, tile.width, [&](Value unit) {
    tile.unit = unit;
    block(tile);
  });
  if (full != hidden) {
    tile.width = hidden - full;
    tile.unit = k.index(full);
    block(tile);
  }
}

/// Copies `size` elements, vector by vector.
static void copy(KernelBuilder &k, Value from, int64_t fromAt, Value splat, Value to, int64_t toAt,
                 int64_t size) {
  int64_t lanes = k.lanes(k.builder().getF32Type()), full = size / lanes * lanes;
  auto one = [&](Value at, int64_t width) {
    Value value = from ? k.loadVector(from, k.add(at, fromAt), width) : k.broadcast(splat, width);
    k.store(value, to, k.add(at, toAt));
  };
  k.loop(0, full, lanes, [&](Value at) { one(at, lanes); });
  for (int64_t at = full; at < size; ++at) {
    one(k.index(at), 1);
  }
}

KernelCode RecurrentEmitter::run() {
  int64_t size = batch * hidden;
  Type f32 = k.builder().getF32Type();
  auto begin = [&](Value tensor, Value state, int64_t stride) {
    Value memory = memoryOf(tensor), splat;
    if (!memory) {
      auto attr = cast<SplatElementsAttr>(tensor.getDefiningOp<ConstantOp>().getValue());
      splat = k.constant(f32, attr.getSplatValue<APFloat>().convertToDouble());
    }
    for (int64_t d = 0; d < directions; ++d) {
      copy(k, memory, d * size, splat, state, d * stride, size);
    }
  };
  if (times > 1) {
    h = k.scratch(directions * 2 * size, f32);
    begin(op->getOperand(5), h, 2 * size);
    if (!isGru) {
      c = k.scratch(directions * size, f32);
      begin(op->getOperand(6), c, size);
    }
  }
  k.loop(0, times, 1, [&](Value count) {
    for (int64_t d = 0; d < directions; ++d) {
      step(d, count);
    }
  });
  if (times > 1) {
    for (int64_t d = 0; d < directions; ++d) {
      if (lastH) {
        copy(k, h, (2 * d + times % 2) * size, Value(), lastH, d * size, size);
      }
      if (lastC && c) {
        copy(k, c, d * size, Value(), lastC, d * size, size);
      }
    }
  }
  return k.finish();
}
