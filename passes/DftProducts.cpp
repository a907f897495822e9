//===- DftProducts.cpp - products that could be Fourier transforms --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/DftProducts.h"
#include "ir/ConstantData.h"
#include <numeric>

using namespace mlir;
using namespace modelc;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static int64_t countOf(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

static bool isFloat(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType().isF32();
}

static bool areAll(ArrayRef<int64_t> values, int64_t expected) {
  return llvm::all_of(values, [&](int64_t value) { return value == expected; });
}

/// The bytes of a constant of different numbers.
static const char *weightsOf(Value value) {
  ElementsAttr constant = constantValue(value);
  std::optional<ArrayRef<char>> bytes;
  if (constant && isFloat(value) && !isa<SplatElementsAttr>(constant)) {
    bytes = constantBytes(constant);
  }
  return bytes && !bytes->empty() ? bytes->data() : nullptr;
}

Value Frames::signal(ImplicitLocOpBuilder &b) const {
  Value result = x;
  auto element = cast<RankedTensorType>(x.getType()).getElementType();
  if (!order.empty()) {
    SmallVector<int64_t> moved;
    for (int64_t dim : order) {
      moved.push_back(shapeOf(x)[dim]);
    }
    result = b.create<TransposeOp>(RankedTensorType::get(moved, element), result, order);
  }
  return b.create<ReshapeOp>(RankedTensorType::get(shape, element), result, shape);
}

SmallVector<int64_t> Analysis::resultShape(int64_t count) const {
  SmallVector<int64_t> shape(shapeOf(op->getResult(0)));
  shape[rowAxis] = count;
  return shape;
}

SmallVector<int64_t> Synthesis::operandShape(Value operand) const {
  ArrayRef<int64_t> shape = shapeOf(operand);
  if (rowsFirst) {
    return {shape[0], shape[1], countOf(shape.drop_front(2))};
  }
  return {1, countOf(shape.drop_back()), shape.back()};
}

/// The only spatial dimension that is longer than 1, in the kernel or in `x`;
/// nothing if there are several.
static std::optional<unsigned> onlyDimension(ArrayRef<int64_t> kernel, ArrayRef<int64_t> x) {
  std::optional<unsigned> found;
  for (auto [d, extents] : llvm::enumerate(llvm::zip(kernel, x))) {
    auto [taps, extent] = extents;
    if (taps == 1 && extent == 1) {
      continue;
    }
    if (found) {
      return std::nullopt;
    }
    found = d;
  }
  return found;
}

static std::optional<Analysis> convolution(ConvOp op) {
  const char *weights = weightsOf(op.getFilter());
  if (!weights || op.getBias() || op.getChannelsLast() || op.getGroups() != 1 ||
      !areAll(op.getDilations(), 1) || !isFloat(op.getX())) {
    return std::nullopt;
  }
  ArrayRef<int64_t> x = shapeOf(op.getX()), filter = shapeOf(op.getFilter());
  ArrayRef<int64_t> kernel = filter.drop_front(2), spatial = x.drop_front(2);
  Analysis product{op, {op.getX(), {}, {}, 1}, {}, /*rowsFirst=*/true, /*rowAxis=*/1};
  int64_t length = countOf(filter.drop_front());
  product.matrix = {{{weights, filter[0], length, 1}}, length};
  if (filter[1] == 1) {
    std::optional<unsigned> d = onlyDimension(kernel, spatial);
    if (!d || length == 1) {
      return std::nullopt;
    }
    for (unsigned other = 0; other < kernel.size(); ++other) {
      if (other != *d && (op.getPadsBegin()[other] != 0 || op.getPadsEnd()[other] != 0)) {
        return std::nullopt;
      }
    }
    product.frames.shape = {x[0], spatial[*d]};
    product.frames.step = op.getStrides()[*d];
    product.frames.padBefore = op.getPadsBegin()[*d];
    product.frames.padAfter = op.getPadsEnd()[*d];
    return product;
  }
  // The channels are the samples of a frame.
  if (countOf(kernel) != 1 || !areAll(op.getStrides(), 1) || !areAll(op.getPadsBegin(), 0) ||
      !areAll(op.getPadsEnd(), 0) || spatial.empty() || countOf(x) == 0) {
    return std::nullopt;
  }
  product.frames.order = {0};
  for (int64_t d = 2; d < static_cast<int64_t>(x.size()); ++d) {
    product.frames.order.push_back(d);
  }
  product.frames.order.push_back(1);
  product.frames.shape = {x[0], countOf(x.drop_front())};
  product.frames.step = length;
  return product;
}

static std::optional<Analysis> analysisProduct(MatmulOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getY());
  if (x.size() < 2 || y.size() < 2 || countOf(x) == 0 || countOf(y) == 0 || !isFloat(op.getX()) ||
      !isFloat(op.getY())) {
    return std::nullopt;
  }
  int64_t rank = shapeOf(op.getResult()).size();
  if (const char *weights = y.size() == 2 ? weightsOf(op.getY()) : nullptr) {
    Analysis product{op, {op.getX(), {}, {1, countOf(x)}, y[0]}, {}, false, rank - 1};
    product.matrix = {{{weights, y[1], 1, y[1]}}, y[0]};
    return product;
  }
  if (const char *weights = x.size() == 2 ? weightsOf(op.getX()) : nullptr) {
    Analysis product{op, {op.getY(), {}, {}, x[1]}, {}, true, rank - 2};
    for (int64_t d = 0; d < rank - 2; ++d) {
      product.frames.order.push_back(d);
    }
    product.frames.order.append({rank - 1, rank - 2});
    product.frames.shape = {countOf(y.drop_back(2)), y[rank - 2] * y[rank - 1]};
    product.matrix = {{{weights, x[0], x[1], 1}}, x[1]};
    return product;
  }
  return std::nullopt;
}

