//===- WinogradEmitter.cpp - the code of 3x3 convolutions by tiles --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/WinogradEmitter.h"
#include "ir/ops/IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace modelc;

static constexpr int64_t products = WinogradGeometry::products;
static constexpr int64_t tileInputs = WinogradGeometry::tileInputs;
static constexpr int64_t tileResults = WinogradGeometry::tileResults;

/// Applies a transform of a row to all columns, then to all rows of a square.
static Values transformSquare(ArrayRef<Value> square, int64_t extent,
                              function_ref<Values(ArrayRef<Value>)> transform) {
  SmallVector<Values, 0> columns;
  for (int64_t j = 0; j < extent; ++j) {
    Values column;
    for (int64_t i = 0; i < extent; ++i) {
      column.push_back(square[i * extent + j]);
    }
    columns.push_back(transform(column));
  }
  Values result;
  for (size_t i = 0; i < columns.front().size(); ++i) {
    Values row;
    for (const Values &column : columns) {
      row.push_back(column[i]);
    }
    result.append(transform(row));
  }
  return result;
}

namespace {
class WinogradEmitter {
public:
  WinogradEmitter(KernelBuilder &k, const WinogradGeometry &g, Type element, TileShape tile,
                  Value x, Value filter, const ColumnBias &bias, Epilogue &epilogue)
      : k(k), b(k.builder()), g(g), element(element), tile(tile), lanes(k.lanes(element)),
        tiles(g.groupRows * g.groupColumns), x(x), filter(filter), bias(bias), epilogue(epilogue),
        blocks(g.outputs, lanes, tile.vectors),
        // A vector between the 16 parts keeps them apart in the first-level cache.
        inputStep(tiles * g.inputs + lanes),
        paddedOutputs(llvm::divideCeil(g.outputs, lanes) * lanes),
        sumStep(tiles * paddedOutputs + lanes),
        weights(k.scratch(products * g.inputs * g.outputs, element)),
        inputs(k.scratch(products * inputStep, element)),
        sums(k.scratch(products * sumStep, element)) {}

  void run();

private:
  Value sum(Value u, Value v) { return b.create<arith::AddFOp>(u, v); }
  Value difference(Value u, Value v) { return b.create<arith::SubFOp>(u, v); }

  void transformFilter();
  void transformInputs(Value batch, Value firstRow, Value firstColumn);
  void transformTile(Value batch, Value row, Value column, Value tileNumber);
  Values loadTile(Value at, Value row, Value column, bool inside, int64_t active);
  void multiply();
  void transformResults(Value batch, Value firstRow, Value firstColumn);
  void storeTile(ArrayRef<Value> results, Value batch, Value row, Value column, Value channel,
                 int64_t active);
  void forTiles(Value firstRow, Value firstColumn,
                function_ref<void(Value row, Value column, Value number)> body);
  void forVectors(int64_t count, function_ref<void(Value at, int64_t active)> body);

  KernelBuilder &k;
  ImplicitLocOpBuilder &b;
  const WinogradGeometry &g;
  Type element;
  TileShape tile;
  int64_t lanes;
  int64_t tiles; ///< that are computed together
  Value x, filter;
  const ColumnBias &bias;
  Epilogue &epilogue;
  ColumnBlocks blocks;
  int64_t inputStep, paddedOutputs, sumStep;
  Value weights, inputs, sums; ///< transformed, 16 parts each
};
} // namespace

void WinogradEmitter::forVectors(int64_t count, function_ref<void(Value, int64_t)> body) {
  int64_t whole = count / lanes * lanes;
  k.loop(0, whole, lanes, [&](Value at) { body(at, -1); });
  if (whole < count) {
    body(k.index(whole), count - whole);
  }
}

