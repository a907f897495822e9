// Recurrent cells by ONNX's equations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_HARNESS_RECURRENT_H
#define MODELC_TEST_UNIT_HARNESS_RECURRENT_H

#include "test/unit/harness/Tensors.h"

namespace modelc::test {

/// The activations in the dialect's order.
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

/// What a recurrent op is, but for its numbers.
struct Recurrent {
  std::string cell, direction = "forward";
  std::vector<int> activations = {};
  Values alphas = {}, betas = {};
  double clip = 0;
  bool flag = false;   ///< linear_before_reset or input_forget
  Values lengths = {}; ///< empty: all sequences take part in every step
  int64_t times = 4, batch = 3, inputs = 5, hidden = 2;
};

/// A recurrent op with numbers, and what it computes.
class RecurrentModel {
public:
  explicit RecurrentModel(Recurrent description);

  /// "modelc.gru %0, %1, ... {...} : (...) -> (...)"; `more` is added to the attributes.
  std::string op(const std::string &more = "") const;
  std::vector<std::string> operandTypes() const;
  std::vector<std::string> resultTypes() const;
  std::vector<Values> operands() const;
  /// The operands with w, r and bias as the attribute `packed` = `width` wants them.
  std::vector<Values> packedOperands(int64_t width) const;
  /// y, y_h and, of an lstm, y_c.
  std::vector<Tensor> results() const;

  Recurrent c;
  int64_t gates, directions;
  Tensor x, w, r, bias, h0, c0, peephole;

private:
  Values packedWeights(const Tensor &weights, int64_t width) const;
  bool isLstm() const { return c.cell == "lstm"; }
  double activate(int64_t d, size_t number, double value, bool clipped = true) const;
  double input(int64_t d, int64_t t, int64_t b, int64_t row) const;
  double recurrent(int64_t d, int64_t row, const Values &state) const;
  /// The states after a step of one sequence.
  void step(int64_t d, int64_t t, int64_t b, Values &state, Values &memory) const;
};

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_HARNESS_RECURRENT_H
