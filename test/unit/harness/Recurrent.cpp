// Recurrent cells by ONNX's equations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Recurrent.h"

namespace modelc::test {

static double apply(int function, double x, double alpha, double beta) {
  switch (function) {
  case sigmoid:
    return 1 / (1 + std::exp(-x));
  case tanh:
    return std::tanh(x);
  case relu:
    return std::max(x, 0.0);
  case affine:
    return alpha * x + beta;
  case leakyRelu:
    return x < 0 ? alpha * x : x;
  case thresholdedRelu:
    return x > alpha ? x : 0;
  case scaledTanh:
    return alpha * std::tanh(beta * x);
  case hardSigmoid:
    return std::max(0.0, std::min(1.0, alpha * x + beta));
  case elu:
    return x > 0 ? x : alpha * (std::exp(x) - 1);
  case softsign:
    return x / (1 + std::fabs(x));
  default:
    return std::log(1 + std::exp(x));
  }
}

RecurrentModel::RecurrentModel(Recurrent description)
    : c(std::move(description)), gates(c.cell == "gru" ? 3
                                       : isLstm()      ? 4
                                                       : 1),
      directions(c.direction == "bidirectional" ? 2 : 1) {
  auto make = [](const Shape &shape, unsigned seed) {
    return Tensor{shape, numbers(sizeOf(shape), seed)};
  };
  x = make({c.times, c.batch, c.inputs}, 1);
  w = make({directions, gates * c.hidden, c.inputs}, 2);
  r = make({directions, gates * c.hidden, c.hidden}, 3);
  bias = make({directions, 2 * gates * c.hidden}, 4);
  h0 = make({directions, c.batch, c.hidden}, 5);
  c0 = make({directions, c.batch, c.hidden}, 6);
  peephole = make({directions, 3 * c.hidden}, 7);
  c.alphas.resize(c.activations.size(), 0);
  c.betas.resize(c.activations.size(), 0);
  if (c.lengths.empty()) {
    c.lengths.assign(c.batch, static_cast<double>(c.times));
  }
}

double RecurrentModel::activate(int64_t d, size_t number, double value, bool clipped) const {
  if (clipped && c.clip > 0) {
    value = std::max(-c.clip, std::min(c.clip, value));
  }
  size_t i = d * c.activations.size() / directions + number;
  return apply(c.activations[i], value, c.alphas[i], c.betas[i]);
}

double RecurrentModel::input(int64_t d, int64_t t, int64_t b, int64_t row) const {
  double total = bias({d, row});
  for (int64_t i = 0; i < c.inputs; ++i) {
    total += w({d, row, i}) * x({t, b, i});
  }
  return total;
}

double RecurrentModel::recurrent(int64_t d, int64_t row, const Values &state) const {
  double total = bias({d, gates * c.hidden + row});
  for (int64_t i = 0; i < c.hidden; ++i) {
    total += r({d, row, i}) * state[i];
  }
  return total;
}

void RecurrentModel::step(int64_t d, int64_t t, int64_t b, Values &state, Values &memory) const {
  Values old = state;
  auto gate = [&](int64_t row) { return input(d, t, b, row) + recurrent(d, row, old); };
  if (c.cell == "rnn") {
    for (int64_t j = 0; j < c.hidden; ++j) {
      state[j] = activate(d, 0, gate(j));
    }
  } else if (c.cell == "gru") {
    Values z, reset, scaled;
    for (int64_t j = 0; j < c.hidden; ++j) {
      z.push_back(activate(d, 0, gate(j)));
      reset.push_back(activate(d, 0, gate(c.hidden + j)));
      scaled.push_back(reset[j] * old[j]);
    }
    for (int64_t j = 0; j < c.hidden; ++j) {
      int64_t row = 2 * c.hidden + j;
      double sum = input(d, t, b, row) +
                   (c.flag ? reset[j] * recurrent(d, row, old) : recurrent(d, row, scaled));
      state[j] = (1 - z[j]) * activate(d, 1, sum) + z[j] * old[j];
    }
  } else {
    for (int64_t j = 0; j < c.hidden; ++j) {
      auto weight = [&](int64_t number) { return peephole({d, number * c.hidden + j}); };
      double i = activate(d, 0, gate(j) + weight(0) * memory[j]);
      double f = c.flag ? 1 - i : activate(d, 0, gate(2 * c.hidden + j) + weight(2) * memory[j]);
      double fresh = activate(d, 1, gate(3 * c.hidden + j));
      double o = gate(c.hidden + j);
      memory[j] = f * memory[j] + i * fresh;
      o = activate(d, 0, o + weight(1) * memory[j]);
      state[j] = o * activate(d, 2, memory[j], false);
    }
  }
}

std::vector<Tensor> RecurrentModel::results() const {
  Tensor y{{c.times, directions, c.batch, c.hidden}, {}};
  y.values.resize(sizeOf(y.shape));
  Tensor h = h0, memories = c0;
  for (int64_t d = 0; d < directions; ++d) {
    bool isReverse = c.direction == "reverse" || d == 1;
    for (int64_t b = 0; b < c.batch; ++b) {
      auto first = (d * c.batch + b) * c.hidden;
      auto hBegin = h.values.begin() + first, memoryBegin = memories.values.begin() + first;
      Values state(hBegin, hBegin + c.hidden), memory(memoryBegin, memoryBegin + c.hidden);
      auto length = static_cast<int64_t>(c.lengths[b]);
      for (int64_t s = 0; s < length; ++s) {
        int64_t t = isReverse ? length - 1 - s : s;
        step(d, t, b, state, memory);
        std::copy(state.begin(), state.end(),
                  y.values.begin() + ((t * directions + d) * c.batch + b) * c.hidden);
      }
      std::copy(state.begin(), state.end(), hBegin);
      std::copy(memory.begin(), memory.end(), memoryBegin);
    }
  }
  std::vector<Tensor> all{y, h};
  if (isLstm()) {
    all.push_back(memories);
  }
  return all;
}

std::vector<std::string> RecurrentModel::operandTypes() const {
  std::vector<std::string> types{tensorType(x.shape),          tensorType(w.shape),
                                 tensorType(r.shape),          tensorType(bias.shape),
                                 tensorType({c.batch}, "i32"), tensorType(h0.shape)};
  if (isLstm()) {
    types.push_back(tensorType(c0.shape));
    types.push_back(tensorType(peephole.shape));
  }
  return types;
}

std::vector<std::string> RecurrentModel::resultTypes() const {
  std::vector<std::string> types{tensorType({c.times, directions, c.batch, c.hidden}),
                                 tensorType(h0.shape)};
  if (isLstm()) {
    types.push_back(tensorType(c0.shape));
  }
  return types;
}

std::vector<Values> RecurrentModel::operands() const {
  std::vector<Values> values{x.values, w.values, r.values, bias.values, c.lengths, h0.values};
  if (isLstm()) {
    values.push_back(c0.values);
    values.push_back(peephole.values);
  }
  return values;
}

Values RecurrentModel::packedWeights(const Tensor &weights, int64_t width) const {
  Values values;
  for (int64_t d = 0; d < directions; ++d) {
    for (int64_t unit = 0; unit < c.hidden; unit += width) {
      forIndices({weights.shape[2], gates, std::min(width, c.hidden - unit)}, [&](const Shape &at) {
        values.push_back(weights({d, at[1] * c.hidden + unit + at[2], at[0]}));
      });
    }
  }
  return values;
}

std::vector<Values> RecurrentModel::packedOperands(int64_t width) const {
  std::vector<Values> values = operands();
  values[1] = packedWeights(w, width);
  values[2] = packedWeights(r, width);
  // The hidden gate of a gru adds its biases at different places.
  int64_t summed = (c.cell == "gru" ? 2 : gates) * c.hidden;
  for (int64_t d = 0; d < directions; ++d) {
    double *input = values[3].data() + d * 2 * gates * c.hidden;
    double *recurrent = input + gates * c.hidden;
    for (int64_t i = 0; i < summed; ++i) {
      input[i] += recurrent[i];
      recurrent[i] = 0;
    }
  }
  return values;
}

static std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts) {
    text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string RecurrentModel::op(const std::string &more) const {
  std::string text =
      "modelc." + c.cell + " %0, %1, %2, %3, %4, %5" + (isLstm() ? ", %6, %7" : "") +
      " {direction = #modelc<direction " + c.direction +
      ">, activations = " + arrayOf("i32", Values(c.activations.begin(), c.activations.end())) +
      ", alphas = " + arrayOf("f64", c.alphas) + ", betas = " + arrayOf("f64", c.betas) +
      ", clip = " + std::to_string(c.clip) + " : f64";
  std::string flag = c.flag ? "true" : "false";
  if (c.cell == "gru") {
    text += ", linear_before_reset = " + flag;
  } else if (isLstm()) {
    text += ", input_forget = " + flag;
  }
  return text + more + "} : (" + join(operandTypes()) + ") -> (" + join(resultTypes()) + ")";
}

} // namespace modelc::test