/// The rows of packed weights are neighbours: what is done to one element is
/// done to all of a block.
void WinogradEmitter::transformFilter() {
  Value half = k.constant(VectorType::get({lanes}, element), 0.5);
  auto transform = [&](ArrayRef<Value> w) {
    Value ends = b.create<arith::MulFOp>(sum(w[0], w[2]), half);
    Value middle = b.create<arith::MulFOp>(w[1], half);
    return Values{w[0], sum(ends, middle), difference(ends, middle), w[2]};
  };
  int64_t part = g.inputs * g.outputs;
  auto transformBlock = [&](Value first, int64_t count) {
    forVectors(count, [&](Value i, int64_t active) {
      Values taps;
      Value from = k.add(k.mul(first, 9), i);
      for (int64_t tap = 0; tap < 9; ++tap) {
        taps.push_back(k.loadVector(filter, k.add(from, tap * count), lanes, active));
      }
      for (auto [p, value] : llvm::enumerate(transformSquare(taps, 3, transform))) {
        k.store(value, weights, k.add(k.add(first, i), p * part), active);
      }
    });
  };
  if (blocks.rest > 0) {
    transformBlock(k.index(0), blocks.restElements(g.inputs));
  }
  int64_t full = blocks.width * g.inputs;
  k.loop(0, blocks.full, 1, [&](Value number) {
    transformBlock(k.add(k.mul(number, full), blocks.restElements(g.inputs)), full);
  });
}

void WinogradEmitter::forTiles(Value firstRow, Value firstColumn,
                               function_ref<void(Value, Value, Value)> body) {
  k.loop(0, g.groupRows, 1, [&](Value row) {
    k.loop(0, g.groupColumns, 1, [&](Value column) {
      body(k.add(firstRow, row), k.add(firstColumn, column),
           k.add(k.mul(row, g.groupColumns), column));
    });
  });
}

/// The 16 inputs of a tile whose first is at `at`, in row `row` and column
/// `column` of x; 0 outside of it.
Values WinogradEmitter::loadTile(Value at, Value row, Value column, bool inside, int64_t active) {
  auto type = VectorType::get({lanes}, element);
  auto exists = [&](Value first, int64_t offset, int64_t extent) -> Value {
    Value position = k.add(first, offset);
    // Negative ones are large without sign.
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, position, k.index(extent));
  };
  Values loaded;
  for (int64_t i = 0; i < tileInputs; ++i) {
    for (int64_t j = 0; j < tileInputs; ++j) {
      Value from = k.add(at, (i * g.columns + j) * g.inputs);
      if (inside) {
        loaded.push_back(k.loadVector(x, from, lanes, active));
        continue;
      }
      Value isHit = b.create<arith::AndIOp>(exists(row, i, g.rows), exists(column, j, g.columns));
      auto branch = b.create<scf::IfOp>(type, isHit, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      b.create<scf::YieldOp>(k.loadVector(x, from, lanes, active));
      b.setInsertionPointToStart(branch.elseBlock());
      b.create<scf::YieldOp>(k.constant(type, 0));
      loaded.push_back(branch.getResult(0));
    }
  }
  return loaded;
}

void WinogradEmitter::transformTile(Value batch, Value row, Value column, Value tileNumber) {
  auto transform = [&](ArrayRef<Value> d) {
    return Values{difference(d[0], d[2]), sum(d[1], d[2]), difference(d[2], d[1]),
                  difference(d[1], d[3])};
  };
  Value firstRow = k.add(k.mul(row, tileResults), -g.rowPad);
  Value firstColumn = k.add(k.mul(column, tileResults), -g.columnPad);
  Value line = k.add(k.mul(batch, g.rows), firstRow);
  Value at = k.mul(k.add(k.mul(line, g.columns), firstColumn), g.inputs);
  Value to = k.mul(tileNumber, g.inputs);
  auto emit = [&](bool inside) {
    forVectors(g.inputs, [&](Value channel, int64_t active) {
      Values tileValues = loadTile(k.add(at, channel), firstRow, firstColumn, inside, active);
      for (auto [p, value] : llvm::enumerate(transformSquare(tileValues, tileInputs, transform))) {
        k.store(value, inputs, k.add(k.add(to, channel), p * inputStep), active);
      }
    });
  };
  auto lastExists = [&](int64_t tiles, int64_t pad, int64_t extent) {
    return (tiles - 1) * tileResults - pad + tileInputs <= extent;
  };
  if (g.rowPad == 0 && g.columnPad == 0 && lastExists(g.tileRows(), 0, g.rows) &&
      lastExists(g.tileColumns(), 0, g.columns)) {
    emit(true);
    return;
  }
  auto fits = [&](Value first, int64_t extent) -> Value {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, first,
                                   k.index(std::max<int64_t>(extent - tileInputs + 1, 0)));
  };
  Value inside = b.create<arith::AndIOp>(fits(firstRow, g.rows), fits(firstColumn, g.columns));
  auto branch = b.create<scf::IfOp>(TypeRange(), inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emit(true);
  b.setInsertionPointToStart(branch.elseBlock());
  emit(false);
}

