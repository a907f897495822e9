//===- DftBasis.h - matrices that are windowed Fourier transforms ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_DFTBASIS_H
#define MODELC_PASSES_DFTBASIS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <complex>
#include <optional>
#include <vector>

namespace modelc {

/// Numbers of a constant, seen as rows: `count` of them.
struct RowBlock {
  const char *data; ///< f32, not necessarily aligned
  int64_t count, rowStride, elementStride;
  double sign = 1;
};

/// Rows of equal length, of one block after the other.
struct RowMatrix {
  llvm::SmallVector<RowBlock, 2> blocks;
  int64_t length = 0;

  int64_t rows() const;
  std::vector<double> row(int64_t number) const;
};

/// A row `window[t] * scale * cos(2 pi bin t / n)` (part 0) or the same with
/// `-sin` (part 1): what makes the real or imaginary part of a bin from samples.
/// A row of zeros is the imaginary part of bin 0, or of the last bin if n is even.
struct BasisRow {
  int64_t bin, part;
  double scale;
};

/// Finds windowed Fourier transforms in the rows of matrices.
class DftBasis {
public:
  /// Takes the first row of `matrix`, or of its second half, as the window: what
  /// makes bin 0. Numbers may differ by `tolerance` times the window's largest.
  DftBasis(const RowMatrix &matrix, double tolerance);

  llvm::ArrayRef<double> window() const { return samples; }
  /// What the rows of `matrix` are; nothing if one of them is anything else.
  std::optional<std::vector<BasisRow>> match(const RowMatrix &matrix);
  /// The largest difference that match has accepted, in units of the window's peak.
  double worst() const { return difference; }

private:
  std::optional<BasisRow> matchRow(llvm::ArrayRef<double> row);
  std::optional<int64_t> estimateBin(llvm::ArrayRef<double> row) const;

  std::vector<double> samples;
  std::vector<std::complex<double>> roots;
  double tolerance, peak = 0, difference = 0;
};

/// Neighbouring rows of one part and of bins that follow each other.
struct BinRun {
  int64_t part, bin, count;
};

/// The rows as runs; rows of zeros join the run before them if they can.
std::vector<BinRun> runsOf(llvm::ArrayRef<BasisRow> rows, int64_t length);

/// Whether the rows are both parts of the bins from 0 on, in turn.
bool isInterleaved(llvm::ArrayRef<BasisRow> rows);

} // namespace modelc

#endif // MODELC_PASSES_DFTBASIS_H
