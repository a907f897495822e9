//===- ConvLoops.cpp - loops of convolutions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/WindowLoops.h"

using namespace mlir;
using namespace modelc;
using loops::Carried;
using loops::Span;
using loops::Window;

namespace {
/// What both convolutions have: operands 0 (x), 1 (filter) and 2 (bias) and their extents.
template <typename OpTy> class Convolution {
public:
  Convolution(ImplicitLocOpBuilder &b, KernelIO &io, OpTy op)
      : b(b), io(io), op(op), layout{op.getChannelsLast()}, element(elementOf(op.getResult())),
        input(shapeOf(op.getX())), result(shapeOf(op.getResult())), filter(shapeOf(op.getFilter())),
        groups(op.getGroups()), inputsPerGroup(layout.channels(input) / groups),
        outputsPerGroup(layout.channels(result) / groups) {}

protected:
  Type compute() const { return computeType(element); }
  /// An operand's element in the type of the sums, which is wider for integers.
  Value readWide(unsigned operand, ValueRange indices) {
    Value value = io.read(operand, indices);
    Type from = elementOf(op->getOperand(operand));
    return isa<IntegerType>(from) ? scalar::cast(b, value, from, element) : value;
  }
  Value readX(Value batch, Value channel, ValueRange spatial) {
    return readWide(0, layout.indices(batch, channel, spatial));
  }
  Value bias(Value channel) {
    return op.getBias() ? io.read(2, channel) : scalar::constant(b, compute(), 0);
  }
  void write(Value batch, Value channel, ValueRange spatial, Value value) {
    io.write(0, layout.indices(batch, channel, spatial), value);
  }
  /// Channel `i` of group `group`, which has `count` of them.
  Value channelOf(Value group, int64_t count, Value i) {
    return indexing::add(b, indexing::mul(b, group, count), i);
  }
  /// Element of a filter whose first two dimensions are `first` and `second`.
  Value readFilter(Value first, Value second, ValueRange kernel) {
    SmallVector<Value> indices{first, second};
    indices.append(kernel.begin(), kernel.end());
    return readWide(1, indices);
  }
  static SmallVector<Value> join(ValueRange outer, Value last) {
    SmallVector<Value> all(outer);
    all.push_back(last);
    return all;
  }

  /// A row of sums along the last spatial dimension, in blocks.
  struct SpatialRow {
    Value batch, group, output, channel; ///< output `output` of the group is `channel`
    ValueRange spatial;                  ///< the dimensions before the last
    Span block;
    loops::Buffer &sums;

    /// The place of the sum for position `o`.
    Value local(ImplicitLocOpBuilder &b, Value o) const { return indexing::sub(b, o, block.lower); }
  };
  /// Runs `body`, which adds to the sums, for each row of the result. They start at the bias.
  void forSpatialRows(llvm::function_ref<void(const SpatialRow &)> body) {
    int64_t length = layout.spatial(result).back();
    loops::Buffer sums(b, io, {std::min(length, loops::rowElements)}, compute());
    SmallVector<int64_t> outer{result[0], groups, outputsPerGroup};
    llvm::append_range(outer, layout.spatial(result).drop_back());
    loops::forEach(b, outer, [&](ValueRange at) {
      ValueRange spatial = at.drop_front(3);
      Value channel = channelOf(at[1], outputsPerGroup, at[2]);
      loops::forBlocks(b, length, [&](Span block) {
        SpatialRow row{at[0], at[1], at[2], channel, spatial, block, sums};
        Value start = bias(channel);
        loops::forRange(b, block, [&](Value o) { sums.store(b, row.local(b, o), start); });
        body(row);
        loops::forRange(b, block, [&](Value o) {
          write(at[0], channel, join(spatial, o), sums.load(b, row.local(b, o)));
        });
      });
    });
  }
  /// Runs `body`, which adds to a row of sums along the channels, for each position of the result.
  void
  forChannelRows(llvm::function_ref<void(Value batch, ValueRange spatial, loops::Buffer &)> body) {
    int64_t channels = layout.channels(result);
    loops::Buffer sums(b, io, {channels}, compute());
    SmallVector<int64_t> outer{result[0]};
    llvm::append_range(outer, layout.spatial(result));
    Span all = loops::rangesOf(b, channels)[0];
    loops::forEach(b, outer, [&](ValueRange at) {
      ValueRange spatial = at.drop_front();
      loops::forRange(b, all, [&](Value c) { sums.store(b, c, bias(c)); });
      body(at[0], spatial, sums);
      loops::forRange(b, all, [&](Value c) { write(at[0], c, spatial, sums.load(b, c)); });
    });
  }
  /// Adds `x` times a weight to the sum of each output of `group`.
  void addToOutputs(loops::Buffer &sums, Value group, Value x,
                    llvm::function_ref<Value(Value channel, Value output)> weight) {
    loops::forEach(b, {outputsPerGroup}, [&](ValueRange o) {
      Value c = channelOf(group, outputsPerGroup, o[0]);
      sums.store(b, c, loops::sumOfProducts(b, sums.load(b, c), x, weight(c, o[0])));
    });
  }

  ImplicitLocOpBuilder &b;
  KernelIO &io;
  OpTy op;
  loops::Layout layout;
  Type element;
  ArrayRef<int64_t> input, result, filter;
  int64_t groups, inputsPerGroup, outputsPerGroup;
  SmallVector<Window> windows;
};

class Forward : public Convolution<ConvOp> {
public:
  Forward(ImplicitLocOpBuilder &b, KernelIO &io, ConvOp op) : Convolution(b, io, op) {
    ArrayRef<int64_t> from = layout.spatial(input), to = layout.spatial(result);
    for (size_t d = 0; d < from.size(); ++d) {
      windows.push_back({from[d], to[d], filter[d + 2], op.getStrides()[d], op.getDilations()[d],
                         op.getPadsBegin()[d]});
    }
  }

