// Fourier transforms, beside sums in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"
#include <complex>

using namespace modelc::test;

namespace {

using Complex = std::complex<double>;

Complex turn(int64_t k, int64_t t, int64_t n, bool inverse) {
  double angle = 2 * std::acos(-1.0) * static_cast<double>(k * t % n) / static_cast<double>(n);
  return std::polar(1.0, inverse ? angle : -angle);
}

std::string tensor(const Shape &shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape) {
    text += std::to_string(extent) + "x";
  }
  return text + "f32>";
}

std::string dft(int64_t length, bool inverse, bool onesided, const Shape &from, const Shape &to) {
  return "modelc.dft %0 {length = " + std::to_string(length) + " : i64" +
         (inverse ? ", inverse" : "") + (onesided ? ", onesided" : "") + "} : (" + tensor(from) +
         ") -> " + tensor(to);
}

/// Element `row` of sequence `batch`; 0 where there is none.
Complex element(const Tensor &x, int64_t batch, int64_t row) {
  if (row >= x.shape[1]) {
    return 0;
  }
  return {x({batch, row, 0}), x.shape[2] == 2 ? x({batch, row, 1}) : 0.0};
}

Complex transform(const Tensor &x, int64_t batch, int64_t k, int64_t n, bool inverse) {
  Complex total = 0;
  for (int64_t t = 0; t < n; ++t) {
    total += element(x, batch, t) * turn(k, t, n, inverse);
  }
  return inverse ? total / static_cast<double>(n) : total;
}

double part(Complex value, int64_t number) {
  return number == 0 ? value.real() : value.imag();
}

TEST(Spectral, Dft) {
  struct Case {
    int64_t samples, parts, length;
    bool inverse, onesided;
  };
  for (Case c :
       {Case{8, 1, 8, false, true}, Case{9, 1, 9, false, true}, Case{7, 2, 7, false, false},
        Case{7, 2, 7, true, false}, Case{5, 1, 12, false, false}, // filled with zeros
        Case{12, 2, 5, true, false}, Case{200, 1, 200, false, true}, Case{1, 1, 1, false, true}}) {
    Tensor x{{2, c.samples, c.parts}, numbers(2 * c.samples * c.parts)};
    Shape to{2, c.onesided ? c.length / 2 + 1 : c.length, 2};
    auto results = run(dft(c.length, c.inverse, c.onesided, x.shape, to), {x.values});
    expectClose(results[0],
                tabulate(to,
                         [&](const Shape &at) {
                           return part(transform(x, at[0], at[1], c.length, c.inverse), at[2]);
                         }),
                1e-5);
  }
}

/// Sample `t` of the real signal whose bins from 0 on are row `batch` of `x`.
double realInverse(const Tensor &x, int64_t batch, int64_t t, int64_t n) {
  double total = 0;
  for (int64_t k = 0; k < n; ++k) {
    int64_t row = std::min(k, n - k);
    Complex bin = element(x, batch, row);
    bin = row == 0 || 2 * row == n ? Complex(bin.real()) : row == k ? bin : std::conj(bin);
    total += (bin * turn(k, t, n, true)).real();
  }
  return total / static_cast<double>(n);
}

TEST(Spectral, RealInverse) {
  for (int64_t n : {1, 2, 8, 9, 130}) {
    for (int64_t bins : {n / 2 + 1, n / 2 + 3, (n + 2) / 3}) {
      Tensor x{{2, bins, 2}, numbers(4 * bins)};
      auto results = run(dft(n, true, true, x.shape, {2, n, 1}), {x.values});
      expectClose(results[0], tabulate({2, n, 1}, [&](const Shape &at) {
                    return realInverse(x, at[0], at[1], n);
                  }));
    }
  }
}

TEST(Spectral, Stft) {
  for (int64_t parts : {1, 2}) {
    Tensor x{{2, 25, parts}, numbers(50 * parts)}, w{{8}, numbers(8, 3)};
    int64_t step = 5, frames = 4, bins = parts == 1 ? 5 : 8;
    Shape to{2, frames, bins, 2};
    auto results = run("modelc.stft %0, %1 {frame_step = 5 : i64" +
                           std::string(parts == 1 ? ", onesided" : "") + "} : (" + tensor(x.shape) +
                           ", tensor<8xf32>) -> " + tensor(to),
                       {x.values, w.values});
    expectClose(results[0], tabulate(to, [&](const Shape &at) {
                  Complex total = 0;
                  for (int64_t t = 0; t < 8; ++t) {
                    total +=
                        element(x, at[0], at[1] * step + t) * w({t}) * turn(at[2], t, 8, false);
                  }
                  return part(total, at[3]);
                }));
  }
}

void testInverseFrames(int64_t n, int64_t step, bool normalize) {
  int64_t frames = 4, bins = n / 2 + 1, samples = (frames - 1) * step + n;
  Tensor x{{2, frames, bins, 2}, numbers(2 * frames * bins * 2)}, w{{n}, numbers(n, 3)};
  w.values[0] = 0;
  Tensor rows{{2 * frames, bins, 2}, x.values};
  auto results = run("modelc.istft %0, %1 {frame_step = " + std::to_string(step) + " : i64" +
                         (normalize ? ", normalize" : "") + "} : (" + tensor(x.shape) + ", " +
                         tensor({n}) + ") -> " + tensor({2, samples}),
                     {x.values, w.values});
  expectClose(results[0],
              tabulate({2, samples},
                       [&](const Shape &at) {
                         double total = 0, squares = 0;
                         for (int64_t f = 0; f < frames; ++f) {
                           int64_t t = at[1] - f * step;
                           if (t >= 0 && t < n) {
                             total += realInverse(rows, at[0] * frames + f, t, n) * w({t});
                             squares += w({t}) * w({t});
                           }
                         }
                         return normalize && squares > 0 ? total / squares : total;
                       }),
              1e-5);
}

TEST(Spectral, Istft) {
  testInverseFrames(8, 3, true);
  testInverseFrames(9, 4, true);
  testInverseFrames(8, 2, false);
  testInverseFrames(4, 6, true); // samples that no window covers
}

} // namespace
