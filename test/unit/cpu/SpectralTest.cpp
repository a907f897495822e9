// Fourier transforms by vector code, beside sums in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/cpu/CpuTest.h"
#include <complex>

using namespace modelc::test;

namespace {

using Complex = std::complex<double>;

/// Bounds on the largest error, relative to the root mean square of the result.
constexpr double smoothBound = 1e-6, otherBound = 2e-6;

bool isSmooth(int64_t n) {
  for (int64_t p : {2, 3, 5, 7}) {
    while (n % p == 0) {
      n /= p;
    }
  }
  return n == 1;
}

double boundOf(int64_t n, const std::string &element) {
  return element == "f64" ? 1e-14 : isSmooth(n) ? smoothBound : otherBound;
}

/// A row of roots of unity, so that no angle grows.
class Roots {
public:
  Roots(int64_t n, bool inverse) : table(n) {
    for (int64_t k = 0; k < n; ++k) {
      double angle = 2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n);
      table[k] = std::polar(1.0, inverse ? angle : -angle);
    }
  }
  Complex operator()(int64_t k) const { return table[k % static_cast<int64_t>(table.size())]; }

private:
  std::vector<Complex> table;
};

std::vector<Complex> transform(const std::vector<Complex> &x, bool inverse) {
  auto n = static_cast<int64_t>(x.size());
  Roots roots(n, inverse);
  std::vector<Complex> result(n);
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t t = 0; t < n; ++t) {
      result[k] += x[t] * roots(k * t);
    }
    result[k] /= inverse ? static_cast<double>(n) : 1.0;
  }
  return result;
}

/// Noise, so that no rounding error is like another; exact in f32.
Values noise(int64_t count, unsigned seed) {
  Values values;
  uint64_t state = seed * 2654435761u + 12345;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<float>(static_cast<int32_t>(state >> 32)) / 2147483648.0);
  }
  return values;
}

void expectNear(const Values &actual, const Values &expected, double bound,
                const std::string &what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  double squares = 0, worst = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    squares += expected[i] * expected[i];
    double error = std::fabs(actual[i] - expected[i]);
    worst = error > worst || std::isnan(error) ? error : worst;
  }
  // Of complex numbers, whose parts share the square.
  double size = std::sqrt(2 * squares / static_cast<double>(expected.size()));
  EXPECT_LE(worst, bound * size) << what << ": " << worst / size;
}

struct DftCase {
  int64_t samples, parts, length;
  bool inverse, onesided;
  int64_t batch = 1;
  std::string element = "f32";
};

Values expectedDft(const DftCase &c, const Values &x) {
  Values result;
  for (int64_t b = 0; b < c.batch; ++b) {
    std::vector<Complex> sequence(c.length);
    int64_t bins = c.length / 2 + 1, given = c.onesided && c.inverse ? bins : c.length;
    for (int64_t t = 0; t < std::min(given, c.samples); ++t) {
      const double *at = &x[(b * c.samples + t) * c.parts];
      sequence[t] = {at[0], c.parts == 2 ? at[1] : 0};
    }
    if (c.onesided && c.inverse) {
      for (int64_t t = 0; t <= c.length / 2; ++t) {
        int64_t mirror = (c.length - t) % c.length;
        sequence[t] = mirror == t ? sequence[t].real() : sequence[t];
        sequence[mirror] = std::conj(sequence[t]);
      }
    }
    std::vector<Complex> y = transform(sequence, c.inverse);
    y.resize(c.onesided && !c.inverse ? bins : c.length);
    for (Complex value : y) {
      result.push_back(value.real());
      if (!(c.onesided && c.inverse)) {
        result.push_back(value.imag());
      }
    }
  }
  return result;
}

void checkDft(const DftCase &c, const std::string &target) {
  Shape from{c.batch, c.samples, c.parts};
  Shape to{c.batch, c.onesided && !c.inverse ? c.length / 2 + 1 : c.length,
           c.onesided && c.inverse ? 1 : 2};
  Values x = noise(sizeOf(from), static_cast<unsigned>(c.length));
  std::string type = tensorType(from, c.element), result = tensorType(to, c.element);
  std::string op = "%r = modelc.dft %0 {length = " + std::to_string(c.length) + " : i64" +
                   (c.inverse ? ", inverse" : "") + (c.onesided ? ", onesided" : "") + "} : (" +
                   type + ") -> " + result + "\n";
  KernelCase kernel{{type}, op + "modelc.yield %r : " + result, "spectral"};
  std::vector<Tensor> results = runKernel(kernel, {x}, target);
  ASSERT_FALSE(results.empty()) << op;
  expectNear(results[0].values, expectedDft(c, x), boundOf(c.length, c.element), target + op);
}

/// Lengths of every kind: all radices alone and together, odd ones, primes.
const int64_t lengths[] = {1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,
                           13,  14,  15,  16,  17,  18,  20,  24,  30,  31,  32,  36,
                           49,  60,  64,  77,  100, 121, 128, 135, 160, 169, 200, 240,
                           256, 257, 320, 400, 480, 486, 500, 512, 720, 960, 1024};

class Spectral : public testing::TestWithParam<std::string> {};

TEST_P(Spectral, RealForward) {
  for (int64_t n : lengths) {
    checkDft({n, 1, n, false, true}, GetParam());
  }
}