  void build() {
    if (layout.channelsLast) {
      buildChannelRows();
    } else if (windows.back().count < loops::shortestRow) {
      buildElements();
    } else {
      buildSpatialRows();
    }
  }

private:
  SmallVector<Span> kernelRanges(ValueRange spatial) {
    SmallVector<Span> ranges;
    for (auto [o, window] : llvm::zip(spatial, windows)) {
      ranges.push_back(loops::kernelRange(b, window, o));
    }
    return ranges;
  }
  SmallVector<Value> source(ValueRange spatial, ValueRange kernel) {
    SmallVector<Value> positions;
    for (auto [o, k, window] : llvm::zip(spatial, kernel, windows)) {
      positions.push_back(loops::positionIn(b, window, o, k));
    }
    return positions;
  }

  /// One accumulator per element.
  void buildElements() {
    SmallVector<int64_t> outer{result[0], groups, outputsPerGroup};
    llvm::append_range(outer, layout.spatial(result));
    loops::forEach(b, outer, [&](ValueRange at) {
      ValueRange spatial = at.drop_front(3);
      Value channel = channelOf(at[1], outputsPerGroup, at[2]);
      SmallVector<Span> ranges = loops::rangesOf(b, inputsPerGroup);
      llvm::append_range(ranges, kernelRanges(spatial));
      Carried total = loops::reduceEach(
          b, ranges, bias(channel), [&](ValueRange in, ValueRange carried) -> Carried {
            ValueRange kernel = in.drop_front();
            Value x =
                readX(at[0], channelOf(at[1], inputsPerGroup, in[0]), source(spatial, kernel));
            return {loops::sumOfProducts(b, carried[0], x, readFilter(channel, in[0], kernel))};
          });
      write(at[0], channel, spatial, total[0]);
    });
  }

  void buildSpatialRows() {
    const Window &last = windows.back();
    forSpatialRows([&](const SpatialRow &row) {
      SmallVector<Span> ranges = loops::rangesOf(b, inputsPerGroup);
      llvm::append_range(ranges, kernelRanges(row.spatial));
      ranges.push_back(loops::rangesOf(b, last.kernel)[0]);
      loops::forEach(b, ranges, [&](ValueRange in) {
        ValueRange kernel = in.drop_front();
        Value w = readFilter(row.channel, in[0], kernel);
        Value from = channelOf(row.group, inputsPerGroup, in[0]);
        Span valid = loops::windowRange(b, last, kernel.back());
        valid = {loops::maximum(b, valid.lower, row.block.lower),
                 loops::minimum(b, valid.upper, row.block.upper)};
        loops::forRange(b, valid, [&](Value o) {
          Value x = readX(row.batch, from, source(join(row.spatial, o), kernel));
          Value at = row.local(b, o);
          row.sums.store(b, at, loops::sumOfProducts(b, row.sums.load(b, at), x, w));
        });
      });
    });
  }

