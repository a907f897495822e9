// ONNX operators that sum products: matrix products and convolutions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Window.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;

namespace modelc {

static LogicalResult importMatmul(NodeBinder &b) {
  return b.setResult(0, b.create<MatmulOp>({b.input(0), b.input(1)}));
}

/// `value` times `factor`, which is usually 1.
static Value scale(NodeBinder &b, Value value, double factor) {
  if (factor == 1.0 || !value) {
    return value;
  }
  return b.create<MulOp>({value, b.splat(b.typeOf(value).getElementType(), factor)});
}

static LogicalResult importGemm(NodeBinder &b) {
  if (b.rank(0) != 2 || b.rank(1) != 2) {
    return b.error("expected matrices, got tensors of rank " + llvm::Twine(b.rank(0)) + " and " +
                   llvm::Twine(b.rank(1)));
  }
  Value x = b.input(0), y = b.input(1);
  if (b.flagAttr("transA")) {
    x = b.transpose(x, {1, 0});
  }
  if (b.flagAttr("transB")) {
    y = b.transpose(y, {1, 0});
  }
  Value product = scale(b, b.create<MatmulOp>({x, y}), b.floatAttr("alpha", 1.0));
  // A factor of 0 turns the addend off, whatever it holds.
  double beta = b.floatAttr("beta", 1.0);
  if (b.hasInput(2) && beta != 0.0) {
    product = b.create<AddOp>({product, scale(b, b.input(2), beta)});
  }
  return b.setResult(0, product);
}

/// Operands of a convolution, as far as they are the same for both kinds.
static LogicalResult checkConvRanks(NodeBinder &b) {
  if (b.rank(0) < 3 || b.rank(0) != b.rank(1)) {
    return b.error("expected input and weights of the same rank, at least 3, "
                   "got " +
                   llvm::Twine(b.rank(0)) + " and " + llvm::Twine(b.rank(1)));
  }
  return success();
}

static llvm::SmallVector<Value> convOperands(NodeBinder &b) {
  llvm::SmallVector<Value> operands = {b.input(0), b.input(1)};
  if (b.hasInput(2)) {
    operands.push_back(b.input(2));
  }
  return operands;
}

static LogicalResult importConv(NodeBinder &b) {
  if (failed(checkConvRanks(b))) {
    return failure();
  }
  unsigned spatialRank = b.rank(0) - 2;
  FailureOr<Window> window = readWindow(b, spatialRank, b.shape(1).drop_front(2));
  FailureOr<AutoPad> autoPad = readAutoPad(b);
  if (failed(window) || failed(autoPad)) {
    return failure();
  }
  applyAutoPad(*autoPad, b.shape(0).drop_front(2), *window);
  return b.setResult(0,
                     b.create<ConvOp>(convOperands(b), {b.named("strides", window->strides),
                                                        b.named("dilations", window->dilations),
                                                        b.named("pads_begin", window->padsBegin),
                                                        b.named("pads_end", window->padsEnd),
                                                        b.named("groups", b.intAttr("group", 1))}));
}

static LogicalResult importConvTranspose(NodeBinder &b) {
  if (failed(checkConvRanks(b))) {
    return failure();
  }
  unsigned spatialRank = b.rank(0) - 2;
  llvm::ArrayRef<int64_t> input = b.shape(0).drop_front(2);
  FailureOr<Window> window = readWindow(b, spatialRank, b.shape(1).drop_front(2));
  FailureOr<AutoPad> autoPad = readAutoPad(b);
  if (failed(window) || failed(autoPad)) {
    return failure();
  }
  llvm::SmallVector<int64_t> extra = b.intsAttr("output_padding");
  if (extra.empty()) {
    extra.assign(spatialRank, 0);
  }
  llvm::SmallVector<int64_t> output = b.intsAttr("output_shape");
  // Some exporters give the shape with batch and channels.
  if (output.size() == spatialRank + 2) {
    output.erase(output.begin(), output.begin() + 2);
  }
  if (extra.size() != spatialRank || (!output.empty() && output.size() != spatialRank)) {
    return b.error("attributes 'output_padding' and 'output_shape' must have "
                   "one entry per spatial dimension");
  }
  bool isSame = *autoPad == AutoPad::SameUpper || *autoPad == AutoPad::SameLower;
  for (unsigned i = 0; i < spatialRank; ++i) {
    int64_t stride = window->strides[i];
    if (extra[i] < 0 || extra[i] > INT32_MAX || input[i] > INT32_MAX) {
      return b.attrError("output_padding", "small numbers of at least 0", llvm::Twine(extra[i]));
    }
    if (*autoPad == AutoPad::Valid) {
      window->padsBegin[i] = window->padsEnd[i] = 0;
    }
    if (output.empty() && !isSame) {
      continue;
    }
    int64_t target = output.empty() ? input[i] * stride : output[i];
    int64_t full = (input[i] - 1) * stride + window->dilatedKernel(i) + extra[i];
    if (target < 0 || target > INT32_MAX) {
      return b.attrError("output_shape", "entries of at least 0", llvm::Twine(target));
    }
    int64_t total = full - target;
    if (total < 0) {
      // More than the input reaches: the rest is zeros behind the end.
      extra[i] -= total;
      total = 0;
    }
    int64_t small = total / 2;
    bool isUpper = *autoPad == AutoPad::SameUpper;
    window->padsBegin[i] = isUpper ? small : total - small;
    window->padsEnd[i] = isUpper ? total - small : small;
  }
  return b.setResult(
      0, b.create<ConvTransposeOp>(
             convOperands(b),
             {b.named("strides", window->strides), b.named("dilations", window->dilations),
              b.named("pads_begin", window->padsBegin), b.named("pads_end", window->padsEnd),
              b.named("output_padding", extra), b.named("groups", b.intAttr("group", 1))}));
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {

/// Labels of an equation: letters are their character code; dimensions of an
/// ellipsis count from `ellipsisLabel` on, from the right.
constexpr int64_t ellipsisLabel = 256;

/// One term such as "b...ij". The ellipsis stands for `ellipsisRank` labels.
FailureOr<llvm::SmallVector<int64_t>> parseTerm(NodeBinder &b, llvm::StringRef term,
                                                int64_t ellipsisRank) {
  llvm::SmallVector<int64_t> labels;
  bool hasEllipsis = false;
  while (!term.empty()) {
    if (term.consume_front("...")) {
      if (hasEllipsis) {
        return b.error("attribute 'equation': a term has two ellipses");
      }
      hasEllipsis = true;
      for (int64_t i = ellipsisRank; i > 0; --i) {
        labels.push_back(ellipsisLabel + i);
      }
      continue;
    }
    char letter = term.front();
    term = term.drop_front();
    if (letter == ' ') {
      continue;
    }
    if (!llvm::isAlpha(letter)) {
      return b.error("attribute 'equation': expected letters, commas and an "
                     "ellipsis");
    }
    labels.push_back(letter);
  }
  return labels;
}

int64_t countLetters(llvm::StringRef term) {
  return llvm::count_if(term, [](char c) { return llvm::isAlpha(c); });
}

} // namespace

static LogicalResult importEinsum(NodeBinder &b) {
  std::string equation = b.stringAttr("equation");
  auto [left, right] = llvm::StringRef(equation).split("->");
  bool isExplicit = llvm::StringRef(equation).contains("->");
  llvm::SmallVector<llvm::StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != b.numInputs()) {
    return b.error("attribute 'equation': expected " + llvm::Twine(b.numInputs()) + " terms, got " +
                   llvm::Twine(terms.size()));
  }
  llvm::SmallVector<llvm::SmallVector<int64_t>> operandLabels;
  std::map<int64_t, unsigned> uses;
  int64_t ellipsisRank = 0;
  for (auto [i, term] : llvm::enumerate(terms)) {
    int64_t ownEllipsis = b.rank(i) - countLetters(term);
    FailureOr<llvm::SmallVector<int64_t>> labels =
        parseTerm(b, term, std::max<int64_t>(ownEllipsis, 0));
    if (failed(labels)) {
      return failure();
    }
    if (static_cast<int64_t>(labels->size()) != b.rank(i)) {
      return b.error("attribute 'equation': term " + llvm::Twine(i) +
                     " does not have one label per dimension");
    }
    if (term.contains("...")) {
      ellipsisRank = std::max(ellipsisRank, ownEllipsis);
    }
    for (int64_t label : *labels) {
      ++uses[label];
    }
    operandLabels.push_back(*labels);
  }
  llvm::SmallVector<int64_t> resultLabels;
  if (isExplicit) {
    FailureOr<llvm::SmallVector<int64_t>> labels = parseTerm(b, right, ellipsisRank);
    if (failed(labels)) {
      return failure();
    }
    resultLabels = *labels;
  } else {
    // The ellipsis first, then letters that occur once, in order.
    for (int64_t i = ellipsisRank; i > 0; --i) {
      resultLabels.push_back(ellipsisLabel + i);
    }
    for (auto [label, count] : uses) {
      if (label < ellipsisLabel && count == 1) {
        resultLabels.push_back(label);
      }
    }
  }
  // From here on labels are the numbers 0, 1, ...
  std::map<int64_t, int64_t> numbers;
  auto renumber = [&](llvm::SmallVector<int64_t> &labels) {
    for (int64_t &label : labels) {
      label = numbers.try_emplace(label, numbers.size()).first->second;
    }
  };
  Builder &builder = b.getImporter().getBuilder();
  llvm::SmallVector<Attribute> lists;
  for (llvm::SmallVector<int64_t> &labels : operandLabels) {
    renumber(labels);
    lists.push_back(builder.getDenseI64ArrayAttr(labels));
  }
  renumber(resultLabels);
  return b.setResult(
      0, b.create<EinsumOp>(b.allInputs(), {b.named("operand_labels", builder.getArrayAttr(lists)),
                                            b.named("result_labels", resultLabels)}));
}

void registerLinearOps(OpRegistry &ops) {
  ops.add("Conv", 1, importConv);
  ops.add("ConvTranspose", 1, importConvTranspose);
  ops.add("Einsum", 1, importEinsum);
  ops.add("Gemm", 1, importGemm);
  ops.add("MatMul", 1, importMatmul);
}

} // namespace modelc
