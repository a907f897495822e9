// Decoding of memref operations: every memref becomes a region known before the run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/eval/Decoder.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <new>

using namespace mlir;

namespace modelc::eval {

/// Bytes of one element in memory, 0 for a type without a place in memory.
static unsigned elementBytes(Type type) {
  ScalarType scalar = scalarType(type);
  switch (scalar.kind) {
  case ScalarType::None:
    return 0;
  case ScalarType::Integer:
    return scalar.bits == 1                                           ? 1
           : scalar.bits % 8 == 0 && llvm::isPowerOf2_32(scalar.bits) ? scalar.bits / 8
                                                                      : 0;
  default:
    return scalar.bits / 8;
  }
}

static Opcode loadOpcode(Type type) {
  switch (ScalarType scalar = scalarType(type); scalar.kind) {
  case ScalarType::F16:
    return Opcode::LoadF16;
  case ScalarType::BF16:
    return Opcode::LoadBF16;
  default:
    return scalar.bits == 1    ? Opcode::LoadBool
           : scalar.bits == 8  ? Opcode::Load8
           : scalar.bits == 16 ? Opcode::Load16
           : scalar.bits == 32 ? Opcode::Load32
                               : Opcode::Load64;
  }
}

// The four forms of an access follow each other in Opcodes.def.
static Opcode storeOpcode(Type type) {
  return Opcode(unsigned(loadOpcode(type)) + 2);
}
static Opcode manyDimensions(Opcode opcode) {
  return Opcode(unsigned(opcode) + 1);
}
static_assert(unsigned(Opcode::Load8N) == unsigned(Opcode::Load8) + 1 &&
              unsigned(Opcode::Store8) == unsigned(Opcode::Load8) + 2 &&
              unsigned(Opcode::Store8N) == unsigned(Opcode::Store8) + 1);

/// The size of a memref value, if it is one that the evaluator can hold.
llvm::Expected<uint64_t> Decoder::memoryBytes(Value memref, Operation *op) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity()) {
    return unsupported(op, "expected a memref of static shape and identity layout");
  }
  uint64_t bytes = elementBytes(type.getElementType());
  if (bytes == 0) {
    return unsupported(op, "the evaluator does not know the element type in memory");
  }
  for (int64_t extent : type.getShape()) {
    auto product = llvm::checkedMulUnsigned<uint64_t>(bytes, uint64_t(extent));
    if (!product || *product > uint64_t(INT64_MAX)) {
      return unsupported(op, "the memref has more bytes than an address can count");
    }
    bytes = *product;
  }
  return bytes;
}

void Decoder::defineRegion(Value memref, Region region) {
  regions[memref] = RegionIndex(program.regions.size());
  program.regions.push_back(region);
}

bool Decoder::isMemoryOperation(Operation *op) const {
  return isa<memref::LoadOp, memref::StoreOp, memref::AllocaOp, memref::DimOp, memref::ViewOp,
             memref::GetGlobalOp, memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::AssumeAlignmentOp>(op);
}

llvm::Error Decoder::decodeMemory(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    return decodeLoad(load);
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    return decodeStore(store);
  }
  if (auto local = dyn_cast<memref::AllocaOp>(op)) {
    return decodeAlloca(local);
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    return decodeDim(dim);
  }
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    return decodeView(view);
  }
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    return decodeGlobal(global);
  }
  if (isa<memref::AssumeAlignmentOp>(op)) { // the evaluator works at any alignment
    return llvm::Error::success();
  }
  return decodeReshape(op);
}

/// Emits a load or store: `oneDimension` is the form for rank 1, `value` the register.
void Decoder::emitAccess(Opcode oneDimension, uint32_t value, Value memref, ValueRange indices,
                         Operation *op) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  uint32_t region = regions.lookup(memref);
  if (shape.size() == 1) {
    emit(op, {oneDimension, 0, value, slot(indices[0]), region, uint64_t(shape[0])});
    return;
  }
  auto first = uint32_t(program.indexTerms.size());
  for (auto [index, extent] : llvm::zip_equal(indices, shape)) {
    program.indexTerms.push_back({slot(index), uint64_t(extent)});
  }
  emit(op, {manyDimensions(oneDimension), 0, value, first, region, shape.size()});
}

llvm::Error Decoder::decodeLoad(memref::LoadOp op) {
  Opcode opcode = loadOpcode(op.getType());
  emitAccess(opcode, define(op.getResult()), op.getMemRef(), op.getIndices(), op);
  return llvm::Error::success();
}

llvm::Error Decoder::decodeStore(memref::StoreOp op) {
  if (program.regions[regions.lookup(op.getMemRef())].kind == Region::Constant) {
    return unsupported(op, "stores to a constant");
  }
  Opcode opcode = storeOpcode(op.getMemRefType().getElementType());
  emitAccess(opcode, slot(op.getValueToStore()), op.getMemRef(), op.getIndices(), op);
  return llvm::Error::success();
}

