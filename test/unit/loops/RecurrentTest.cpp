// Recurrent cells against a plain implementation of ONNX's equations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

enum Function {
  sigmoid,
  tanh,
  relu,
  affine,
  leakyRelu,
  thresholdedRelu,
  scaledTanh,
  hardSigmoid,
  elu,
  softsign,
  softplus
};

double apply(int function, double x, double alpha, double beta) {
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

constexpr int64_t times = 4, batch = 3, inputs = 5, hidden = 2;

struct Case {
  std::string cell, direction = "forward";
  std::vector<int> activations = {};
  Values alphas = {}, betas = {};
  double clip = 0;
  bool flag = false; ///< linear_before_reset or input_forget
  Values lengths = {times, times, times};
};

struct Model {
  explicit Model(const Case &c)
      : c(c), gates(c.cell == "gru"    ? 3
                    : c.cell == "lstm" ? 4
                                       : 1),
        directions(c.direction == "bidirectional" ? 2 : 1) {
    auto make = [](const Shape &shape, unsigned seed) {
      return Tensor{shape, numbers(sizeOf(shape), seed)};
    };
    x = make({times, batch, inputs}, 1);
    w = make({directions, gates * hidden, inputs}, 2);
    r = make({directions, gates * hidden, hidden}, 3);
    bias = make({directions, 2 * gates * hidden}, 4);
    h0 = make({directions, batch, hidden}, 5);
    c0 = make({directions, batch, hidden}, 6);
    peephole = make({directions, 3 * hidden}, 7);
    y = {{times, directions, batch, hidden}, Values(times * directions * batch * hidden)};
    h = h0;
    cell = c0;
  }

  double activate(int64_t d, size_t number, double value, bool clipped = true) const {
    if (clipped && c.clip > 0) {
      value = std::max(-c.clip, std::min(c.clip, value));
    }
    size_t i = d * c.activations.size() / directions + number;
    return apply(c.activations[i], value, c.alphas[i], c.betas[i]);
  }
  double input(int64_t d, int64_t t, int64_t b, int64_t row) const {
    double total = bias({d, row});
    for (int64_t i = 0; i < inputs; ++i) {
      total += w({d, row, i}) * x({t, b, i});
    }
    return total;
  }
  double recurrent(int64_t d, int64_t row, const Values &state) const {
    double total = bias({d, gates * hidden + row});
    for (int64_t i = 0; i < hidden; ++i) {
      total += r({d, row, i}) * state[i];
    }
    return total;
  }

  /// The states after a step of one sequence.
  void step(int64_t d, int64_t t, int64_t b, Values &state, Values &memory) const {
    Values old = state;
    auto gate = [&](int64_t row) { return input(d, t, b, row) + recurrent(d, row, old); };
    if (c.cell == "rnn") {
      for (int64_t j = 0; j < hidden; ++j) {
        state[j] = activate(d, 0, gate(j));
      }
    } else if (c.cell == "gru") {
      Values z, reset, scaled;
      for (int64_t j = 0; j < hidden; ++j) {
        z.push_back(activate(d, 0, gate(j)));
        reset.push_back(activate(d, 0, gate(hidden + j)));
        scaled.push_back(reset[j] * old[j]);
      }
      for (int64_t j = 0; j < hidden; ++j) {
        int64_t row = 2 * hidden + j;
        double sum = input(d, t, b, row) +
                     (c.flag ? reset[j] * recurrent(d, row, old) : recurrent(d, row, scaled));
        state[j] = (1 - z[j]) * activate(d, 1, sum) + z[j] * old[j];
      }
    } else {
      for (int64_t j = 0; j < hidden; ++j) {
        auto weight = [&](int64_t number) { return peephole({d, number * hidden + j}); };
        double i = activate(d, 0, gate(j) + weight(0) * memory[j]);
        double f = c.flag ? 1 - i : activate(d, 0, gate(2 * hidden + j) + weight(2) * memory[j]);
        double fresh = activate(d, 1, gate(3 * hidden + j));
        double o = gate(hidden + j);
        memory[j] = f * memory[j] + i * fresh;
        o = activate(d, 0, o + weight(1) * memory[j]);
        state[j] = o * activate(d, 2, memory[j], false);
      }
    }
  }

  void compute() {
    for (int64_t d = 0; d < directions; ++d) {
      bool isReverse = c.direction == "reverse" || d == 1;
      for (int64_t b = 0; b < batch; ++b) {
        auto first = (d * batch + b) * hidden;
        Values state(h0.values.begin() + first, h0.values.begin() + first + hidden);
        Values memory(c0.values.begin() + first, c0.values.begin() + first + hidden);
        auto length = static_cast<int64_t>(c.lengths[b]);
        for (int64_t s = 0; s < length; ++s) {
          int64_t t = isReverse ? length - 1 - s : s;
          step(d, t, b, state, memory);
          std::copy(state.begin(), state.end(),
                    y.values.begin() + ((t * directions + d) * batch + b) * hidden);
        }
        std::copy(state.begin(), state.end(), h.values.begin() + first);
        std::copy(memory.begin(), memory.end(), cell.values.begin() + first);
      }
    }
  }

  const Case &c;
  int64_t gates, directions;
  Tensor x, w, r, bias, h0, c0, peephole, y, h, cell;
};

std::string typeOf(const Tensor &t) {
  std::string text = "tensor<";
  for (int64_t extent : t.shape) {
    text += std::to_string(extent) + "x";
  }
  return text + "f32>";
}

template <typename Range> std::string listOf(const std::string &type, const Range &values) {
  std::string text = "array<" + type;
  const char *separator = ": ";
  for (auto value : values) {
    text += separator + std::to_string(value);
    separator = ", ";
  }
  return text + ">";
}

void check(Case c) {
  c.alphas.resize(c.activations.size(), 0);
  c.betas.resize(c.activations.size(), 0);
  Model m(c);
  m.compute();
  bool isLstm = c.cell == "lstm";
  std::string op = "modelc." + c.cell + " %0, %1, %2, %3, %4, %5" + (isLstm ? ", %6, %7" : "") +
                   " {direction = #modelc<direction " + c.direction +
                   ">, activations = " + listOf("i32", c.activations) +
                   ", alphas = " + listOf("f64", c.alphas) + ", betas = " + listOf("f64", c.betas) +
                   ", clip = " + std::to_string(c.clip) + " : f64";
  if (c.cell == "gru") {
    op += std::string(", linear_before_reset = ") + (c.flag ? "true" : "false");
  } else if (isLstm) {
    op += std::string(", input_forget = ") + (c.flag ? "true" : "false");
  }
  std::vector<Values> operands{m.x.values,    m.w.values, m.r.values,
                               m.bias.values, c.lengths,  m.h0.values};
  op += "} : (" + typeOf(m.x) + ", " + typeOf(m.w) + ", " + typeOf(m.r) + ", " + typeOf(m.bias) +
        ", tensor<3xi32>, " + typeOf(m.h0);
  if (isLstm) {
    op += ", " + typeOf(m.c0) + ", " + typeOf(m.peephole);
    operands.push_back(m.c0.values);
    operands.push_back(m.peephole.values);
  }
  op += ") -> (" + typeOf(m.y) + ", " + typeOf(m.h) + (isLstm ? ", " + typeOf(m.cell) : "") + ")";
  auto results = run(op, operands);
  ASSERT_EQ(results.size(), isLstm ? 3u : 2u);
  expectClose(results[0], m.y, 1e-5);
  expectClose(results[1], m.h, 1e-5);
  if (isLstm) {
    expectClose(results[2], m.cell, 1e-5);
  }
}

const Values lengths{4, 0, 2};

TEST(Gru, Directions) {
  check({"gru", "forward", {sigmoid, tanh}});
  check({"gru", "reverse", {sigmoid, tanh}, {}, {}, 0, true});
  check({"gru", "bidirectional", {sigmoid, tanh, sigmoid, softsign}});
}
TEST(Gru, LengthsAndClip) {
  check({"gru", "forward", {sigmoid, tanh}, {}, {}, 0.5, false, lengths});
  check({"gru", "bidirectional", {sigmoid, tanh, sigmoid, tanh}, {}, {}, 0.5, true, lengths});
}
TEST(Gru, ParametersOfActivations) {
  check({"gru",
         "bidirectional",
         {hardSigmoid, affine, hardSigmoid, scaledTanh},
         {0.2, 0.5, 0.25, 1.5},
         {0.5, 0.25, 0.4, 0.5}});
}

TEST(Lstm, Directions) {
  check({"lstm", "forward", {sigmoid, tanh, tanh}});
  check({"lstm", "reverse", {sigmoid, tanh, tanh}, {}, {}, 0, true});
  check({"lstm", "bidirectional", {sigmoid, tanh, tanh, sigmoid, relu, softsign}});
}
TEST(Lstm, LengthsAndClip) {
  check({"lstm", "forward", {sigmoid, tanh, tanh}, {}, {}, 0.5, false, lengths});
  check({"lstm", "reverse", {sigmoid, tanh, tanh}, {}, {}, 0.75, true, lengths});
}

TEST(Rnn, Directions) {
  check({"rnn", "forward", {tanh}});
  check({"rnn", "reverse", {tanh}, {}, {}, 0, false, lengths});
  check({"rnn", "bidirectional", {tanh, sigmoid}, {}, {}, 1, false, lengths});
}
TEST(Rnn, Activations) {
  for (int function : {relu, affine, leakyRelu, thresholdedRelu, scaledTanh, hardSigmoid, elu,
                       softsign, softplus}) {
    SCOPED_TRACE(function);
    // A clip keeps the growing ones within bounds.
    check({"rnn", "forward", {function}, {0.3}, {0.6}, 2});
  }
}

} // namespace
