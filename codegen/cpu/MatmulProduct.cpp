//===- MatmulProduct.cpp - loops around the register blocks of a product --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/MatmulProduct.h"
#include "ir/ConstantData.h"
#include <numeric>

using namespace mlir;
using namespace modelc;

/// Bytes of weights that stay in the second-level cache while all rows pass.
static constexpr int64_t cachedBytes = 1 << 20;

ColumnBias::ColumnBias(KernelBuilder &k, Value tensor, Type element) : k(k), element(element) {
  if (!tensor) {
    return;
  }
  if (auto constant = tensor.getDefiningOp<ConstantOp>()) {
    splat = cast<DenseElementsAttr>(constant.getValue()).getSplatValue<APFloat>().convertToDouble();
  } else {
    memory = k.memoryOf(tensor);
  }
}

bool ColumnBias::supports(Value tensor) {
  if (!tensor || isa<BlockArgument>(tensor)) {
    return true;
  }
  auto constant = tensor.getDefiningOp<ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

Values ColumnBias::load(Value column, int64_t vectors, int64_t lanes, int64_t lastActive) const {
  Values result;
  for (int64_t v = 0; v < vectors && (memory || splat != 0); ++v) {
    result.push_back(memory ? k.loadVector(memory, k.add(column, v * lanes), lanes,
                                           v == vectors - 1 ? lastActive : -1)
                            : k.constant(VectorType::get({lanes}, element), splat));
  }
  return result;
}

namespace {
class ProductEmitter {
public:
  ProductEmitter(KernelBuilder &k, const Product &product, TileShape tile, const ColumnBias &bias,
                 ProductSink sink)
      : k(k), p(product), tile(tile), lanes(k.lanes(product.element)), bias(bias), sink(sink),
        blocks(product.columns, lanes, tile.vectors) {}

  void run();

private:
  /// Full blocks of columns, and whether the rest is computed with them.
  struct BlockRange {
    Value first;
    int64_t count;
    bool withRest;
  };
  void emitColumns(Value batch, BlockRange range);
  void emitRowTile(Value batch, Value row, int64_t count, BlockRange range);
  void emitTile(Value x, Value at, int64_t stride, Value batch, Value row, int64_t count,
                Value column, TileWeights weights, int64_t width);
  bool copiesRows(int64_t count) const;

  KernelBuilder &k;
  const Product &p;
  TileShape tile;
  int64_t lanes;
  const ColumnBias &bias;
  ProductSink sink;
  ColumnBlocks blocks;
  Value rowCopy; ///< a tile's rows of x, side by side
};
} // namespace

void ProductEmitter::emitTile(Value x, Value at, int64_t stride, Value batch, Value row,
                              int64_t count, Value column, TileWeights weights, int64_t width) {
  int64_t vectors = llvm::divideCeil(width, lanes);
  int64_t active = activeLanes(width, vectors, lanes);
  int64_t lastActive = active == lanes ? -1 : active;
  TileShape usual{count, blocks.full != 0 ? tile.vectors : vectors};
  MatmulTile block(k, p.element, {count, vectors}, usual, p.depth);
  SmallVector<int64_t> offsets;
  for (int64_t r = 0; r < count; ++r) {
    offsets.push_back(r * stride);
  }
  Values sums = block.start(bias.load(column, vectors, lanes, lastActive));
  sums = block.finish(block.accumulate(sums, x, at, offsets, weights, p.depth));
  for (int64_t r = 0; r < count; ++r) {
    for (int64_t v = 0; v < vectors; ++v) {
      sink(sums[r * vectors + v], batch, k.add(row, r), k.add(column, v * lanes),
           v == vectors - 1 ? lastActive : -1);
    }
  }
}

/// Rows whose distance is a multiple of a page's cache sets push each other
/// out of the first-level cache: 4096 bytes select the set, of 8 ways or more.
bool ProductEmitter::copiesRows(int64_t count) const {
  int64_t bytes = p.depth * elementStorageBytes(p.element);
  int64_t perSet = count * std::gcd(bytes, int64_t(4096)) / 4096;
  return perSet > 8 && blocks.full >= 4;
}

void ProductEmitter::emitRowTile(Value batch, Value row, int64_t count, BlockRange range) {
  Value x = p.x;
  int64_t stride = p.depth;
  Value at = k.add(k.mul(batch, p.xStep), k.mul(row, p.depth));
  if (copiesRows(count)) {
    stride = llvm::divideCeil(p.depth, lanes) * lanes + lanes;
    if (!rowCopy) {
      rowCopy = k.scratch(tile.rows * stride, p.element);
    }
    for (int64_t r = 0; r < count; ++r) {
      int64_t whole = p.depth / lanes * lanes;
      auto copy = [&](Value i, int64_t active) {
        Value value = k.loadVector(p.x, k.add(k.add(at, i), r * p.depth), lanes, active);
        k.store(value, rowCopy, k.add(i, r * stride));
      };
      k.loop(0, whole, lanes, [&](Value i) { copy(i, -1); });
      if (whole < p.depth) {
        copy(k.index(whole), p.depth - whole);
      }
    }
    x = rowCopy;
    at = k.index(0);
  }
  Value base = k.mul(batch, p.weightStep);
  if (range.withRest) {
    // Beyond a row of the rest lies the next row or the first full block; only
    // without one the memory ends there.
    int64_t active = blocks.rest % lanes;
    bool ends = blocks.full == 0 || !p.packed;
    int64_t first = p.packed ? 0 : blocks.full * blocks.width;
    emitTile(x, at, stride, batch, row, count, k.index(blocks.full * blocks.width),
             {p.weights, k.add(base, first), p.packed ? blocks.rest : p.columns,
              active != 0 && ends ? active : -1},
             blocks.rest);
  }
  k.loop(0, range.count, 1, [&](Value number) {
    Value block = k.add(range.first, number);
    Value column = k.mul(block, blocks.width);
    Value start = p.packed
                      ? k.add(k.mul(block, p.depth * blocks.width), blocks.restElements(p.depth))
                      : column;
    emitTile(x, at, stride, batch, row, count, column,
             {p.weights, k.add(base, start), p.packed ? blocks.width : p.columns, -1},
             blocks.width);
  });
}

void ProductEmitter::emitColumns(Value batch, BlockRange range) {
  int64_t whole = p.rows / tile.rows * tile.rows;
  k.loop(0, whole, tile.rows, [&](Value row) { emitRowTile(batch, row, tile.rows, range); });
  if (whole < p.rows) {
    emitRowTile(batch, k.index(whole), p.rows - whole, range);
  }
}

void ProductEmitter::run() {
  int64_t blockBytes = p.depth * blocks.width * elementStorageBytes(p.element);
  int64_t group = std::max<int64_t>(1, cachedBytes / std::max<int64_t>(blockBytes, 1));
  k.loop(0, p.batch, 1, [&](Value batch) {
    if (blocks.full <= group || p.rows <= tile.rows) {
      emitColumns(batch, {k.index(0), blocks.full, blocks.rest > 0});
      return;
    }
    // Groups of about equal size, the last one smaller.
    int64_t count = llvm::divideCeil(blocks.full, group);
    group = llvm::divideCeil(blocks.full, count);
    int64_t whole = blocks.full / group * group;
    k.loop(0, whole, group, [&](Value first) { emitColumns(batch, {first, group, false}); });
    if (whole < blocks.full || blocks.rest > 0) {
      emitColumns(batch, {k.index(whole), blocks.full - whole, blocks.rest > 0});
    }
  });
}

void modelc::emitProduct(KernelBuilder &k, const Product &product, TileShape tile,
                         const ColumnBias &bias, ProductSink sink) {
  ProductEmitter(k, product, tile, bias, sink).run();
}

void modelc::emitProduct(KernelBuilder &k, const Product &product, TileShape tile,
                         const ColumnBias &bias, Epilogue &epilogue) {
  emitProduct(k, product, tile, bias,
              [&](Value value, Value batch, Value row, Value column, int64_t active) {
                epilogue.store(value, k.add(k.mul(batch, product.rows), row), column, active);
              });
}
