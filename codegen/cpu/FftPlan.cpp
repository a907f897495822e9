//===- FftPlan.cpp - how a Fourier transform is taken apart ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/FftPlan.h"
#include "codegen/cpu/FftCodelets.h"
#include "llvm/Support/MathExtras.h"

using namespace modelc;

/// Radices with a codelet that is worth its code. Longer ones spill.
static constexpr int64_t radices[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                      12, 13, 14, 15, 16, 20, 25, 30, 32};

namespace {
/// Plans that measurements found better than the estimate below: time on
/// AVX-512, instructions on Cortex-A53 (4 lanes) and Cortex-M4 (1 lane), there
/// with an eye on the size of the code. The lengths are half those of the
/// frames that speech and audio models use.
struct MeasuredPlan {
  int64_t lanes, length;
  int64_t radices[3];
};
} // namespace

static constexpr MeasuredPlan measuredPlans[] = {
    {16, 128, {8, 16}},   {16, 160, {16, 10}},    {16, 200, {20, 10}},   {16, 240, {16, 15}},
    {16, 256, {16, 16}},  {16, 480, {16, 10, 3}}, {16, 512, {16, 8, 4}}, {8, 200, {8, 5, 5}},
    {8, 256, {8, 4, 8}},  {4, 128, {4, 4, 8}},    {4, 160, {4, 4, 10}},  {4, 200, {4, 5, 10}},
    {4, 240, {4, 6, 10}}, {4, 256, {4, 8, 8}},    {4, 480, {4, 10, 12}}, {4, 512, {4, 8, 16}},
    {1, 128, {8, 16}},    {1, 160, {16, 10}},     {1, 200, {10, 20}},    {1, 240, {16, 15}},
    {1, 256, {16, 16}},   {1, 480, {8, 6, 10}},   {1, 512, {8, 8, 8}},
};

int64_t FftPass::lanes(const FftMachine &machine) const {
  int64_t along = stride == 1 ? rest : stride, most = machine.lanes;
  if (machine.hasMasks && stride == 1 && most / 2 <= rest && rest < most) {
    return most;
  }
  return std::min<int64_t>(most, llvm::bit_floor(static_cast<uint64_t>(along)));
}

/// Estimated instructions of one pass.
static double passCost(const FftPass &pass, const FftMachine &machine) {
  auto p = static_cast<double>(pass.radix);
  int64_t lanes = pass.lanes(machine);
  bool isFirst = pass.stride == 1;
  int64_t along = isFirst ? pass.rest : pass.stride;
  auto vectors = static_cast<double>(llvm::divideCeil(along, lanes));
  // Twiddle factors, loads and stores, and the registers that do not suffice.
  double twiddles = pass.rest > 1 ? 4 * (p - 1) : 0;
  double cost = fftCodeletCost(pass.radix) + twiddles + 4 * p;
  cost += 1.5 * std::max<double>(0, 2 * p + 3 - static_cast<double>(machine.registers));
  double perRow = 4; // the loop itself
  if (isFirst) {
    // Results go to memory across the vectors.
    double levels = llvm::Log2_64(std::min<int64_t>(lanes, llvm::PowerOf2Ceil(pass.radix)));
    // (Four rows of four lanes are one store on some machines.)
    cost += lanes > 1 && !(lanes == 4 && pass.radix == 4) ? 2 * p * (1 + levels) : 0;
    cost += pass.rest > 1 ? 2 * (p - 1) : 0;
    return vectors * (cost + 2) + perRow;
  }
  perRow += pass.rest > 1 ? 2 * (p - 1) : 0;
  return static_cast<double>(pass.rest) * (vectors * (cost + 2) + perRow);
}

namespace {
/// The cheapest passes for what is left of a transform.
class Search {
public:
  explicit Search(const FftMachine &machine) : machine(machine) {}

  struct Plan {
    double cost = 0;
    llvm::SmallVector<FftPass> passes;
  };

  /// The passes from `stride` on; none if there are no radices for `length`.
  const Plan &best(int64_t length, int64_t stride) {
    auto [found, isNew] = known.try_emplace({length, stride});
    if (!isNew || length == 1) {
      return found->second;
    }
    Plan plan;
    for (int64_t radix : radices) {
      if (length % radix != 0) {
        continue;
      }
      FftPass pass{radix, stride, length / radix};
      const Plan &rest = best(pass.rest, stride * radix);
      if (pass.rest > 1 && rest.passes.empty()) {
        continue;
      }
      double cost = passCost(pass, machine) + rest.cost;
      if (plan.passes.empty() || cost < plan.cost) {
        plan.cost = cost;
        plan.passes = {pass};
        plan.passes.append(rest.passes);
      }
    }
    return known[{length, stride}] = plan;
  }

private:
  FftMachine machine;
  std::map<std::pair<int64_t, int64_t>, Plan> known;
};
} // namespace

llvm::SmallVector<FftPass> modelc::planFft(int64_t length, const FftMachine &machine) {
  if (length == 1) {
    return {{1, 1, 1}};
  }
  for (const MeasuredPlan &plan : measuredPlans) {
    if (plan.lanes == machine.lanes && plan.length == length) {
      llvm::SmallVector<FftPass> passes;
      int64_t done = 1;
      for (int64_t radix : plan.radices) {
        if (radix > 1) {
          passes.push_back({radix, done, length / (done * radix)});
          done *= radix;
        }
      }
      return passes;
    }
  }
  return Search(machine).best(length, 1).passes;
}

int64_t modelc::goodFftLength(int64_t least) {
  int64_t best = static_cast<int64_t>(llvm::PowerOf2Ceil(least));
  for (int64_t five = 1; five <= 25 && five < best; five *= 5) {
    for (int64_t three = five; three <= 27 * five && three < best; three *= 3) {
      int64_t length = three;
      while (length < least) {
        length *= 2;
      }
      // Vectors want factors of two.
      if (length < best && length % 16 == 0) {
        best = length;
      }
    }
  }
  return best;
}