std::optional<Analysis> modelc::analysisOf(Operation *op) {
  if (auto conv = dyn_cast<ConvOp>(op)) {
    return convolution(conv);
  }
  auto matmul = dyn_cast<MatmulOp>(op);
  return matmul ? analysisProduct(matmul) : std::nullopt;
}

static std::optional<Synthesis> transposedConvolution(ConvTransposeOp op) {
  const char *weights = weightsOf(op.getFilter());
  ArrayRef<int64_t> x = shapeOf(op.getX()), filter = shapeOf(op.getFilter());
  if (!weights || op.getBias() || op.getChannelsLast() || op.getGroups() != 1 || filter[1] != 1 ||
      !areAll(op.getDilations(), 1) || !areAll(op.getOutputPadding(), 0) || !isFloat(op.getX()) ||
      countOf(x) == 0) {
    return std::nullopt;
  }
  std::optional<unsigned> d = onlyDimension(filter.drop_front(2), x.drop_front(2));
  if (!d) {
    return std::nullopt;
  }
  for (unsigned other = 0; other < op.getPadsBegin().size(); ++other) {
    if (other != *d && (op.getPadsBegin()[other] != 0 || op.getPadsEnd()[other] != 0)) {
      return std::nullopt;
    }
  }
  int64_t length = countOf(filter.drop_front());
  Synthesis product{op, {op}, {op.getX()}, {{{weights, filter[0], length, 1}}, length}, true};
  product.step = op.getStrides()[*d];
  product.padBefore = op.getPadsBegin()[*d];
  product.padAfter = op.getPadsEnd()[*d];
  return product;
}

static std::optional<Synthesis> synthesisProduct(Operation *op) {
  if (auto conv = dyn_cast_or_null<ConvTransposeOp>(op)) {
    return transposedConvolution(conv);
  }
  auto matmul = dyn_cast_or_null<MatmulOp>(op);
  if (!matmul || shapeOf(matmul.getX()).size() < 2 || shapeOf(matmul.getY()).size() != 2 ||
      countOf(shapeOf(matmul.getX())) == 0) {
    return std::nullopt;
  }
  ArrayRef<int64_t> y = shapeOf(matmul.getY());
  const char *weights = weightsOf(matmul.getY());
  if (!weights) {
    return std::nullopt;
  }
  return Synthesis{op, {op}, {matmul.getX()}, {{{weights, y[0], y[1], 1}}, y[1]}, false};
}

std::optional<Synthesis> modelc::synthesisOf(Operation *op) {
  if (!isa<AddOp, SubOp>(op)) {
    return synthesisProduct(op);
  }
  auto part = [&](unsigned number) -> std::optional<Synthesis> {
    Value operand = op->getOperand(number);
    bool isOnlyHere = operand.hasOneUse() && operand.getType() == op->getResult(0).getType();
    return isOnlyHere ? synthesisProduct(operand.getDefiningOp()) : std::nullopt;
  };
  std::optional<Synthesis> first = part(0), second = part(1);
  if (!first || !second || first->matrix.length != second->matrix.length ||
      first->operands[0].getType() != second->operands[0].getType() ||
      first->rowsFirst != second->rowsFirst || first->step != second->step ||
      first->padBefore != second->padBefore || first->padAfter != second->padAfter) {
    return std::nullopt;
  }
  first->op = op;
  first->products.append(second->products);
  first->operands.append(second->operands);
  first->matrix.blocks.append(second->matrix.blocks);
  if (isa<SubOp>(op)) {
    first->matrix.blocks.back().sign = -1;
  }
  return first;
}
