//===- DftBasis.cpp - matrices that are windowed Fourier transforms -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/DftBasis.h"
#include "ir/ops/SpectralTable.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace modelc;

static bool isZeroRow(const BasisRow &row) {
  return row.bin == 0 && row.part == 1;
}

int64_t RowMatrix::rows() const {
  int64_t total = 0;
  for (const RowBlock &block : blocks) {
    total += block.count;
  }
  return total;
}

std::vector<double> RowMatrix::row(int64_t number) const {
  std::vector<double> result;
  for (const RowBlock &block : blocks) {
    if (number >= block.count) {
      number -= block.count;
      continue;
    }
    for (int64_t t = 0; t < length; ++t) {
      float value;
      int64_t at = number * block.rowStride + t * block.elementStride;
      std::memcpy(&value, block.data + at * static_cast<int64_t>(sizeof value), sizeof value);
      result.push_back(block.sign * value);
    }
    break;
  }
  return result;
}

DftBasis::DftBasis(const RowMatrix &matrix, double tolerance) : tolerance(tolerance) {
  samples = matrix.row(0);
  std::vector<double> other = matrix.row(matrix.rows() / 2);
  auto sum = [](llvm::ArrayRef<double> row) {
    return std::abs(std::accumulate(row.begin(), row.end(), 0.0));
  };
  if (sum(other) > sum(samples)) {
    samples = std::move(other);
  }
  for (double x : samples) {
    // Not a number: matches nothing.
    peak = std::isfinite(x) ? std::max(peak, std::abs(x)) : std::nan("");
  }
  for (int64_t t = 0; t < matrix.length; ++t) {
    roots.push_back(rootOfUnity(t, matrix.length));
  }
}

/// Of x[t] = cos(a t + b), the sum x[t - 1] + x[t + 1] is 2 cos(a) x[t].
std::optional<int64_t> DftBasis::estimateBin(llvm::ArrayRef<double> row) const {
  auto n = static_cast<int64_t>(row.size());
  double products = 0, squares = 0;
  auto at = [&](int64_t t) { return row[t] / samples[t]; };
  auto isLarge = [&](int64_t t) { return std::abs(samples[t]) > 0.1 * peak; };
  for (int64_t t = 1; t + 1 < n; ++t) {
    if (isLarge(t - 1) && isLarge(t) && isLarge(t + 1)) {
      products += at(t) * (at(t - 1) + at(t + 1));
      squares += at(t) * at(t);
    }
  }
  double cosine = products / (2 * squares);
  if (!(std::abs(cosine) < 1.01)) {
    return std::nullopt;
  }
  const double pi = 3.14159265358979323846;
  double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
  return std::llround(angle * static_cast<double>(n) / (2 * pi));
}

std::optional<BasisRow> DftBasis::matchRow(llvm::ArrayRef<double> row) {
  double largest = 0;
  for (double x : row) {
    largest = std::max(largest, std::abs(x));
  }
  if (largest <= tolerance * peak) {
    difference = std::max(difference, largest / peak);
    return BasisRow{0, 1, 1};
  }
  auto n = static_cast<int64_t>(row.size());
  std::optional<int64_t> guess = estimateBin(row);
  if (!guess) {
    return std::nullopt;
  }
  // Rounded numbers may lead to a neighbour, above all near bin 0.
  for (int64_t distance : {0, -1, 1, -2, 2}) {
    int64_t bin = *guess + distance;
    for (int64_t part = 0; part < 2 && 0 <= bin && bin <= n / 2; ++part) {
      auto factor = [&](int64_t t) {
        std::complex<double> root = roots[bin * t % n];
        return samples[t] * (part == 0 ? root.real() : -root.imag());
      };
      double product = 0, square = 0;
      for (int64_t t = 0; t < n; ++t) {
        product += row[t] * factor(t);
        square += factor(t) * factor(t);
      }
      double scale = square > 0 ? product / square : 0, error = 0;
      if (std::abs(std::abs(scale) - 1) <= tolerance) {
        scale = scale > 0 ? 1 : -1;
      }
      double bound = tolerance * peak * std::abs(scale);
      for (int64_t t = 0; t < n && error <= bound; ++t) {
        error = std::max(error, std::abs(row[t] - scale * factor(t)));
      }
      if (scale != 0 && error <= bound) {
        difference = std::max(difference, error / (peak * std::abs(scale)));
        return BasisRow{bin, part, scale};
      }
    }
  }
  return std::nullopt;
}

std::optional<std::vector<BasisRow>> DftBasis::match(const RowMatrix &matrix) {
  double before = difference;
  std::vector<BasisRow> rows;
  for (int64_t r = 0; r < matrix.rows() && peak > 0; ++r) {
    std::optional<BasisRow> row = matchRow(matrix.row(r));
    if (!row) {
      difference = before;
      return std::nullopt;
    }
    rows.push_back(*row);
  }
  if (rows.empty()) {
    return std::nullopt;
  }
  // Rows of zeros have any scale: that of their part.
  auto sine = llvm::find_if(rows, [](const BasisRow &row) { return row.part == 1 && row.bin > 0; });
  for (BasisRow &row : rows) {
    row.scale = isZeroRow(row) && sine != rows.end() ? sine->scale : row.scale;
  }
  return rows;
}

std::vector<BinRun> modelc::runsOf(llvm::ArrayRef<BasisRow> rows, int64_t length) {
  std::vector<BinRun> runs;
  for (const BasisRow &row : rows) {
    if (!runs.empty()) {
      BinRun &run = runs.back();
      int64_t next = run.bin + run.count;
      bool isLast = length % 2 == 0 && next == length / 2;
      if (row.part == run.part && (row.bin == next || (isZeroRow(row) && isLast))) {
        ++run.count;
        continue;
      }
    }
    runs.push_back({row.part, row.bin, 1});
  }
  return runs;
}

bool modelc::isInterleaved(llvm::ArrayRef<BasisRow> rows) {
  for (auto [number, row] : llvm::enumerate(rows)) {
    auto bin = static_cast<int64_t>(number) / 2, part = static_cast<int64_t>(number) % 2;
    bool isLast = number + 1 == rows.size();
    if (row.part != part || (row.bin != bin && !(isLast && isZeroRow(row)))) {
      return false;
    }
  }
  return rows.size() > 2 && rows.size() % 2 == 0;
}
