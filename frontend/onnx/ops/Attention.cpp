// Attention of the domain com.microsoft, written out as products and softmax.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"

#include <cmath>

using namespace mlir;

namespace modelc {

namespace {

/// The operands of one attention, each [batch, heads, length, width].
struct Heads {
  Value query, key, value;
};

/// What is added to the scores of query and key.
struct Masks {
  /// Of one of the forms that `keyMask` knows, or null.
  Value keys;
  /// Broadcasts to the scores, or null.
  Value bias;
  bool isCausal = false;
};

/// [batch, length, heads * width] as [batch, heads, length, width].
Value splitHeads(NodeBinder &b, Value x, int64_t heads) {
  if (!x) {
    return {};
  }
  llvm::ArrayRef<int64_t> shape = b.shapeOf(x);
  if (shape.size() != 3 || heads < 1 || shape[2] % heads != 0) {
    (void)b.attrError("num_heads", "a divisor of the hidden size", llvm::Twine(heads));
    return {};
  }
  return b.transpose(b.reshape(x, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
}

/// 0 where a key counts, `filter` where not, in a shape that broadcasts to the
/// scores [batch, heads, queries, keys].
Value keyMask(NodeBinder &b, Value mask, int64_t batch, int64_t keys, Type element, double filter) {
  llvm::ArrayRef<int64_t> shape = b.shapeOf(mask);
  Value counts;
  Type i64 = IntegerType::get(b.context(), 64);
  if (shape.size() == 1 && shape[0] == batch) {
    // The number of keys of each batch entry.
    Value lengths = b.reshape(b.cast(mask, i64), {batch, 1, 1, 1});
    counts = b.create<LessOp>({positions(b, {1, 1, 1, keys}, 3), lengths});
  } else if (shape.size() == 2 && shape[0] == batch && shape[1] == keys) {
    Value flags = b.reshape(b.cast(mask, i64), {batch, 1, 1, keys});
    counts = b.create<GreaterOp>({flags, intScalar(b, 0)});
  } else if (shape.size() == 3 && shape[0] == batch && shape[2] == keys) {
    Value flags = b.reshape(b.cast(mask, i64), {batch, 1, shape[1], keys});
    counts = b.create<GreaterOp>({flags, intScalar(b, 0)});
  } else {
    (void)b.error("unsupported shape of the mask");
    return {};
  }
  return b.create<SelectOp>({counts, b.splat(element, 0.0), b.splat(element, filter)});
}

/// softmax(query * key' * scale + masks) * value, as [batch, length, hidden].
Value attend(NodeBinder &b, Heads h, const Masks &masks) {
  if (!h.query || !h.key || !h.value) {
    return {};
  }
  llvm::ArrayRef<int64_t> q = b.shapeOf(h.query), k = b.shapeOf(h.key), v = b.shapeOf(h.value);
  if (k.size() != 4 || v.size() != 4 || q[0] != k[0] || q[1] != k[1] || q[3] != k[3] ||
      k[2] != v[2]) {
    (void)b.error("the shapes of query, key and value do not fit together");
    return {};
  }
  int64_t batch = q[0], heads = q[1], queries = q[2], keys = k[2];
  Type element = b.typeOf(h.query).getElementType();
  double scale = b.floatAttr("scale", 0.0);
  if (scale == 0.0) {
    scale = 1.0 / std::sqrt(static_cast<double>(std::max<int64_t>(q[3], 1)));
  }
  double filter = b.floatAttr("mask_filter_value", -10000.0);
  Value scores = b.create<MulOp>(
      {b.create<MatmulOp>({h.query, b.transpose(h.key, {0, 1, 3, 2})}), b.splat(element, scale)});
  if (masks.isCausal) {
    // The last query sees all keys.
    Value last = b.create<AddOp>({positions(b, {queries, 1}, 0), intScalar(b, keys - queries)});
    Value sees = b.create<LessEqualOp>({positions(b, {1, keys}, 1), last});
    // Out of reach whatever the other masks add.
    scores = b.create<AddOp>(
        {scores, b.create<SelectOp>({sees, b.splat(element, 0.0), b.splat(element, filter)})});
  }
  if (masks.keys) {
    scores = b.create<AddOp>({scores, keyMask(b, masks.keys, batch, keys, element, filter)});
  }
  if (masks.bias) {
    scores = b.create<AddOp>({scores, masks.bias});
  }
  Value weights = b.create<SoftmaxOp>(scores, b.named("axis", 3));
  Value mixed = b.create<MatmulOp>({weights, h.value});
  return b.reshape(b.transpose(mixed, {0, 2, 1, 3}), {batch, queries, heads * v[3]});
}

/// Keys or values of earlier runs in front of those of this one.
Value behindPast(NodeBinder &b, Value past, Value now) {
  return past && now ? concat(b, {past, now}, 2) : now;
}

LogicalResult refuse(NodeBinder &b, llvm::ArrayRef<llvm::StringRef> flags) {
  for (llvm::StringRef flag : flags) {
    if (b.flagAttr(flag)) {
      return b.error("unsupported attribute '" + flag + "'");
    }
  }
  return success();
}

} // namespace

static LogicalResult importAttention(NodeBinder &b) {
  // Operands: data, weights, bias, mask, past, bias of the scores.
  if (!b.hasInput(0) || !b.hasInput(1) || b.rank(0) != 3 || b.rank(1) != 2) {
    return b.error("expected data of rank 3 and weights of rank 2");
  }
  if (failed(refuse(b, {"do_rotary"}))) {
    return failure();
  }
  int64_t heads = b.intAttr("num_heads");
  int64_t total = b.shape(1)[1];
  llvm::SmallVector<int64_t> sizes = b.intsAttr("qkv_hidden_sizes");
  if (sizes.empty()) {
    sizes.assign(3, total / 3);
  }
  if (sizes.size() != 3 || sizes[0] < 0 || sizes[1] < 0 || sizes[2] < 0 || sizes[0] > total ||
      sizes[1] > total || sizes[0] + sizes[1] + sizes[2] != total) {
    return b.error("the weights are not those of query, key and value");
  }
  Value all = b.create<MatmulOp>({b.input(0), b.input(1)});
  if (b.hasInput(2)) {
    all = b.create<AddOp>({all, b.input(2)});
  }
  Heads h;
  h.query = splitHeads(b, sliceAxis(b, all, 2, 0, sizes[0]), heads);
  h.key = splitHeads(b, sliceAxis(b, all, 2, sizes[0], sizes[1]), heads);
  h.value = splitHeads(b, sliceAxis(b, all, 2, sizes[0] + sizes[1], sizes[2]), heads);
  if (!h.query || !h.key || !h.value) {
    return failure();
  }
  if (b.hasInput(4)) {
    // Keys, then values.
    if (b.rank(4) != 5 || b.shape(4)[0] != 2) {
      return b.error("expected a past of rank 5 that begins with 2");
    }
    auto part = [&](int64_t i) {
      return b.reshape(sliceAxis(b, b.input(4), 0, i, 1), b.shape(4).drop_front());
    };
    h.key = behindPast(b, part(0), h.key);
    h.value = behindPast(b, part(1), h.value);
  }
  if (b.hasOutput(1)) {
    auto stacked = [&](Value value) -> Value {
      if (!value) {
        return {};
      }
      llvm::SmallVector<int64_t> shape(b.shapeOf(value));
      shape.insert(shape.begin(), 1);
      return b.reshape(value, shape);
    };
    if (failed(b.setResult(1, concat(b, {stacked(h.key), stacked(h.value)}, 0)))) {
      return failure();
    }
  }
  Masks masks{b.input(3), b.input(5), b.flagAttr("unidirectional")};
  return b.setResult(0, attend(b, h, masks));
}

static LogicalResult importMultiHeadAttention(NodeBinder &b) {
  // Operands: query, key, value, bias, mask, bias of the scores, past keys and
  // values.
  if (!b.hasInput(0) || !b.hasInput(1) || !b.hasInput(2) || b.rank(0) != 3) {
    return b.error("unsupported packing, expected query, key and value");
  }
  int64_t heads = b.intAttr("num_heads");
  int64_t offset = 0;
  auto prepare = [&](unsigned i) -> Value {
    Value x = b.input(i);
    if (b.rank(i) == 4) {
      return x; // keys and values of another sequence, in heads already
    }
    if (b.rank(i) != 3) {
      (void)b.error("expected operands of rank 3 or 4");
      return {};
    }
    if (b.hasInput(3)) {
      int64_t width = b.shape(i)[2];
      if (b.rank(3) != 1 || offset + width > b.shape(3)[0]) {
        (void)b.error("the bias does not fit query, key and value");
        return {};
      }
      x = b.create<AddOp>({x, sliceAxis(b, b.input(3), 0, offset, width)});
      offset += width;
    }
    return splitHeads(b, x, heads);
  };
  Heads h;
  h.query = prepare(0);
  h.key = behindPast(b, b.input(6), prepare(1));
  h.value = behindPast(b, b.input(7), prepare(2));
  if ((b.hasOutput(1) && failed(b.setResult(1, h.key))) ||
      (b.hasOutput(2) && failed(b.setResult(2, h.value)))) {
    return failure();
  }
  Masks masks{b.input(4), b.input(5), b.flagAttr("unidirectional")};
  return b.setResult(0, attend(b, h, masks));
}

void registerAttentionOps(OpRegistry &ops) {
  ops.add("com.microsoft", "Attention", 1, importAttention);
  ops.add("com.microsoft", "MultiHeadAttention", 1, importMultiHeadAttention);
}

} // namespace modelc
