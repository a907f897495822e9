//===- SliceEmitter.cpp - passes over the elements of slices --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/SliceEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelc;

/// Vectors that take turns in a total: an addition takes four cycles.
static constexpr int64_t maxTurns = 4;

SliceEmitter::SliceEmitter(KernelBuilder &k, const RowPlan &plan)
    : k(k), plan(plan), width(plan.lanes) {
  for (size_t dim = 0; dim < plan.extents.size(); ++dim) {
    if (plan.inside[dim] && dim != plan.laneDim) {
      insideDims.push_back(dim);
    }
  }
  if (plan.isHorizontal()) {
    insideDims.push_back(plan.laneDim);
  }
  current.position.assign(plan.extents.size(), k.index(0));
  current.dim = plan.laneDim;
}

int64_t SliceEmitter::extentInside(size_t dim) const {
  return plan.extents[dim] / (static_cast<int>(dim) == plan.groupDim ? plan.groups : 1);
}

Value SliceEmitter::positionInside(size_t dim, Value at) {
  return static_cast<int>(dim) == plan.groupDim ? k.add(k.mul(group, extentInside(dim)), at) : at;
}

int64_t SliceEmitter::slicesAtOnce() const {
  if (!plan.isHorizontal() || plan.groups > 1) {
    return 1;
  }
  // A short slice is one chain of operations; several fill the processor.
  int64_t vectors = llvm::divideCeil(plan.sliceCount(), plan.lanes);
  return std::max<int64_t>(1, maxTurns / vectors);
}

void SliceEmitter::forSlices(llvm::function_ref<void()> body) {
  SmallVector<size_t, 6> outer;
  for (size_t dim = 0; dim < plan.extents.size(); ++dim) {
    if (!plan.inside[dim] && dim != plan.laneDim) {
      outer.push_back(dim);
    }
  }
  std::function<void(size_t)> nest = [&](size_t i) {
    if (i < outer.size()) {
      int64_t extent = plan.extents[outer[i]], step = i + 1 == outer.size() ? slicesAtOnce() : 1;
      int64_t whole = extent / step * step;
      k.loop(0, whole, step, [&](Value at) {
        for (int64_t slice = 0; slice < step; ++slice) {
          current.position[outer[i]] = k.add(at, slice);
          nest(i + 1);
        }
      });
      for (int64_t at = whole; at < extent; ++at) {
        current.position[outer[i]] = k.index(at);
        nest(i + 1);
      }
    } else if (plan.isHorizontal()) {
      k.loop(0, plan.groups, 1, [&](Value at) {
        group = at;
        startSlices(body);
      });
    } else {
      forLanes(body);
    }
  };
  nest(0);
}

void SliceEmitter::forLanes(llvm::function_ref<void()> body) {
  int64_t extent = plan.extents[plan.laneDim], done = 0;
  auto run = [&](Value at, int64_t active) {
    current.position[plan.laneDim] = at;
    current.lanes = width;
    current.active = active;
    startSlices(body);
  };
  for (width = plan.lanes * maxTurns; width >= plan.lanes; width /= 2) {
    int64_t end = done + (extent - done) / width * width;
    k.loop(done, end, width, [&](Value at) { run(at, -1); });
    done = end;
  }
  width = plan.lanes;
  if (done < extent) {
    run(k.index(done), extent - done);
  }
}

void SliceEmitter::startSlices(llvm::function_ref<void()> body) {
  int64_t chunks = 1;
  for (size_t dim : insideDims) {
    int64_t extent = extentInside(dim);
    chunks *= dim == plan.laneDim ? llvm::divideCeil(extent, width) : extent;
  }
  unrolled = chunks * (width / plan.lanes) <= (k.target().getVectorRegisters() >= 32 ? 16 : 6);
  registers.clear();
  body();
}

Type SliceEmitter::totalType(Type element) const {
  return totalLanes() == 0 ? element : VectorType::get({totalLanes()}, element);
}

Value SliceEmitter::maskOf(const LaneSpan &span) {
  SmallVector<bool> bits(span.lanes, false);
  std::fill_n(bits.begin(), span.active, true);
  auto type = VectorType::get({span.lanes}, k.builder().getI1Type());
  return k.constant(cast<TypedAttr>(DenseElementsAttr::get(type, bits)));
}

SliceChunk SliceEmitter::enter(SliceChunk chunk, size_t dim, Value at, int64_t left) {
  int64_t extent = extentInside(dim);
  chunk.span.position[dim] = positionInside(dim, at);
  if (dim == plan.laneDim) {
    chunk.span.lanes = width;
    chunk.span.active = left < width ? left : -1;
    extent = llvm::alignTo(extent, width);
  }
  chunk.place = chunk.place ? k.add(k.mul(chunk.place, extent), at) : at;
  return chunk;
}

Values SliceEmitter::passUnrolled(size_t i, const SliceChunk &chunk, const Values &carried,
                                  Step step) {
  size_t dim = insideDims[i];
  int64_t extent = extentInside(dim), size = dim == plan.laneDim ? width : 1;
  Values now = carried;
  for (int64_t at = 0; at < extent; at += size) {
    SliceChunk inner = enter(chunk, dim, k.index(at), extent - at);
    if (i + 1 < insideDims.size()) {
      now = passUnrolled(i + 1, inner, now, step);
    } else {
      inner.number = nextNumber++;
      now = step(inner, now, at / size);
    }
  }
  return now;
}

