//===- SpectralGenerator.cpp - Fourier transforms by fast algorithms ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/SpectralGenerator.h"
#include "codegen/cpu/SpectralEmitter.h"

using namespace mlir;
using namespace modelc;

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return typeOf(tensor).getShape();
}

static SplatElementsAttr splatOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
}

/// The transform of a kernel that has nothing else but a constant window.
static Operation *anchorOf(KernelOp kernel) {
  Operation *anchor = nullptr;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<DftOp, StftOp, IstftOp>(op) && !anchor) {
      anchor = &op;
    } else if (!isa<ConstantOp>(op)) {
      return nullptr;
    }
  }
  return anchor;
}

bool SpectralGenerator::supports(KernelOp kernel, TargetAttr target) const {
  Operation *op = anchorOf(kernel);
  auto yield = cast<YieldOp>(kernel.getBody().front().getTerminator());
  if (!op || yield.getValues().size() != 1 || yield.getValues().front() != op->getResult(0) ||
      !isa<BlockArgument>(op->getOperand(0)) || typeOf(op->getOperand(0)).getNumElements() == 0) {
    return false;
  }
  auto istft = dyn_cast<IstftOp>(op);
  if (istft && istft.getNormalize()) {
    return false; // the pass that prepares constant windows leaves this to the loops
  }
  if (op->getNumOperands() > 1) {
    Value window = op->getOperand(1);
    if (!isa<BlockArgument>(window) && !splatOf(window)) {
      return false;
    }
  }
  // Small cores compute in single precision.
  Type element = typeOf(op->getResult(0)).getElementType();
  return element.isF32() || (element.isF64() && target.getVectorBytes() >= 16);
}

double SpectralGenerator::cost(KernelOp kernel, TargetAttr) const {
  // Far below that of sums.
  return static_cast<double>(typeOf(anchorOf(kernel)->getResult(0)).getNumElements());
}

static Window windowOf(KernelBuilder &k, Value value) {
  if (SplatElementsAttr splat = splatOf(value)) {
    return {{}, splat.getSplatValue<APFloat>().convertToDouble()};
  }
  return {k.memoryOf(value)};
}

/// Fills the elements from `first` up to `count` with zeros.
static void emitZeros(KernelBuilder &k, Type element, Value memory, int64_t first, int64_t count) {
  if (count <= first) {
    return;
  }
  int64_t lanes = lanesFor(count - first, k.lanes(element));
  Type type = lanes == 1 ? element : Type(VectorType::get({lanes}, element));
  forVectors(k, count - first, lanes,
             [&](Value at) { k.store(k.constant(type, 0), memory, k.add(at, first)); });
}

static void emitDft(KernelBuilder &k, DftOp op) {
  Type element = typeOf(op.getX()).getElementType();
  ArrayRef<int64_t> shape = shapeOf(op.getX());
  TransformShape t{static_cast<int64_t>(op.getLength()), shape.back(), op.getInverse(),
                   op.getOnesided()};
  int64_t given = shape[shape.size() - 2] * shape.back();
  int64_t count = typeOf(op.getX()).getNumElements() / given;
  TransformEmitter emitter(k, element, t);
  Value source = k.memoryOf(op.getX()), filled;
  if (given < t.inputs()) {
    filled = k.scratch(t.inputs(), element);
    emitZeros(k, element, filled, given, t.inputs());
  }
  k.loop(0, count, 1, [&](Value number) {
    Value from = k.mul(number, given), to = k.mul(number, t.outputs());
    if (!filled) {
      return emitter.emit(source, from, {}, k.result(0), to);
    }
    int64_t lanes = lanesFor(given, k.lanes(element));
    forVectors(k, given, lanes, [&](Value at) {
      k.store(loadLanes(k, source, k.add(from, at), lanes), filled, at);
    });
    emitter.emit(filled, k.index(0), {}, k.result(0), to);
  });
}

static void emitStft(KernelBuilder &k, StftOp op) {
  ArrayRef<int64_t> signal = shapeOf(op.getSignal()), result = shapeOf(op.getResult());
  TransformShape t{shapeOf(op.getWindow())[0], signal[2], /*isInverse=*/false, op.getOnesided()};
  TransformEmitter emitter(k, typeOf(op.getSignal()).getElementType(), t);
  Window window = windowOf(k, op.getWindow());
  int64_t step = op.getFrameStep() * signal[2];
  k.loop(0, signal[0], 1, [&](Value batch) {
    Value start = k.mul(batch, signal[1] * signal[2]), first = k.mul(batch, result[1]);
    k.loop(0, result[1], 1, [&](Value number) {
      emitter.emit(k.memoryOf(op.getSignal()), k.add(start, k.mul(number, step)), window,
                   k.result(0), k.mul(k.add(first, number), t.outputs()));
    });
  });
}

static void emitIstft(KernelBuilder &k, IstftOp op) {
  ArrayRef<int64_t> spectrum = shapeOf(op.getSpectrum());
  Type element = typeOf(op.getSpectrum()).getElementType();
  TransformShape t{shapeOf(op.getWindow())[0], 2, /*isInverse=*/true, /*isOnesided=*/true};
  TransformEmitter emitter(k, element, t);
  Window window = windowOf(k, op.getWindow());
  int64_t samples = shapeOf(op.getResult())[1];
  emitZeros(k, element, k.result(0), 0, spectrum[0] * samples);
  k.loop(0, spectrum[0], 1, [&](Value batch) {
    Value start = k.mul(batch, samples), first = k.mul(batch, spectrum[1]);
    k.loop(0, spectrum[1], 1, [&](Value number) {
      emitter.emitAdded(k.memoryOf(op.getSpectrum()), k.mul(k.add(first, number), t.inputs()),
                        window, k.result(0),
                        k.add(start, k.mul(number, static_cast<int64_t>(op.getFrameStep()))));
    });
  });
}

FailureOr<KernelCode> SpectralGenerator::emit(KernelOp kernel, StringRef symbol,
                                              TargetAttr target) const {
  KernelBuilder k(kernel, symbol, target);
  Operation *op = anchorOf(kernel);
  if (auto dft = dyn_cast<DftOp>(op)) {
    emitDft(k, dft);
  } else if (auto stft = dyn_cast<StftOp>(op)) {
    emitStft(k, stft);
  } else {
    emitIstft(k, cast<IstftOp>(op));
  }
  return k.finish();
}