void WinogradEmitter::transformInputs(Value batch, Value firstRow, Value firstColumn) {
  forTiles(firstRow, firstColumn, [&](Value row, Value column, Value number) {
    transformTile(batch, row, column, number);
  });
}

void WinogradEmitter::multiply() {
  Product p{};
  p.element = element;
  p.batch = products;
  p.rows = tiles;
  p.depth = g.inputs;
  p.columns = g.outputs;
  p.x = inputs;
  p.weights = weights;
  p.xStep = inputStep;
  p.weightStep = g.inputs * g.outputs;
  p.packed = true;
  emitProduct(k, p, tile, ColumnBias(k, {}, element),
              [&](Value value, Value part, Value row, Value column, int64_t) {
                Value at = k.add(k.mul(part, sumStep), k.mul(row, paddedOutputs));
                k.store(value, sums, k.add(at, column));
              });
}

void WinogradEmitter::storeTile(ArrayRef<Value> results, Value batch, Value row, Value column,
                                Value channel, int64_t active) {
  for (int64_t i = 0; i < tileResults; ++i) {
    for (int64_t j = 0; j < tileResults; ++j) {
      Value resultRow = k.add(k.mul(row, tileResults), i);
      Value resultColumn = k.add(k.mul(column, tileResults), j);
      Value position =
          k.add(k.mul(k.add(k.mul(batch, g.resultRows), resultRow), g.resultColumns), resultColumn);
      OpBuilder::InsertionGuard guard(b);
      auto require = [&](Value at, int64_t extent) {
        Value exists = indexing::less(b, at, k.index(extent));
        b.setInsertionPointToStart(b.create<scf::IfOp>(exists).thenBlock());
      };
      if (i == 1 && g.resultRows % tileResults != 0) {
        require(resultRow, g.resultRows);
      }
      if (j == 1 && g.resultColumns % tileResults != 0) {
        require(resultColumn, g.resultColumns);
      }
      epilogue.store(results[i * tileResults + j], position, channel, active);
    }
  }
}

void WinogradEmitter::transformResults(Value batch, Value firstRow, Value firstColumn) {
  auto transform = [&](ArrayRef<Value> m) {
    return Values{sum(m[0], sum(m[1], m[2])), difference(difference(m[1], m[2]), m[3])};
  };
  forTiles(firstRow, firstColumn, [&](Value row, Value column, Value number) {
    Value from = k.mul(number, paddedOutputs);
    forVectors(g.outputs, [&](Value channel, int64_t active) {
      Values terms;
      for (int64_t p = 0; p < products; ++p) {
        Value at = k.add(k.add(from, channel), p * sumStep);
        terms.push_back(k.loadVector(sums, at, lanes));
      }
      Values results = transformSquare(terms, tileInputs, transform);
      for (Value offset : bias.load(channel, 1, lanes, active)) {
        for (Value &result : results) {
          result = sum(result, offset);
        }
      }
      storeTile(results, batch, row, column, channel, active);
    });
  });
}

void WinogradEmitter::run() {
  transformFilter();
  // The last group of a dimension begins where it ends with the last tile.
  auto forGroups = [&](int64_t count, int64_t step, function_ref<void(Value)> body) {
    k.loop(0, count, step, [&](Value first) {
      body(count % step == 0 ? first
                             : b.create<arith::MinUIOp>(first, k.index(count - step)).getResult());
    });
  };
  k.loop(0, g.batch, 1, [&](Value batch) {
    forGroups(g.tileRows(), g.groupRows, [&](Value row) {
      forGroups(g.tileColumns(), g.groupColumns, [&](Value column) {
        transformInputs(batch, row, column);
        multiply();
        transformResults(batch, row, column);
      });
    });
  });
}

void modelc::emitWinograd(KernelBuilder &k, const WinogradGeometry &geometry, Type element,
                          TileShape tile, Value x, Value filter, const ColumnBias &bias,
                          Epilogue &epilogue) {
  WinogradEmitter(k, geometry, element, tile, x, filter, bias, epilogue).run();
}