  /// Channels are contiguous.
  void buildChannelRows() {
    forChannelRows([&](Value batch, ValueRange spatial, loops::Buffer &sums) {
      SmallVector<Span> ranges = kernelRanges(spatial);
      ranges.push_back(loops::rangesOf(b, inputsPerGroup)[0]);
      // With one output per group (depthwise) the innermost loop runs along the groups.
      ranges.push_back(loops::rangesOf(b, groups)[0]);
      loops::forEach(b, ranges, [&](ValueRange in) {
        ValueRange kernel = in.drop_back(2);
        Value i = in[in.size() - 2], group = in.back();
        Value x = readX(batch, channelOf(group, inputsPerGroup, i), source(spatial, kernel));
        addToOutputs(sums, group, x, [&](Value c, Value) { return readFilter(c, i, kernel); });
      });
    });
  }
};

/// In the transposed convolution input element i contributes to the results
/// `i * stride + k * dilation - pad`: a window whose positions lie in the result.
class Transposed : public Convolution<ConvTransposeOp> {
public:
  Transposed(ImplicitLocOpBuilder &b, KernelIO &io, ConvTransposeOp op) : Convolution(b, io, op) {
    ArrayRef<int64_t> from = layout.spatial(input), to = layout.spatial(result);
    for (size_t d = 0; d < from.size(); ++d) {
      windows.push_back({to[d], from[d], filter[d + 2], op.getStrides()[d], op.getDilations()[d],
                         op.getPadsBegin()[d]});
    }
  }

  void build() {
    if (layout.channelsLast) {
      buildChannelRows();
    } else {
      buildSpatialRows();
    }
  }

private:
  /// Runs `body` for each kernel position that links the result elements `spatial` to an input
  /// element, with that element's position; over the dimensions that `spatial` has.
  void forContributions(ValueRange spatial,
                        llvm::function_ref<void(ValueRange kernel, ValueRange source)> body) {
    SmallVector<Value> kernel, source;
    std::function<void()> nest = [&]() {
      size_t d = kernel.size();
      if (d == spatial.size()) {
        body(kernel, source);
        return;
      }
      const Window &w = windows[d];
      Value zero = indexing::constant(b, 0);
      loops::forEach(b, {w.kernel}, [&](ValueRange k) {
        Value scaled = indexing::add(
            b, indexing::sub(b, spatial[d], indexing::mul(b, k[0], w.dilation)), w.pad);
        Value i = indexing::div(b, scaled, w.stride);
        Value isHit = b.create<arith::CmpIOp>(arith::CmpIPredicate::sge, scaled, zero);
        auto require = [&](Value condition) { isHit = b.create<arith::AndIOp>(isHit, condition); };
        if (w.stride > 1) {
          require(b.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                          indexing::rem(b, scaled, w.stride), zero));
        }
        require(indexing::less(b, i, indexing::constant(b, w.count)));
        loops::when(b, isHit, [&]() {
          kernel.push_back(k[0]);
          source.push_back(i);
          nest();
          kernel.pop_back();
          source.pop_back();
        });
      });
    };
    nest();
  }

  void buildSpatialRows() {
    const Window &last = windows.back();
    forSpatialRows([&](const SpatialRow &row) {
      loops::forEach(b, {inputsPerGroup}, [&](ValueRange i) {
        Value from = channelOf(row.group, inputsPerGroup, i[0]);
        forContributions(row.spatial, [&](ValueRange kernel, ValueRange source) {
          loops::forEach(b, {last.kernel}, [&](ValueRange k) {
            Value w = readFilter(from, row.output, join(kernel, k[0]));
            // The input elements whose results lie in the block.
            Span valid = loops::windowRange(b, last, k[0], row.block);
            loops::forRange(b, valid, [&](Value position) {
              Value x = readX(row.batch, from, join(source, position));
              Value at = row.local(b, loops::positionIn(b, last, position, k[0]));
              row.sums.store(b, at, loops::sumOfProducts(b, row.sums.load(b, at), x, w));
            });
          });
        });
      });
    });
  }

  void buildChannelRows() {
    forChannelRows([&](Value batch, ValueRange spatial, loops::Buffer &sums) {
      forContributions(spatial, [&](ValueRange kernel, ValueRange source) {
        loops::forEach(b, {inputsPerGroup, groups}, [&](ValueRange in) {
          Value from = channelOf(in[1], inputsPerGroup, in[0]);
          Value x = readX(batch, from, source);
          addToOutputs(sums, in[1], x, [&](Value, Value o) { return readFilter(from, o, kernel); });
        });
      });
    });
  }
};
} // namespace

void ConvOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Forward(b, io, *this).build();
}

void ConvTransposeOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Transposed(b, io, *this).build();
}