TEST(SpectralLengths, DISABLED_Every) {
  std::vector<int64_t> all{1024, 2048, 4096, 4097, 16384};
  for (int64_t n = 1; n <= 600; ++n) {
    all.push_back(n);
  }
  // Real sequences of odd length are transformed as complex ones, those of even length as complex
  // ones of half of it: some of the other kinds suffice.
  for (int64_t n : all) {
    checkDft({n, 1, n, false, true}, "native");
    if (n % 5 == 0 || n > 600) {
      checkDft({n / 2 + 1, 2, n, true, true}, "native");
      checkDft({n, 2, n, false, false}, "native");
    }
  }
}

TEST_P(Spectral, RealInverse) {
  for (int64_t n : lengths) {
    checkDft({n / 2 + 1, 2, n, true, true}, GetParam());
  }
}

TEST_P(Spectral, ComplexBothWays) {
  for (int64_t n : lengths) {
    checkDft({n, 2, n, false, false}, GetParam());
    checkDft({n, 2, n, true, false}, GetParam());
  }
}

TEST_P(Spectral, AllBinsOfRealSequences) {
  for (int64_t n : {1, 2, 3, 4, 6, 15, 16, 34, 80, 256, 600}) {
    checkDft({n, 1, n, false, false}, GetParam());
    checkDft({n, 1, n, true, false}, GetParam());
  }
}

TEST_P(Spectral, CutAndFilled) {
  for (int64_t samples : {1, 5, 21, 40}) {
    for (int64_t n : {16, 21, 34}) {
      checkDft({samples, 1, n, false, true, 3}, GetParam());
      checkDft({samples, 2, n, false, false, 3}, GetParam());
      checkDft({samples, 2, n, true, true, 3}, GetParam());
    }
  }
}

TEST_P(Spectral, DoublePrecision) {
  for (int64_t n : {7, 64, 90, 211, 512}) {
    checkDft({n, 1, n, false, true, 1, "f64"}, GetParam());
    checkDft({n, 2, n, true, false, 1, "f64"}, GetParam());
  }
}

std::string frames(const std::string &op, const std::string &attributes,
                   const std::vector<std::string> &types, const std::string &result) {
  return "%r = modelc." + op + " %0, %1 {" + attributes + "} : (" + types[0] + ", " + types[1] +
         ") -> " + result + "\nmodelc.yield %r : " + result;
}

void checkStft(int64_t samples, int64_t parts, int64_t n, int64_t step, bool onesided,
               const std::string &target) {
  int64_t batch = 2, count = (samples - n) / step + 1;
  Shape to{batch, count, onesided ? n / 2 + 1 : n, 2};
  Values x = noise(batch * samples * parts, 1), w = noise(n, 2), expected;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t f = 0; f < count; ++f) {
      std::vector<Complex> frame;
      for (int64_t t = 0; t < n; ++t) {
        const double *at = &x[(b * samples + f * step + t) * parts];
        frame.push_back(Complex{at[0], parts == 2 ? at[1] : 0} * w[t]);
      }
      frame = transform(frame, false);
      for (int64_t k = 0; k < to[2]; ++k) {
        expected.push_back(frame[k].real());
        expected.push_back(frame[k].imag());
      }
    }
  }
  std::vector<std::string> types{tensorType({batch, samples, parts}), tensorType({n})};
  std::string attributes =
      "frame_step = " + std::to_string(step) + " : i64" + (onesided ? ", onesided" : "");
  KernelCase kernel{types, frames("stft", attributes, types, tensorType(to)), "spectral"};
  std::vector<Tensor> results = runKernel(kernel, {x, w}, target);
  ASSERT_FALSE(results.empty());
  expectNear(results[0].values, expected, 2 * boundOf(n, "f32"), target + kernel.body);
}

TEST_P(Spectral, Stft) {
  for (int64_t n : {8, 15, 100, 128, 320, 400, 512}) {
    checkStft(3 * n + 7, 1, n, n / 4 + 1, true, GetParam());
  }
  checkStft(100, 1, 32, 50, false, GetParam());
  checkStft(100, 1, 27, 9, false, GetParam());
  checkStft(100, 2, 24, 11, false, GetParam());
}

void checkIstft(int64_t count, int64_t n, int64_t step, const std::string &target) {
  int64_t batch = 2, bins = n / 2 + 1, samples = (count - 1) * step + n;
  Values x = noise(batch * count * bins * 2, 3), w = noise(n, 4), expected(batch * samples, 0);
  for (int64_t f = 0; f < batch * count; ++f) {
    Values row(x.begin() + f * bins * 2, x.begin() + (f + 1) * bins * 2);
    Values frame = expectedDft({bins, 2, n, true, true}, row);
    for (int64_t t = 0; t < n; ++t) {
      expected[f / count * samples + f % count * step + t] += frame[t] * w[t];
    }
  }
  std::vector<std::string> types{tensorType({batch, count, bins, 2}), tensorType({n})};
  KernelCase kernel{types,
                    frames("istft", "frame_step = " + std::to_string(step) + " : i64", types,
                           tensorType({batch, samples})),
                    "spectral"};
  std::vector<Tensor> results = runKernel(kernel, {x, w}, target);
  ASSERT_FALSE(results.empty());
  expectNear(results[0].values, expected, 4 * boundOf(n, "f32"), target + kernel.body);
}

TEST_P(Spectral, Istft) {
  for (int64_t n : {1, 2, 8, 15, 34, 90, 100, 128, 320, 400, 512}) {
    checkIstft(3, n, n / 4 + 1, GetParam());
  }
  checkIstft(4, 16, 20, GetParam()); // gaps between the frames
}

INSTANTIATE_TEST_SUITE_P(, Spectral, testing::ValuesIn(hostTargets()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
