//===- StreamFact.h - what the streamed form knows of a value -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value with a time axis is computed piece by piece: each call of the
// streamed function makes the next `hop` samples. With p the number of a sample
// since the start of the stream and d the delay, sample p of the stream is
// sample p - d of the offline value.
//
//   d > 0   the first d samples of the stream lie before the offline value;
//           what they hold is no sample of it (`fill` says if it is known)
//   d < 0   the stream begins late: its first sample is sample -d of the
//           offline value, and the samples before all are `fill` (padding)
//
// A stream shorter than what a reflection at its start mirrors has no meaning
// offline, and none here.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_PASSES_STREAM_STREAMFACT_H
#define MODELC_PASSES_STREAM_STREAMFACT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <optional>

namespace modelc {

/// Samples of a value per sample of the streamed input, in lowest terms. Both
/// are positive, or 0 if one of them went out of range: Streamer::hopOf refuses
/// such a rate.
struct StreamRate {
  int64_t samples = 1, inputs = 1;

  StreamRate times(int64_t up, int64_t down) const {
    int64_t n, d;
    if (llvm::MulOverflow(samples, up, n) || llvm::MulOverflow(inputs, down, d) || n <= 0 ||
        d <= 0) {
      return {0, 0};
    }
    int64_t common = std::gcd(n, d);
    return {n / common, d / common};
  }
  bool isValid() const { return samples > 0; }
  bool operator==(StreamRate other) const {
    return samples == other.samples && inputs == other.inputs;
  }
};

/// Samples around a value that repeat its own.
struct StreamExtension {
  bool isReflection = false; ///< mirrored at the first and last sample, not equal to them
  int64_t before = 0, after = 0;

  /// How far from the edge the sample lies that the one `count` behind it repeats.
  int64_t mirrored(int64_t count) const { return isReflection ? count : 0; }
};

struct StreamFact {
  mlir::Value value;   ///< the samples of one call, in the streamed function
  int64_t axis = 0;    ///< the dimension that is time
  int64_t offline = 0; ///< its extent in the offline model
  StreamRate rate;
  int64_t delay = 0;    ///< in own samples
  mlir::Attribute fill; ///< an element; null: unknown
  /// Own samples that exist offline when the input has as many samples as one
  /// call takes; may be negative. With k more calls there are k * hop more.
  int64_t length = 0;
  /// Samples that delay and length count but that are not in the stream yet:
  /// `value` has those between them. Only rules that ask for it see this.
  std::optional<StreamExtension> extension;

  int64_t hop() const {
    return mlir::cast<mlir::RankedTensorType>(value.getType()).getDimSize(axis);
  }
};

} // namespace modelc

#endif // MODELC_PASSES_STREAM_STREAMFACT_H
