// Fused operators of the domain com.microsoft, as ONNX Runtime's optimizer
// writes them: activations, normalization, products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"

using namespace mlir;

namespace modelc {

/// Fails unless the first `count` operands are there: these operators have no
/// schema that was checked before.
static LogicalResult requireInputs(NodeBinder &b, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (!b.hasInput(i)) {
      return b.error("input " + llvm::Twine(i) + " must not be left out");
    }
  }
  return success();
}

/// FastGelu and BiasGelu: a GELU of data plus bias.
static LogicalResult importGeluWithBias(NodeBinder &b, bool isApproximate) {
  if (failed(requireInputs(b, 1))) {
    return failure();
  }
  Value x = b.input(0);
  if (b.hasInput(1)) {
    x = b.create<AddOp>({x, b.input(1)});
  }
  llvm::SmallVector<NamedAttribute> attributes;
  if (isApproximate) {
    attributes.push_back(b.unit("approximate"));
  }
  return b.setResult(0, b.create<GeluOp>(x, attributes));
}

static LogicalResult importFastGelu(NodeBinder &b) {
  return importGeluWithBias(b, /*isApproximate=*/true);
}

static LogicalResult importBiasGelu(NodeBinder &b) {
  return importGeluWithBias(b, /*isApproximate=*/false);
}

/// `x * sigmoid(alpha * x)`.
static LogicalResult importQuickGelu(NodeBinder &b) {
  if (failed(requireInputs(b, 1))) {
    return failure();
  }
  Value x = b.input(0);
  Value scaled = b.create<MulOp>({x, b.splat(b.elementType(0), b.floatAttr("alpha", 1.702))});
  return b.setResult(0, b.create<MulOp>({x, b.create<SigmoidOp>(scaled)}));
}

/// Normalizes the last dimension of `x`; sets results 0 to 2.
static LogicalResult normalizeLast(NodeBinder &b, Value x, Value scale, Value shift, bool isRms) {
  if (!x) {
    return failure();
  }
  int64_t rank = b.typeOf(x).getRank();
  Type element = b.typeOf(x).getElementType();
  llvm::SmallVector<NamedAttribute> attributes = {
      b.named("axis", rank - 1), b.named("epsilon", b.floatAttr("epsilon", 1e-12))};
  if (isRms) {
    attributes.push_back(b.unit("rms"));
  }
  llvm::SmallVector<Value> results =
      b.createAll<LayerNormOp>({x, scale, shift ? shift : b.splat(element, 0.0)}, attributes);
  return b.setResults(results);
}

/// Layer normalization of a sum of two or three tensors, which is result 3.
static LogicalResult importSkipNorm(NodeBinder &b, bool isRms) {
  if (failed(requireInputs(b, 3))) {
    return failure();
  }
  if (b.rank(0) < 1) {
    return b.error("expected data of rank 1 or more");
  }
  // Operands: data, skip, scale, [shift,] bias of the sum.
  unsigned bias = isRms ? 3 : 4;
  Value sum = b.create<AddOp>({b.input(0), b.input(1)});
  if (b.hasInput(bias)) {
    sum = b.create<AddOp>({sum, b.input(bias)});
  }
  if (failed(normalizeLast(b, sum, b.input(2), isRms ? Value() : b.input(3), isRms))) {
    return failure();
  }
  return b.setResult(3, sum);
}

static LogicalResult importSkipLayerNorm(NodeBinder &b) {
  return importSkipNorm(b, /*isRms=*/false);
}

static LogicalResult importSkipSimplifiedLayerNorm(NodeBinder &b) {
  return importSkipNorm(b, /*isRms=*/true);
}

/// The sum of word, position and segment embeddings, normalized.
static LogicalResult importEmbedLayerNorm(NodeBinder &b) {
  // Operands: ids, segments (optional), three tables (the segments' optional),
  // scale, shift, mask, positions.
  for (unsigned i : {0u, 2u, 3u, 5u, 6u}) {
    if (!b.hasInput(i)) {
      return b.error("input " + llvm::Twine(i) + " must not be left out");
    }
  }
  if (b.rank(0) != 2 || b.rank(2) != 2 || b.rank(3) != 2) {
    return b.error("expected ids and tables of rank 2");
  }
  int64_t batch = b.shape(0)[0], length = b.shape(0)[1];
  auto look = [&](Value table, Value ids) {
    return b.create<GatherOp>({table, ids}, b.named("axis", 0));
  };
  Value place = b.hasInput(8) ? b.input(8) : positions(b, {1, length}, 1);
  Value sum = b.create<AddOp>({look(b.input(2), b.input(0)), look(b.input(3), place)});
  if (b.hasInput(1) && b.hasInput(4)) {
    sum = b.create<AddOp>({sum, look(b.input(4), b.input(1))});
  }
  if (b.hasOutput(1)) {
    // How many tokens of each sequence count; without a mask none, as ONNX
    // Runtime has it.
    Type i32 = IntegerType::get(b.context(), 32);
    Value count = b.splat(i32, 0, {batch});
    if (b.hasInput(7)) {
      count = b.reshape(reduceKeep(b, ReduceKind::Sum, b.input(7), {1}), {batch});
    }
    if (failed(b.setResult(1, count))) {
      return failure();
    }
  }
  if (b.hasOutput(2) && failed(b.setResult(2, sum))) {
    return failure();
  }
  llvm::SmallVector<Value> results = b.createAll<LayerNormOp>(
      {sum, b.input(5), b.input(6)},
      {b.named("axis", 2), b.named("epsilon", b.floatAttr("epsilon", 1e-12))});
  return b.setResult(0, results[0]);
}

