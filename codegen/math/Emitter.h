//===- Emitter.h - Formulas that write MLIR --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values with operators, so that an algorithm reads like the formula in the
// paper that it comes from: `fma(n, -ln2Hi, x)` creates the operation. One text
// serves f32 and f64, scalars and vectors. No fast-math flag is ever set: the
// algorithms depend on the order of their roundings.
#pragma once

#include "codegen/math/ExpandMath.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace modelc::math {

/// Where and for what code is written. Values point back at it.
class Emitter {
public:
  /// `floatType` is f32, f64 or a vector of them.
  Emitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type floatType,
          const MathOptions &options);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type floatType;
  /// Integers as wide as the float, in the same shape.
  mlir::Type intType;
  MathOptions options;
  bool isF32;

  bool hasFma() const { return options.hasFma && (isF32 || options.hasF64); }
  bool hasRound() const { return options.hasRound && (isF32 || options.hasF64); }
  bool hasRoundEven() const { return hasRound() && options.hasRoundEven; }
  bool hasSqrt() const { return options.hasSqrt && (isF32 || options.hasF64); }

  /// Bits of the mantissa field, and the bias of the exponent.
  int mantissaBits() const { return isF32 ? 23 : 52; }
  int bias() const { return isF32 ? 127 : 1023; }
  /// Adding it rounds a value below 2^(mantissaBits - 2) to an integer, half
  /// to even, and leaves that integer in the low bits of the sum.
  double roundingMagic() const { return isF32 ? 0x1.8p23 : 0x1.8p52; }

  /// The type with `width`-bit integers in the shape of `floatType`.
  mlir::Type integerType(unsigned width) const;

  /// A constant of any of the types above, splat over a vector.
  mlir::Value constant(mlir::Type type, double value);
  mlir::Value constantInt(mlir::Type type, uint64_t value);
};

struct Term {
  Emitter *emitter;
  mlir::Value value;
};

/// A float of the emitter's type.
struct Float : Term {
  Float operator-() const;
};
/// An integer; of the emitter's intType unless it comes from integerType().
struct Int : Term {};
struct Bool : Term {};

Float constant(const Term &like, double value);
Float infinity(const Term &like);
Float nan(const Term &like);
/// An integer of the type of `like`.
Int constant(const Int &like, uint64_t value);

Float operator+(Float a, Float b);
Float operator-(Float a, Float b);
Float operator*(Float a, Float b);
Float operator/(Float a, Float b);
Float operator+(Float a, double b);
Float operator-(Float a, double b);
Float operator-(double a, Float b);
Float operator*(Float a, double b);
Float operator/(double a, Float b);

/// a * b + c, with one rounding where the target can, else with two.
Float fma(Float a, Float b, Float c);
Float fma(Float a, double b, Float c);
Float fma(Float a, Float b, double c);
Float fma(Float a, double b, double c);

/// Ordered comparisons: false if an operand is NaN.
Bool operator<(Float a, Float b);
Bool operator<(Float a, double b);
Bool operator<=(Float a, double b);
Bool operator>(Float a, double b);
Bool operator>=(Float a, double b);
Bool operator==(Float a, Float b);
Bool operator==(Float a, double b);
Bool isNan(Float a);

Bool operator&(Bool a, Bool b);
Bool operator|(Bool a, Bool b);
Bool operator^(Bool a, Bool b);
Bool operator!(Bool a);

Float select(Bool condition, Float a, Float b);
Float select(Bool condition, double a, Float b);
Float select(Bool condition, Float a, double b);
Float select(Bool condition, double a, double b);
Int select(Bool condition, Int a, Int b);

Int operator+(Int a, Int b);
Int operator-(Int a, Int b);
Int operator*(Int a, Int b);
Int operator&(Int a, Int b);
Int operator|(Int a, Int b);
Int operator^(Int a, Int b);
Int operator+(Int a, int64_t b);
Int operator-(Int a, int64_t b);
Int operator-(int64_t a, Int b);
Int operator&(Int a, uint64_t b);
Int operator<<(Int a, unsigned b);
Int operator<<(Int a, Int b);
/// Arithmetic shift.
Int operator>>(Int a, unsigned b);
Int shiftRightLogical(Int a, unsigned b);
Int shiftRightLogical(Int a, Int b);
Bool operator==(Int a, uint64_t b);
Bool operator!=(Int a, uint64_t b);
/// Signed.
Bool operator<(Int a, int64_t b);
/// Unsigned.
Bool belowUnsigned(Int a, Int b);

Float abs(Float a);
/// |a| with the sign of b.
Float copysign(Float a, Float b);
/// Square root, within 0.51 ULP where hardware has none.
Float sqrt(Float a);

Int bits(Float a);
Float fromBits(Int a);
/// The integer that adding roundingMagic() left in `sum`.
Int integerOfMagicSum(Float sum);
/// For |a| < 2^22.
Float toFloat(Int a);
/// Truncates, zero-extends.
Int resize(Int a, unsigned width);

/// 2^n for n in the range of normal exponents.
Float pow2(Int n);
/// a * 2^n for n within twice the exponent range; rounds once.
Float scale(Float a, Int n);

/// Horner's rule: c[0] + c[1] x + ... . The f32 or the f64 list.
Float polynomial(Float x, llvm::ArrayRef<double> coefficients);
Float polynomial(Float x, llvm::ArrayRef<double> f32, llvm::ArrayRef<double> f64);

} // namespace modelc::math
