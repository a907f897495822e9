//===- Scalars.h - arithmetic on the elements of tensors ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are scalars or 1-D vectors in compute types (f32, f64, signless
// integers, i1). Each function builds the code that computes the named thing;
// NaN and infinity behave as in NumPy, integers wrap.
//
#ifndef MODELC_IR_SCALARS_H
#define MODELC_IR_SCALARS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace modelc {
namespace scalar {

using Builder = mlir::ImplicitLocOpBuilder;
using mlir::Type;
using mlir::Value;

enum class Predicate { eq, lt, le, gt, ge };

bool isFloat(Value value);
/// A constant of `type` (a scalar or vector type); integers truncate `value`.
Value constant(Builder &b, Type type, double value);
Value integer(Builder &b, Type type, int64_t value);
Value allOnes(Builder &b, Type type);
/// The lowest value of a type: -infinity, or the smallest integer.
Value lowest(Builder &b, Type type, bool isUnsigned);
Value highest(Builder &b, Type type, bool isUnsigned);

Value add(Builder &b, Value x, Value y);
Value sub(Builder &b, Value x, Value y);
Value mul(Builder &b, Value x, Value y);
/// `x * y + z`, as one operation where the target has it.
Value mulAdd(Builder &b, Value x, Value y, Value z);
Value div(Builder &b, Value x, Value y, bool isUnsigned);
Value mod(Builder &b, Value x, Value y, bool isUnsigned);
Value fmod(Builder &b, Value x, Value y, bool isUnsigned);
Value max(Builder &b, Value x, Value y, bool isUnsigned);
Value min(Builder &b, Value x, Value y, bool isUnsigned);
/// Power; the result has the type of `x`.
Value pow(Builder &b, Value x, Value y, bool xUnsigned, bool yUnsigned);
Value abs(Builder &b, Value x, bool isUnsigned);
Value neg(Builder &b, Value x);
Value sign(Builder &b, Value x, bool isUnsigned);
Value compare(Builder &b, Predicate predicate, Value x, Value y, bool isUnsigned);
Value shift(Builder &b, Value x, Value bits, bool left);
Value isInf(Builder &b, Value x, bool positive, bool negative);

Value relu(Builder &b, Value x);
Value sigmoid(Builder &b, Value x);
Value tanh(Builder &b, Value x);
Value softplus(Builder &b, Value x);
Value softsign(Builder &b, Value x);
Value prelu(Builder &b, Value x, Value slope, bool isUnsigned);
Value leakyRelu(Builder &b, Value x, double alpha);
Value elu(Builder &b, Value x, double alpha);
Value hardSigmoid(Builder &b, Value x, double alpha, double beta);
Value gelu(Builder &b, Value x, bool approximate);

/// Conversion between element types; `from` and `to` are tensor element types
/// (they may be unsigned or narrower than the compute type).
Value cast(Builder &b, Value x, Type from, Type to);
/// Float to integer with truncation towards zero and saturation; NaN gives 0.
Value floatToInteger(Builder &b, Value x, Type to, bool isUnsigned);

Value quantize(Builder &b, Value x, Value scale, Value zeroPoint, Type to);
Value dequantize(Builder &b, Value x, Value scale, Value zeroPoint, bool isUnsigned);

} // namespace scalar
} // namespace modelc

#endif // MODELC_IR_SCALARS_H
