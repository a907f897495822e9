// Recurrent cells against a plain implementation of ONNX's equations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Recurrent.h"
#include "LoopsTest.h"

namespace modelc::test {
namespace {

void check(const Recurrent &description) {
  RecurrentModel model(description);
  std::vector<Tensor> results = run(model.op(), model.operands()), expected = model.results();
  ASSERT_EQ(results.size(), expected.size());
  for (size_t i = 0; i < results.size(); ++i) {
    expectClose(results[i], expected[i], 1e-5);
  }
}

/// Packed weights of any width give the bits that the plain ones give, but where biases are added.
void checkPacked(const Recurrent &description) {
  RecurrentModel model(description);
  std::vector<Tensor> expected = run(model.op(), model.operands());
  for (int64_t width = 1; width <= model.c.hidden; ++width) {
    SCOPED_TRACE(width);
    std::string more = ", packed = " + std::to_string(width) + " : i64";
    std::vector<Tensor> results = run(model.op(more), model.packedOperands(width));
    ASSERT_EQ(results.size(), expected.size());
    for (size_t i = 0; i < results.size(); ++i) {
      expectClose(results[i], expected[i], 1e-6);
    }
  }
}

/// The description with more units than fit two blocks.
Recurrent wide(Recurrent description) {
  description.hidden = 5;
  return description;
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

TEST(Gru, Packed) {
  checkPacked(wide({"gru", "reverse", {sigmoid, tanh}, {}, {}, 0, true}));
  checkPacked(wide({"gru", "bidirectional", {sigmoid, tanh, sigmoid, tanh}, {}, {}, 0, true}));
}
TEST(Lstm, Packed) {
  checkPacked(wide({"lstm", "forward", {sigmoid, tanh, tanh}}));
  checkPacked(wide({"lstm", "bidirectional", {sigmoid, tanh, tanh, sigmoid, tanh, tanh}}));
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
} // namespace modelc::test