/// A matrix product with transposes of the last two dimensions and a factor.
static LogicalResult importFusedMatmul(NodeBinder &b) {
  if (failed(requireInputs(b, 2))) {
    return failure();
  }
  if (b.flagAttr("transBatchA") || b.flagAttr("transBatchB")) {
    return b.error("unsupported transpose of the batch");
  }
  auto operand = [&](unsigned i, llvm::StringRef flag) -> Value {
    int64_t rank = b.rank(i);
    if (!b.flagAttr(flag) || rank < 2) {
      return b.input(i);
    }
    llvm::SmallVector<int64_t> order;
    for (int64_t d = 0; d < rank; ++d) {
      order.push_back(d < rank - 2 ? d : 2 * rank - 3 - d);
    }
    return b.transpose(b.input(i), order);
  };
  Value product = b.create<MatmulOp>({operand(0, "transA"), operand(1, "transB")});
  double alpha = b.floatAttr("alpha", 1.0);
  if (alpha != 1.0) {
    product = b.create<MulOp>({product, b.splat(b.elementType(0), alpha)});
  }
  return b.setResult(0, product);
}

/// Rotates pairs of elements by angles that depend on the position.
static LogicalResult importRotaryEmbedding(NodeBinder &b) {
  // Operands: data, positions, tables of cosines and sines.
  if (failed(requireInputs(b, 4))) {
    return failure();
  }
  bool hasHeads = b.rank(0) == 4;
  if ((!hasHeads && b.rank(0) != 3) || b.rank(2) != 2 || b.flagAttr("is_packed_batching")) {
    return b.error("unsupported layout of the operands");
  }
  int64_t half = b.shape(2)[1];
  int64_t batch = b.shape(0)[0], length = b.shape(0)[hasHeads ? 2 : 1];
  // The size of a head follows from the number of heads, or from the tables.
  int64_t heads = b.intAttr("num_heads");
  int64_t width = hasHeads ? b.shape(0)[3] : heads > 0 ? b.shape(0)[2] / heads : 2 * half;
  if (width < 2 * half || width == 0 || (!hasHeads && b.shape(0)[2] % width != 0)) {
    return b.error("the heads do not fit the tables");
  }
  heads = hasHeads ? b.shape(0)[1] : b.shape(0)[2] / width;
  // As [batch, length, heads, width].
  Value x = hasHeads ? b.transpose(b.input(0), {0, 2, 1, 3})
                     : b.reshape(b.input(0), {batch, length, heads, width});
  Value place = b.cast(b.input(1), IntegerType::get(b.context(), 64));
  if (b.type(1).getNumElements() == 1 && length != 1) {
    place = b.create<AddOp>({b.reshape(place, {1, 1}), positions(b, {1, length}, 1)});
  } else if (b.rank(1) != 2) {
    place = b.reshape(place, {b.type(1).getNumElements() / std::max<int64_t>(length, 1), length});
  }
  auto look = [&](unsigned table) -> Value {
    Value rows = b.create<GatherOp>({b.input(table), place}, b.named("axis", 0));
    return rows ? b.reshape(rows, {b.shapeOf(rows)[0], length, 1, half}) : Value();
  };
  Value cosine = look(2), sine = look(3);
  bool isInterleaved = b.flagAttr("interleaved");
  Value turned = sliceAxis(b, x, 3, 0, 2 * half), first, second;
  if (isInterleaved) {
    Value pairs = b.reshape(turned, {batch, length, heads, half, 2});
    first = b.reshape(sliceAxis(b, pairs, 4, 0, 1), {batch, length, heads, half});
    second = b.reshape(sliceAxis(b, pairs, 4, 1, 1), {batch, length, heads, half});
  } else {
    first = sliceAxis(b, turned, 3, 0, half);
    second = sliceAxis(b, turned, 3, half, half);
  }
  Value real = b.create<SubOp>({b.create<MulOp>({first, cosine}), b.create<MulOp>({second, sine})});
  Value imaginary =
      b.create<AddOp>({b.create<MulOp>({first, sine}), b.create<MulOp>({second, cosine})});
  Value result;
  if (isInterleaved) {
    llvm::SmallVector<int64_t> wide = {batch, length, heads, half, 1};
    result = b.reshape(concat(b, {b.reshape(real, wide), b.reshape(imaginary, wide)}, 4),
                       {batch, length, heads, 2 * half});
  } else {
    result = concat(b, {real, imaginary}, 3);
  }
  if (width > 2 * half) {
    result = concat(b, {result, sliceAxis(b, x, 3, 2 * half, width - 2 * half)}, 3);
  }
  return b.setResult(0,
                     hasHeads ? b.transpose(result, {0, 2, 1, 3}) : b.reshape(result, b.shape(0)));
}

void registerMicrosoftOps(OpRegistry &ops) {
  llvm::StringRef domain = "com.microsoft";
  ops.add(domain, "BiasGelu", 1, importBiasGelu);
  ops.add(domain, "EmbedLayerNormalization", 1, importEmbedLayerNorm);
  ops.add(domain, "FastGelu", 1, importFastGelu);
  ops.add(domain, "FusedMatMul", 1, importFusedMatmul);
  ops.add(domain, "QuickGelu", 1, importQuickGelu);
  ops.add(domain, "RotaryEmbedding", 1, importRotaryEmbedding);
  ops.add(domain, "SkipLayerNormalization", 1, importSkipLayerNorm);
  ops.add(domain, "SkipSimplifiedLayerNormalization", 1, importSkipSimplifiedLayerNorm);
}

} // namespace modelc