Values SliceEmitter::passLoops(size_t i, const SliceChunk &chunk, const Values &carried,
                               Step step) {
  size_t dim = insideDims[i];
  bool isInnermost = i + 1 == insideDims.size();
  int64_t turns = isInnermost ? std::max<int64_t>(1, carried.size()) : 1;
  int64_t extent = extentInside(dim), size = dim == plan.laneDim ? width : 1;
  int64_t block = size * turns, whole = extent / block * block;
  auto visit = [&](Value at, int64_t left, int64_t turn, const Values &now) {
    SliceChunk inner = enter(chunk, dim, at, left);
    return isInnermost ? step(inner, now, turn) : passLoops(i + 1, inner, now, step);
  };
  Values now = k.loop(0, whole, block, carried, [&](Value at, const Values &before) {
    Values next = before;
    for (int64_t turn = 0; turn < turns; ++turn) {
      next = visit(k.add(at, turn * size), extent, turn, next);
    }
    return next;
  });
  for (int64_t at = whole; at < extent; at += size) {
    now = visit(k.index(at), extent - at, (at - whole) / size, now);
  }
  return now;
}

Values SliceEmitter::pass(const Values &carried, Step step) {
  nextNumber = 0;
  SliceChunk chunk{current, 0, Value()};
  return unrolled ? passUnrolled(0, chunk, carried, step) : passLoops(0, chunk, carried, step);
}

Value SliceEmitter::total(Value initial, Map map, Combine combine, Combine join) {
  // The same for all slices, so that equal slices have equal totals.
  size_t innermost = insideDims.back();
  int64_t length = extentInside(innermost), turns = maxTurns;
  if (plan.isHorizontal()) {
    length = llvm::divideCeil(length, width);
  } else {
    // Neighbouring slices fill several vectors by themselves.
    turns /= llvm::divideCeil(plan.extents[plan.laneDim], plan.lanes);
  }
  turns = std::max<int64_t>(1, std::min(turns, length));
  Values parts =
      pass(Values(turns, initial), [&](const SliceChunk &chunk, const Values &now, size_t turn) {
        Values next = now;
        Value &part = next[turn % next.size()];
        Value sum = combine(part, map(chunk));
        bool isMasked = plan.isHorizontal() && chunk.span.active >= 0;
        part = isMasked
                   ? k.builder().create<arith::SelectOp>(maskOf(chunk.span), sum, part).getResult()
                   : sum;
        return next;
      });
  while (parts.size() > 1) {
    Values pairs;
    for (size_t i = 0; i + 1 < parts.size(); i += 2) {
      pairs.push_back(join(parts[i], parts[i + 1]));
    }
    if (parts.size() % 2 != 0) {
      pairs.push_back(parts.back());
    }
    parts = pairs;
  }
  return plan.isHorizontal() ? fold(parts.front(), join) : parts.front();
}

Value SliceEmitter::fold(Value vector, Combine join) {
  ImplicitLocOpBuilder &b = k.builder();
  for (int64_t half = cast<VectorType>(vector.getType()).getDimSize(0) / 2; half >= 1; half /= 2) {
    Value low = b.create<vector::ExtractStridedSliceOp>(vector, 0, half, 1);
    Value high = b.create<vector::ExtractStridedSliceOp>(vector, half, half, 1);
    vector = join(low, high);
  }
  return b.create<vector::ExtractOp>(vector, 0);
}

Value SliceEmitter::spread(Value total) {
  return plan.isHorizontal() ? k.broadcast(total, width) : total;
}

void SliceEmitter::each(llvm::function_ref<void(const SliceChunk &)> body) {
  pass({}, [&](const SliceChunk &chunk, const Values &, size_t) {
    body(chunk);
    return Values();
  });
}

Value SliceEmitter::placeOf(const SliceChunk &chunk) {
  return plan.isHorizontal() ? chunk.place : k.mul(chunk.place, width);
}

void SliceEmitter::keep(const SliceChunk &chunk, Value value) {
  if (unrolled) {
    registers.resize(std::max<size_t>(registers.size(), chunk.number + 1));
    registers[chunk.number] = value;
    return;
  }
  if (!memory) {
    int64_t count = plan.isHorizontal() ? 1 : plan.lanes * maxTurns;
    for (size_t dim : insideDims) {
      count *=
          dim == plan.laneDim ? llvm::alignTo(extentInside(dim), plan.lanes) : extentInside(dim);
    }
    memory = k.scratch(count, getElementTypeOrSelf(value.getType()));
  }
  k.store(value, memory, placeOf(chunk));
}

Value SliceEmitter::kept(const SliceChunk &chunk) {
  return unrolled ? registers[chunk.number] : k.loadVector(memory, placeOf(chunk), width);
}

Value SliceEmitter::input(const SliceChunk &chunk, unsigned number) {
  NodeValues known;
  return evaluate(k, plan.tree, plan.inputs[number], chunk.span, known);
}

void SliceEmitter::store(const LaneSpan &span, Value value) {
  NodeValues known;
  known[plan.given] = value;
  Value result = evaluate(k, plan.tree, plan.root, span, known);
  k.write(plan.element, result, k.result(0), addressOf(k, plan.output, span), span.active);
}
