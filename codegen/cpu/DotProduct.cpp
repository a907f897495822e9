//===- DotProduct.cpp - products of a matrix and a vector -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/DotProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelc;

/// Independent additions that keep two units of four cycles' latency busy.
static constexpr int64_t wantedSums = 8;

namespace {
class DotEmitter {
public:
  DotEmitter(KernelBuilder &k, const Product &product, Epilogue &epilogue)
      : k(k), p(product), lanes(k.lanes(product.element)), epilogue(epilogue),
        // Sums, as many elements of x, and those of the vector.
        tileRows(std::min(p.rows,
                          k.target().getVectorRegisters() >= 32 ? wantedSums : wantedSums / 2)) {}

  void run();

private:
  void emitRows(Value batch, Value row, int64_t count);

  KernelBuilder &k;
  const Product &p;
  int64_t lanes;
  Epilogue &epilogue;
  int64_t tileRows;
};
} // namespace

void DotEmitter::emitRows(Value batch, Value row, int64_t count) {
  // The same for all rows, so that equal rows give equal results.
  int64_t splits = 1;
  while (tileRows * splits < wantedSums && 2 * splits * lanes <= p.depth) {
    splits *= 2;
  }
  Value x = k.add(k.mul(batch, p.xStep), k.mul(row, p.depth));
  Value weights = k.mul(batch, p.weightStep);
  auto step = [&](Values sums, Value at, int64_t split, int64_t active) {
    Value factor = k.loadVector(p.weights, k.add(weights, at), lanes, active);
    for (int64_t r = 0; r < count; ++r) {
      Value element = k.loadVector(p.x, k.add(k.add(x, at), r * p.depth), lanes, active);
      Value &target = sums[split * count + r];
      target = k.fma(element, factor, target);
    }
    return sums;
  };
  Values sums(splits * count, k.constant(VectorType::get({lanes}, p.element), 0));
  int64_t width = splits * lanes, main = p.depth / width * width;
  sums = k.loop(0, main, width, sums, [&](Value at, const Values &carried) {
    Values next = carried;
    for (int64_t split = 0; split < splits; ++split) {
      next = step(next, k.add(at, split * lanes), split, -1);
    }
    return next;
  });
  for (int64_t at = main, split = 0; at < p.depth; at += lanes, ++split) {
    int64_t rest = p.depth - at;
    sums = step(sums, k.index(at), split, rest < lanes ? rest : -1);
  }
  for (int64_t half = splits / 2; half >= 1; half /= 2) {
    for (int64_t i = 0; i < half * count; ++i) {
      sums[i] = k.builder().create<arith::AddFOp>(sums[i], sums[i + half * count]);
    }
  }
  Value position = k.add(k.mul(batch, p.rows), row);
  for (int64_t r = 0; r < count; ++r) {
    Value total = k.builder().create<vector::ReductionOp>(vector::CombiningKind::ADD, sums[r]);
    epilogue.store(total, k.add(position, r), k.index(0));
  }
}

void DotEmitter::run() {
  int64_t whole = p.rows / tileRows * tileRows;
  k.loop(0, p.batch, 1, [&](Value batch) {
    k.loop(0, whole, tileRows, [&](Value row) { emitRows(batch, row, tileRows); });
    if (whole < p.rows) {
      emitRows(batch, k.index(whole), p.rows - whole);
    }
  });
}

void modelc::emitDotProducts(KernelBuilder &k, const Product &product, Epilogue &epilogue) {
  DotEmitter(k, product, epilogue).run();
}