/// Each alloca has one place for the whole run: none outlives its round of a loop, because no
/// operation hands a memref on.
llvm::Error Decoder::decodeAlloca(memref::AllocaOp op) {
  auto bytes = memoryBytes(op.getResult(), op);
  if (!bytes) {
    return bytes.takeError();
  }
  if (*bytes > maxLocalBytes - program.localBytes - constantBytes) {
    return evaluationError(EvaluationError::Reason::OutOfMemory, op->getName(),
                           "local buffers need more than " + llvm::Twine(maxLocalBytes) + " bytes");
  }
  defineRegion(op.getResult(), {Region::Local, 0, program.localBytes, *bytes});
  program.localBytes += *bytes;
  return llvm::Error::success();
}

llvm::Error Decoder::decodeDim(memref::DimOp op) {
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  std::optional<int64_t> index = op.getConstantIndex();
  if (!type || !type.hasStaticShape() || !index || *index < 0 || *index >= type.getRank()) {
    return unsupported(op, "expected a constant dimension of a memref of static shape");
  }
  uint32_t constant = newSlot(uint64_t(type.getDimSize(*index)));
  emit(op, {Opcode::Move, 0, define(op.getResult()), constant});
  return llvm::Error::success();
}

llvm::Error Decoder::decodeView(memref::ViewOp op) {
  auto bytes = memoryBytes(op.getResult(), op);
  if (!bytes) {
    return bytes.takeError();
  }
  Region region = program.regions[regions.lookup(op.getSource())];
  IntegerAttr shift;
  if (!matchPattern(op.getByteShift(), m_Constant(&shift))) {
    return unsupported(op, "expected a constant offset");
  }
  uint64_t offset = shift.getValue().getZExtValue();
  if (offset > region.bytes || *bytes > region.bytes - offset) {
    return evaluationError(EvaluationError::Reason::OutOfBounds, op->getName(),
                           "the view ends behind its memref");
  }
  region.offset += offset;
  region.bytes = *bytes;
  region.data = region.data ? region.data + offset : nullptr;
  defineRegion(op.getResult(), region);
  return llvm::Error::success();
}

/// cast, collapse_shape and expand_shape: the same elements in the same order.
llvm::Error Decoder::decodeReshape(Operation *op) {
  auto bytes = memoryBytes(op->getResult(0), op);
  if (!bytes) {
    return bytes.takeError();
  }
  Region region = program.regions[regions.lookup(op->getOperand(0))];
  if (*bytes != region.bytes) {
    return unsupported(op, "changes the number of bytes");
  }
  defineRegion(op->getResult(0), region);
  return llvm::Error::success();
}

llvm::Error Decoder::decodeGlobal(memref::GetGlobalOp op) {
  auto bytes = memoryBytes(op.getResult(), op);
  if (!bytes) {
    return bytes.takeError();
  }
  auto global =
      SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(symbolScope, op.getNameAttr());
  if (!global || !global.getConstant() || !global.getInitialValue()) {
    return unsupported(op, "expected a constant global with a value");
  }
  auto data = constantData(*global.getInitialValue(), op.getType(), *bytes, op);
  if (!data) {
    return data.takeError();
  }
  defineRegion(op.getResult(), {Region::Constant, 0, 0, *bytes, *data});
  return llvm::Error::success();
}

llvm::Expected<char *> Decoder::allocateConstant(uint64_t bytes, Operation *op) {
  std::unique_ptr<char[]> owned;
  if (bytes <= maxLocalBytes - program.localBytes - constantBytes) {
    owned.reset(new (std::nothrow) char[bytes]);
  }
  if (!owned) {
    return evaluationError(EvaluationError::Reason::OutOfMemory, op->getName(),
                           "the constant needs " + llvm::Twine(bytes) + " bytes");
  }
  constantBytes += bytes;
  program.constants.push_back(std::move(owned));
  return program.constants.back().get();
}

/// The bytes of a global's value: in place, except for splats and packed booleans.
llvm::Expected<const char *> Decoder::constantData(Attribute value, MemRefType type, uint64_t bytes,
                                                   Operation *op) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != bytes) {
      return unsupported(op, "the resource does not have the bytes of its type");
    }
    return blob->getData().data();
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || dense.getElementType() != type.getElementType() ||
      dense.getNumElements() != type.getNumElements()) {
    return unsupported(op, "expected a dense value of the memref's type");
  }
  bool isBool = type.getElementType().isInteger(1);
  if (!dense.isSplat() && !isBool) {
    return dense.getRawData().data();
  }
  auto owned = allocateConstant(bytes, op);
  if (!owned) {
    return owned.takeError();
  }
  if (isBool) {
    llvm::copy(dense.getValues<bool>(), *owned);
    return *owned;
  }
  size_t size = dense.getRawData().size();
  for (uint64_t offset = 0; offset < bytes; offset += size) {
    llvm::copy(dense.getRawData(), *owned + offset);
  }
  return *owned;
}

} // namespace modelc::eval
