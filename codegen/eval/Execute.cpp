// The loop that runs a decoded program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/eval/Execute.h"
#include "codegen/eval/FloatOps.h"
#include "codegen/eval/IntegerOps.h"
#include "llvm/Support/Compiler.h"
#include <cstring>

namespace modelc::eval {

constexpr uint64_t outOfRange = ~uint64_t(0); // no element has this index: sizes are below 2^63

/// The index of an element in its region, or `outOfRange`.
static inline uint64_t elementIndex(const IndexTerm *term, uint64_t count, const uint64_t *r) {
  uint64_t linear = 0;
  for (const IndexTerm *end = term + count; term != end; ++term) {
    if (LLVM_UNLIKELY(r[term->slot] >= term->extent)) {
      return outOfRange;
    }
    linear = linear * term->extent + r[term->slot];
  }
  return linear;
}

template <typename Word> static inline uint64_t load(const char *region, uint64_t index) {
  Word word;
  std::memcpy(&word, region + index * sizeof(Word), sizeof(Word));
  return word;
}
template <typename Word> static inline void store(char *region, uint64_t index, uint64_t value) {
  auto word = Word(value);
  std::memcpy(region + index * sizeof(Word), &word, sizeof(Word));
}

/// Fills in which index of the access that ended the run was out of range.
static void explainAccess(const Program &program, const uint64_t *r, Execution &result) {
  const Instruction &i = program.code[result.at];
  bool manyDimensions = (unsigned(i.opcode) - unsigned(Opcode::LoadBool)) % 2 != 0;
  if (!manyDimensions) {
    result.index = r[i.a];
    result.extent = i.imm;
    return;
  }
  const IndexTerm *term = program.indexTerms.data() + i.a;
  while (r[term->slot] < term->extent) {
    ++term;
  }
  result.index = r[term->slot];
  result.extent = term->extent;
}

// Each macro writes one or more cases of the switch below. `i` is the instruction; a, b and c
// name its operands, `word` what memory holds.
#define INTEGER(NAME, EXPRESSION)                                                                  \
  case Opcode::NAME: {                                                                             \
    [[maybe_unused]] uint64_t a = r[i.a], b = r[i.b];                                              \
    r[i.dst] = (EXPRESSION);                                                                       \
    break;                                                                                         \
  }
#define SIGNED(NAME, EXPRESSION)                                                                   \
  case Opcode::NAME: {                                                                             \
    int64_t a = signExtend(r[i.a], i.shift), b = signExtend(r[i.b], i.shift);                      \
    r[i.dst] = uint64_t(EXPRESSION);                                                               \
    break;                                                                                         \
  }
#define DIVISION(NAME, WORD, EXTEND, EXPRESSION)                                                   \
  case Opcode::NAME: {                                                                             \
    WORD a = EXTEND(r[i.a], i.shift), b = EXTEND(r[i.b], i.shift);                                 \
    if (LLVM_UNLIKELY(b == 0)) {                                                                   \
      result.outcome = Outcome::DivisionByZero;                                                    \
      goto stop;                                                                                   \
    }                                                                                              \
    r[i.dst] = (EXPRESSION) & i.imm;                                                               \
    break;                                                                                         \
  }
#define FLOAT(NAME, EXPRESSION)                                                                    \
  FLOAT_CASE(NAME##F32, float, EXPRESSION)                                                         \
  FLOAT_CASE(NAME##F64, double, EXPRESSION)
#define FLOAT_CASE(NAME, TYPE, EXPRESSION)                                                         \
  case Opcode::NAME: {                                                                             \
    using Float = TYPE;                                                                            \
    [[maybe_unused]] Float a = asFloat<Float>(r[i.a]), b = asFloat<Float>(r[i.b]);                 \
    r[i.dst] = (EXPRESSION);                                                                       \
    break;                                                                                         \
  }
#define ACCESS(NAME, WORD, LOADED, STORED)                                                         \
  INDEXED(Load##NAME, r[i.a] < i.imm ? r[i.a] : outOfRange, LOADING(WORD, LOADED))                 \
  INDEXED(Load##NAME##N, elementIndex(terms + i.a, i.imm, r), LOADING(WORD, LOADED))               \
  INDEXED(Store##NAME, r[i.a] < i.imm ? r[i.a] : outOfRange, STORING(WORD, STORED))                \
  INDEXED(Store##NAME##N, elementIndex(terms + i.a, i.imm, r), STORING(WORD, STORED))
#define INDEXED(NAME, INDEX, ACTION)                                                               \
  case Opcode::NAME: {                                                                             \
    uint64_t index = (INDEX);                                                                      \
    if (LLVM_UNLIKELY(index == outOfRange)) {                                                      \
      goto outside;                                                                                \
    }                                                                                              \
    ACTION                                                                                         \
    break;                                                                                         \
  }
#define LOADING(WORD, LOADED)                                                                      \
  uint64_t word = load<WORD>(regions[i.b], index);                                                 \
  r[i.dst] = (LOADED);
#define STORING(WORD, STORED)                                                                      \
  uint64_t value = r[i.dst];                                                                       \
  store<WORD>(regions[i.b], index, (STORED));

Execution execute(const Program &program, uint64_t *r, char *const *regions, uint64_t &steps) {
  const Instruction *const code = program.code.data();
  const IndexTerm *const terms = program.indexTerms.data();
  // Steps are counted where the program jumps: a piece without jumps cannot run away.
  const Instruction *next = code, *piece = code;
  uint64_t remaining = steps;
  Execution result;

  for (;;) {
    const Instruction &i = *next++;
    switch (i.opcode) {
    case Opcode::Jump:
      goto jump;
    case Opcode::JumpUnless:
      if (r[i.a] == 0) {
        goto jump;
      }
      break;
    case Opcode::JumpUnlessLess:
      if (int64_t(r[i.a] << i.shift) >= int64_t(r[i.b] << i.shift)) {
        goto jump;
      }
      break;
    case Opcode::LoopNext: {
      uint64_t round = r[i.dst] + r[i.a];
      r[i.dst] = round & (~uint64_t(0) >> i.shift);
      if (int64_t(round << i.shift) < int64_t(r[i.b] << i.shift)) {
        goto jump;
      }
      break;
    }
    case Opcode::CheckStep:
      if (LLVM_UNLIKELY(signExtend(r[i.a], i.shift) <= 0)) {
        result.outcome = Outcome::BadStep;
        goto stop;
      }
      break;
    case Opcode::ReturnValue:
      result.value = int32_t(uint32_t(r[i.a]));
      goto stop;
    case Opcode::Return:
      goto stop;

      ACCESS(Bool, uint8_t, word & 1, value)
      ACCESS(8, uint8_t, word, value)
      ACCESS(16, uint16_t, word, value)
      ACCESS(32, uint32_t, word, value)
      ACCESS(64, uint64_t, word, value)
      ACCESS(F16, uint16_t, f16FromBits(uint32_t(word)), f16ToBits(uint32_t(value)))
      ACCESS(BF16, uint16_t, bf16FromBits(uint32_t(word)), bf16ToBits(uint32_t(value)))

      INTEGER(Move, a)
      INTEGER(Add, (a + b) & i.imm)
      INTEGER(Sub, (a - b) & i.imm)
      INTEGER(Mul, (a * b) & i.imm)
      INTEGER(And, a & b)
      INTEGER(Or, a | b)
      INTEGER(Xor, a ^ b)
      INTEGER(ShiftLeft, shiftLeft(a, b, i.shift) & i.imm)
      INTEGER(ShiftRightSigned, shiftRightSigned(a, b, i.shift) & i.imm)
      INTEGER(ShiftRightUnsigned, shiftRightUnsigned(a, b, i.shift))
      SIGNED(MinSigned, std::min(a, b) & i.imm)
      SIGNED(MaxSigned, std::max(a, b) & i.imm)
      INTEGER(MinUnsigned, std::min(a, b))
      INTEGER(MaxUnsigned, std::max(a, b))
      DIVISION(DivSigned, int64_t, signExtend, divSigned(a, b))
      DIVISION(DivUnsigned, uint64_t, zeroExtend, a / b)
      DIVISION(RemSigned, int64_t, signExtend, remSigned(a, b))
      DIVISION(RemUnsigned, uint64_t, zeroExtend, a % b)
      DIVISION(CeilDivSigned, int64_t, signExtend, ceilDivSigned(a, b))
      DIVISION(CeilDivUnsigned, uint64_t, zeroExtend, ceilDivUnsigned(a, b))
      DIVISION(FloorDivSigned, int64_t, signExtend, floorDivSigned(a, b))
      INTEGER(AbsInt, absInt(a, i.shift) & i.imm)
      INTEGER(CountLeadingZeros, countLeadingZeros(a, i.shift))
      INTEGER(CountTrailingZeros, countTrailingZeros(a, i.shift))
      INTEGER(CountOnes, uint64_t(llvm::popcount(a)))
      INTEGER(Equal, a == b)
      INTEGER(NotEqual, a != b)
      INTEGER(LessSigned, int64_t(a << i.shift) < int64_t(b << i.shift))
      INTEGER(LessEqualSigned, int64_t(a << i.shift) <= int64_t(b << i.shift))
      INTEGER(LessUnsigned, a < b)
      INTEGER(LessEqualUnsigned, a <= b)
      INTEGER(Select, a != 0 ? b : r[i.imm])
      INTEGER(SignExtend, uint64_t(signExtend(a, i.shift)) & i.imm)
      INTEGER(Truncate, a & i.imm)
    case Opcode::AddExtended: {
      uint64_t a = r[i.a], sum = (a + r[i.b]) & (~uint64_t(0) >> i.shift);
      r[i.dst] = sum;
      r[i.imm] = sum < a;
      break;
    }
    case Opcode::MulExtendedSigned: {
      WideProduct product =
          multiplySigned(signExtend(r[i.a], i.shift), signExtend(r[i.b], i.shift));
      product = splitProduct(product, i.shift);
      r[i.dst] = product.low;
      r[i.imm] = product.high;
      break;
    }
    case Opcode::MulExtendedUnsigned: {
      WideProduct product = splitProduct(multiplyUnsigned(r[i.a], r[i.b]), i.shift);
      r[i.dst] = product.low;
      r[i.imm] = product.high;
      break;
    }

      FLOAT(Add, resultBits(a + b))
      FLOAT(Sub, resultBits(a - b))
      FLOAT(Mul, resultBits(a * b))
      FLOAT(Div, resultBits(a / b))
      FLOAT(Rem, resultBits(std::fmod(a, b)))
      FLOAT(Maximum, maximum(a, b))
      FLOAT(Minimum, minimum(a, b))
      FLOAT(MaxNum, maxNum(a, b))
      FLOAT(MinNum, minNum(a, b))
      FLOAT(Fma, resultBits(std::fma(a, b, asFloat<Float>(r[i.imm]))))
      FLOAT(CopySign, (r[i.a] & ~uint64_t(signBit<Float>)) | (r[i.b] & signBit<Float>))
      FLOAT(Neg, r[i.a] ^ signBit<Float>)
      FLOAT(Abs, r[i.a] & ~uint64_t(signBit<Float>))
      FLOAT(Sqrt, resultBits(std::sqrt(a)))
      FLOAT(Floor, resultBits(std::floor(a)))
      FLOAT(Ceil, resultBits(std::ceil(a)))
      FLOAT(Trunc, resultBits(std::trunc(a)))
      FLOAT(Round, resultBits(std::round(a)))
      FLOAT(RoundEven, resultBits(roundEven(a)))
      FLOAT(Compare, (compareOrder(a, b) & i.imm) != 0)
      FLOAT(FromSigned, exactBits(Float(signExtend(r[i.a], i.shift))))
      FLOAT(FromUnsigned, exactBits(Float(r[i.a])))
      FLOAT(ToSigned, toSigned(double(a), i.shift))
      FLOAT(ToUnsigned, toUnsigned(double(a), i.shift))
      INTEGER(Widen, resultBits(double(asFloat<float>(a))))
      INTEGER(Narrow, resultBits(float(asFloat<double>(a))))
      INTEGER(NarrowToOdd, narrowToOdd(asFloat<double>(a)))
      INTEGER(RoundToF16, roundToF16(asFloat<float>(a)))
      INTEGER(RoundToBF16, roundToBF16(asFloat<float>(a)))
      INTEGER(F16FromBits, f16FromBits(uint32_t(a)))
      INTEGER(F16ToBits, f16ToBits(uint32_t(a)))
      INTEGER(BF16FromBits, bf16FromBits(uint32_t(a)))
      INTEGER(BF16ToBits, bf16ToBits(uint32_t(a)))
    }
    continue;

  jump:
    if (LLVM_UNLIKELY(uint64_t(next - piece) > remaining)) {
      result.outcome = Outcome::OutOfBudget;
      goto stop;
    }
    remaining -= uint64_t(next - piece);
    next = piece = code + i.imm;
    continue;

  outside:
    result.outcome = Outcome::OutOfBounds;
    goto stop;
  }

stop:
  result.at = size_t(next - code) - 1;
  uint64_t last = uint64_t(next - piece);
  if (last > remaining && result.outcome == Outcome::Returned) {
    result.outcome = Outcome::OutOfBudget;
  }
  steps = last > remaining ? 0 : remaining - last;
  if (result.outcome == Outcome::OutOfBounds) {
    explainAccess(program, r, result);
  }
  return result;
}

} // namespace modelc::eval
