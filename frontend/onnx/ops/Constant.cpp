// ONNX operators whose result follows from shapes and attributes alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/TensorBytes.h"
#include "frontend/onnx/TensorData.h"
#include "frontend/onnx/ops/Build.h"

#include <cmath>

using namespace mlir;

namespace modelc {

static LogicalResult importConstant(NodeBinder &b) {
  Builder &builder = b.getImporter().getBuilder();
  auto vectorType = [](size_t size, Type element) {
    return RankedTensorType::get({static_cast<int64_t>(size)}, element);
  };
  if (b.hasAttr("value_int")) {
    auto type = RankedTensorType::get({}, builder.getI64Type());
    return b.setResult(0, b.constant(DenseElementsAttr::get(type, b.intAttr("value_int"))));
  }
  if (b.hasAttr("value_ints")) {
    return b.setResult(0, b.constantVector(b.intsAttr("value_ints")));
  }
  if (b.hasAttr("value_float")) {
    return b.setResult(0, b.splat(builder.getF32Type(), b.floatAttr("value_float")));
  }
  if (b.hasAttr("value_floats")) {
    llvm::SmallVector<float> values(llvm::map_range(
        b.floatsAttr("value_floats"), [](double value) { return static_cast<float>(value); }));
    auto type = vectorType(values.size(), builder.getF32Type());
    return b.setResult(0, b.constant(DenseElementsAttr::get(type, llvm::ArrayRef<float>(values))));
  }
  if (!b.hasAttr("value")) {
    return b.error("unsupported kind of value, expected a tensor or numbers");
  }
  FailureOr<ElementsAttr> value = b.tensorAttr("value");
  return failed(value) ? failure() : b.setResult(0, b.constant(*value));
}

/// Limit of constants that a model describes by their shape alone: a few bytes
/// of model must not ask for more memory than a large model does.
constexpr uint64_t maxFilledBytes = uint64_t(1) << 30;

static LogicalResult importConstantOfShape(NodeBinder &b) {
  FailureOr<llvm::SmallVector<int64_t>> shape = b.constantInts(0);
  if (failed(shape)) {
    return failure();
  }
  int64_t elements = 1;
  for (int64_t extent : *shape) {
    if (extent < 0 || llvm::MulOverflow(elements, extent, elements)) {
      return b.error("the shape has the extent " + llvm::Twine(extent));
    }
  }
  // One element, repeated: a splat stays small whatever its shape.
  Attribute element = FloatAttr::get(Float32Type::get(b.context()), 0.0);
  if (b.hasAttr("value")) {
    FailureOr<ElementsAttr> value = b.tensorAttr("value");
    if (failed(value)) {
      return failure();
    }
    auto dense = dyn_cast<DenseElementsAttr>(*value);
    if (!dense || dense.getNumElements() != 1) {
      return b.attrError("value", "one element", llvm::Twine(value->getNumElements()));
    }
    element = dense.getSplatValue<Attribute>();
  }
  auto type = RankedTensorType::get(*shape, cast<TypedAttr>(element).getType());
  // It may end as a weight, written out in full.
  std::optional<uint64_t> bytes = storedBytes(*shape, type.getElementType());
  if (!bytes || *bytes > maxFilledBytes) {
    return b.error("a result exceeds the limit for the size of a constant");
  }
  return b.setResult(0, b.constant(DenseElementsAttr::get(type, element)));
}

static LogicalResult importShape(NodeBinder &b) {
  int64_t rank = b.rank(0);
  auto position = [&](llvm::StringRef name, int64_t otherwise) {
    int64_t value = b.hasAttr(name) ? b.intAttr(name) : otherwise;
    value += value < 0 ? rank : 0;
    return std::clamp<int64_t>(value, 0, rank);
  };
  int64_t start = position("start", 0), end = position("end", rank);
  return b.setResult(0,
                     b.constantVector(b.shape(0).slice(start, std::max<int64_t>(end - start, 0))));
}

static LogicalResult importSize(NodeBinder &b) {
  auto type = RankedTensorType::get({}, IntegerType::get(b.context(), 64));
  return b.setResult(0, b.constant(DenseElementsAttr::get(type, b.type(0).getNumElements())));
}

/// start, start + step, ... before limit.
static LogicalResult importRange(NodeBinder &b) {
  Type element = b.elementType(0);
  double bounds[3];
  int64_t length = 0;
  if (isa<FloatType>(element)) {
    for (unsigned i = 0; i < 3; ++i) {
      FailureOr<double> value = b.constantFloat(i);
      if (failed(value)) {
        return failure();
      }
      bounds[i] = *value;
    }
    double steps = std::ceil((bounds[1] - bounds[0]) / bounds[2]);
    if (!std::isfinite(steps) || steps > INT32_MAX) {
      return b.error("the number of elements is not finite or too large");
    }
    length = static_cast<int64_t>(std::max(steps, 0.0));
  } else {
    FailureOr<int64_t> start = b.constantInt(0), limit = b.constantInt(1), step = b.constantInt(2);
    if (failed(start) || failed(limit) || failed(step)) {
      return failure();
    }
    int64_t distance;
    if (*step == 0 || *step == INT64_MIN || llvm::SubOverflow(*limit, *start, distance) ||
        distance == INT64_MIN) {
      return b.error("the step is 0 or the range is too large");
    }
    if ((distance > 0) == (*step > 0)) {
      length = std::abs(distance) / std::abs(*step) + (std::abs(distance) % std::abs(*step) != 0);
    }
    if (length > INT32_MAX) {
      return b.error("the range has too many elements");
    }
  }
  llvm::SmallVector<int64_t> shape = {length};
  Value positions =
      b.create<IotaOp>({}, {b.named("shape", shape), b.named("axis", 0), b.named("to", element)});
  Value step = b.create<MulOp>({positions, b.reshape(b.input(2), {})});
  return b.setResult(0, b.create<AddOp>({step, b.reshape(b.input(0), {})}));
}

static LogicalResult importEyeLike(NodeBinder &b) {
  if (b.rank(0) != 2) {
    return b.error("expected rank 2, got " + llvm::Twine(b.rank(0)));
  }
  Type element = b.elementType(0);
  if (b.hasAttr("dtype")) {
    int dtype = static_cast<int>(std::clamp<int64_t>(b.intAttr("dtype"), 0, 1000));
    element = elementTypeFromOnnx(dtype, *b.context());
    if (!element) {
      return b.attrError("dtype", "a supported element type", "unsupported " + onnxTypeName(dtype));
    }
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  Value diagonal = b.create<AddOp>({positions(b, {shape[0], 1}, 0), intScalar(b, b.intAttr("k"))});
  Value isOn = b.create<EqualOp>({positions(b, {1, shape[1]}, 1), diagonal});
  return b.setResult(0, b.cast(isOn, element));
}

static LogicalResult importTrilu(NodeBinder &b) {
  if (b.rank(0) < 2) {
    return b.error("expected rank 2 or more, got " + llvm::Twine(b.rank(0)));
  }
  int64_t k = 0;
  if (b.hasInput(1)) {
    FailureOr<int64_t> given = b.constantInt(1);
    if (failed(given)) {
      return failure();
    }
    // Extents are below 2^41: further out nothing changes.
    int64_t limit = int64_t(1) << 42;
    k = std::clamp(*given, -limit, limit);
  }
  int64_t rows = b.shape(0)[b.rank(0) - 2], columns = b.shape(0).back();
  Value diagonal = b.create<AddOp>({positions(b, {rows, 1}, 0), intScalar(b, k)});
  Value column = positions(b, {1, columns}, 1);
  Value isKept = b.flagAttr("upper", true) ? b.create<GreaterEqualOp>({column, diagonal})
                                           : b.create<LessEqualOp>({column, diagonal});
  return b.setResult(0, b.create<SelectOp>({isKept, b.input(0), b.splat(b.elementType(0), 0)}));
}

static LogicalResult importOneHot(NodeBinder &b) {
  FailureOr<int64_t> given;
  if (isa<FloatType>(b.elementType(1))) {
    FailureOr<double> value = b.constantFloat(1);
    if (succeeded(value)) {
      given =
          std::isfinite(*value) && std::abs(*value) < INT32_MAX ? static_cast<int64_t>(*value) : -1;
    }
  } else {
    given = b.constantInt(1);
  }
  if (failed(given)) {
    return failure();
  }
  int64_t depth = *given;
  if (depth < 0 || depth > INT32_MAX) {
    return b.error("the depth must be a number of at least 0");
  }
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis", -1), b.rank(0) + 1);
  if (failed(axis)) {
    return failure();
  }
  if (b.shape(2) != llvm::ArrayRef<int64_t>{2}) {
    return b.error("expected two values, off and on");
  }
  Type i64 = IntegerType::get(b.context(), 64);
  Value indices = b.cast(b.input(0), i64);
  // Negative indices count from the end; what is still outside is all off.
  Value wrapped = b.create<SelectOp>({b.create<LessOp>({indices, intScalar(b, 0)}),
                                      b.create<AddOp>({indices, intScalar(b, depth)}), indices});
  llvm::SmallVector<int64_t> spread(b.shape(0));
  spread.insert(spread.begin() + *axis, 1);
  llvm::SmallVector<int64_t> classes(b.rank(0) + 1, 1);
  classes[*axis] = depth;
  Value isOn = b.create<EqualOp>({b.reshape(wrapped, spread), positions(b, classes, *axis)});
  auto pick = [&](int64_t position) {
    llvm::SmallVector<int64_t> start = {position}, one = {1};
    return b.reshape(b.create<SliceOp>(b.input(2), {b.named("starts", start), b.named("sizes", one),
                                                    b.named("steps", one)}),
                     {});
  };
  return b.setResult(0, b.create<SelectOp>({isOn, pick(1), pick(0)}));
}

void registerConstantOps(OpRegistry &ops) {
  ops.add("Constant", 1, importConstant);
  ops.add("ConstantOfShape", 1, importConstantOfShape);
  ops.add("EyeLike", 1, importEyeLike);
  ops.add("OneHot", 1, importOneHot);
  ops.add("Range", 1, importRange);
  ops.add("Shape", 1, importShape);
  ops.add("Size", 1, importSize);
  ops.add("Trilu", 1, importTrilu);
}

} // namespace modelc
