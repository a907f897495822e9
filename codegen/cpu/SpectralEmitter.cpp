//===- SpectralEmitter.cpp - transforms from and to tensors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/SpectralEmitter.h"
#include "codegen/cpu/FftShuffles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace modelc;

TransformEmitter::TransformEmitter(KernelBuilder &k, Type element, const TransformShape &shape)
    : k(k), element(element), shape(shape), lanes(k.lanes(element)) {
  bool isReal = shape.isInverse ? shape.isOnesided : shape.parts == 1;
  if (isReal && shape.length % 2 == 0) {
    real.emplace(k, element, shape.length, shape.isInverse);
  } else {
    complex.emplace(k, element, shape.length);
  }
}

Value TransformEmitter::weighted(Value x, const Window &window, Value at, int64_t count,
                                 int64_t active) {
  FftArithmetic a(k, element, count);
  if (window.memory) {
    return a.mul(x, loadLanes(k, window.memory, at, count, active));
  }
  return a.mul(x, window.value);
}

Complex TransformEmitter::loadElement(Value source, Value from, const Window &window, Value at,
                                      int64_t count, int64_t active) {
  if (real) {
    // Element `at` is a pair of samples, and so are its window's.
    Value first = k.mul(at, 2), position = k.add(from, first);
    if (count == 1) {
      return {weighted(k.load(source, position), window, first, 1),
              weighted(k.load(source, k.add(position, 1)), window, k.add(first, 1), 1)};
    }
    Value pairs = k.loadVector(source, position, 2 * count, 2 * active);
    return partPairs(k, weighted(pairs, window, first, 2 * count, 2 * active));
  }
  if (shape.parts == 1) {
    Value x = loadLanes(k, source, k.add(from, at), count, active);
    Type type = x.getType();
    return {weighted(x, window, at, count, active), k.constant(type, 0)};
  }
  Complex x = loadPairs(k, source, k.add(from, k.mul(at, 2)), count, active);
  return {weighted(x.re, window, at, count, active), weighted(x.im, window, at, count, active)};
}

void TransformEmitter::emit(Value source, Value from, const Window &window, Value target,
                            Value to) {
  auto store = [&](Value at, Complex value, bool isReversed) {
    storePairs(k, value, target, k.add(to, k.mul(at, 2)), isReversed);
  };
  if (shape.isInverse && shape.isOnesided) {
    return emitFrame(source, from, target, to);
  }
  auto load = [&](Value at, int64_t count, int64_t active) {
    return loadElement(source, from, window, at, count, active);
  };
  if (real) {
    real->emitForward(
        load,
        [&](Value at, int64_t, Complex value, bool isReversed) { store(at, value, isReversed); },
        /*isFull=*/!shape.isOnesided);
    return;
  }
  if (shape.isOnesided) {
    return emitOddForward(load, target, to);
  }
  if (!shape.isInverse) {
    complex->emit(load, [&](Value at, int64_t, Complex value) { store(at, value, false); });
    return;
  }
  double scale = 1.0 / static_cast<double>(shape.length);
  complex->emit(
      [&](Value at, int64_t count, int64_t active) { return load(at, count, active).swapped(); },
      [&](Value at, int64_t count, Complex value) {
        FftArithmetic a(k, element, count);
        store(at, a.mul(value, scale).swapped(), false);
      });
}

/// The whole transform in scratch memory, then the bins of one side.
void TransformEmitter::emitOddForward(FftLoad load, Value target, Value to) {
  SplitArray z = complex->output();
  complex->emit(load, [&](Value at, int64_t, Complex value) { z.store(k, at, value); });
  int64_t count = lanesFor(shape.bins(), lanes);
  forVectors(k, shape.bins(), count, [&](Value at) {
    storePairs(k, z.load(k, at, count), target, k.add(to, k.mul(at, 2)));
  });
}

/// `store` gets samples and their position; it may get some twice.
void TransformEmitter::emitOddInverse(Value source, Value from,
                                      function_ref<void(Value, Value)> store) {
  int64_t sides = shape.length / 2, vector = lanesFor(sides, lanes);
  double scale = 1.0 / static_cast<double>(shape.length);
  SplitArray z = complex->input();
  Value zero = k.constant(element, 0);
  FftArithmetic one(k, element, 1), a(k, element, vector);
  z.store(k, k.index(0), {one.mul(k.load(source, from), scale), zero});
  if (sides > 0) {
    forVectors(k, sides, vector, [&](Value at) {
      Complex x = loadPairs(k, source, k.add(k.add(from, k.mul(at, 2)), 2), vector);
      x = a.mul(x, scale);
      z.store(k, k.add(at, 1), x);
      Value mirror = k.builder().create<arith::SubIOp>(k.index(shape.length - vector), at);
      z.store(k, mirror, {reversed(k, x.re), reversed(k, a.neg(x.im))});
    });
  }
  complex->emit([&](Value at, int64_t count, int64_t) { return z.load(k, at, count).swapped(); },
                [&](Value at, int64_t, Complex value) { store(at, value.im); });
}

void TransformEmitter::emitFrame(Value source, Value from, Value target, Value to) {
  if (!real) {
    return emitOddInverse(source, from,
                          [&](Value at, Value x) { k.store(x, target, k.add(to, at)); });
  }
  real->emitInverse(
      [&](Value at, int64_t count) {
        return loadPairs(k, source, k.add(from, k.mul(at, 2)), count);
      },
      [&](Value at, int64_t, Complex value) {
        storePairs(k, value, target, k.add(to, k.mul(at, 2)));
      });
}

void TransformEmitter::emitAdded(Value source, Value from, const Window &window, Value target,
                                 Value to) {
  auto accumulate = [&](Value x, Value at, int64_t count) {
    FftArithmetic a(k, element, count);
    Value place = k.add(to, at), sum = loadLanes(k, target, place, count);
    k.store(a.add(sum, weighted(x, window, at, count)), target, place);
  };
  if (real && real->storesOnce()) {
    real->emitInverse(
        [&](Value at, int64_t count) {
          return loadPairs(k, source, k.add(from, k.mul(at, 2)), count);
        },
        [&](Value at, int64_t count, Complex value) {
          Value first = k.mul(at, 2);
          if (count > 1) {
            accumulate(joinPairs(k, value, false), first, 2 * count);
            return;
          }
          accumulate(value.re, first, 1);
          accumulate(value.im, k.add(first, 1), 1);
        });
    return;
  }
  if (!frame) {
    frame = k.scratch(shape.length, element);
  }
  emitFrame(source, from, frame, k.index(0));
  int64_t whole = shape.length / lanes * lanes;
  k.loop(0, whole, lanes, [&](Value at) { accumulate(loadLanes(k, frame, at, lanes), at, lanes); });
  k.loop(whole, shape.length, 1, [&](Value at) { accumulate(k.load(frame, at), at, 1); });
}
