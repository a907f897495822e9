// Resize against a plain implementation of ONNX's description.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"

using namespace modelc::test;

namespace {

struct Case {
  Shape shape, sizes;
  Values scales = {};
  std::string mode = "nearest", coordinates = "half_pixel", nearest = "round_prefer_floor";
  double coefficient = -0.75;
  bool excludeOutside = false;
  Values roi = {};
};

constexpr double extrapolation = 7.5;

double coordinate(const Case &c, size_t d, double o) {
  double extent = static_cast<double>(c.shape[d]), scale = c.scales[d], exact = extent * scale;
  if (c.coordinates == "align_corners") {
    return exact == 1 ? 0 : o * (extent - 1) / (exact - 1);
  }
  if (c.coordinates == "asymmetric") {
    return o / scale;
  }
  if (c.coordinates == "tf_crop_and_resize") {
    double start = c.roi[d], end = c.roi[d + c.shape.size()];
    return exact == 1 ? (start + end) * (extent - 1) / 2
                      : start * (extent - 1) + o * (end - start) * (extent - 1) / (exact - 1);
  }
  if (c.coordinates == "pytorch_half_pixel" && exact == 1) {
    return -0.5;
  }
  double shift = 0;
  if (c.coordinates == "half_pixel_symmetric") {
    shift = extent / 2 * (1 - static_cast<double>(c.sizes[d]) / exact);
  }
  return shift + (o + 0.5) / scale - 0.5;
}

double nearestOf(const std::string &mode, double x) {
  if (mode == "floor") {
    return std::floor(x);
  }
  if (mode == "ceil") {
    return std::ceil(x);
  }
  return mode == "round_prefer_floor" ? std::ceil(x - 0.5) : std::floor(x + 0.5);
}

double keys(double x, double a) {
  x = std::fabs(x);
  return x <= 1  ? (a + 2) * x * x * x - (a + 3) * x * x + 1
         : x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a
                 : 0;
}

/// The elements along dimension `d` that result index `o` comes from, with their weights; the
/// elements need not exist.
std::vector<std::pair<int64_t, double>> tapsOf(const Case &c, size_t d, int64_t o) {
  double x = coordinate(c, d, static_cast<double>(o));
  if (c.mode == "nearest") {
    return {{static_cast<int64_t>(nearestOf(c.nearest, x)), 1}};
  }
  auto first = static_cast<int64_t>(std::floor(x));
  std::vector<std::pair<int64_t, double>> taps;
  bool isLinear = c.mode == "linear";
  double total = 0;
  for (int64_t i = first - (isLinear ? 0 : 1); i <= first + (isLinear ? 1 : 2); ++i) {
    double distance = std::fabs(x - static_cast<double>(i));
    double weight = isLinear ? 1 - distance : keys(distance, c.coefficient);
    if (!c.excludeOutside || (i >= 0 && i < c.shape[d])) {
      taps.push_back({i, weight});
      total += weight;
    }
  }
  for (auto &tap : taps) {
    tap.second /= c.excludeOutside ? total : 1;
  }
  return taps;
}

double element(const Case &c, const Tensor &x, const Shape &at, Shape &position) {
  size_t d = position.size();
  if (d == c.shape.size()) {
    return x(position);
  }
  double source = coordinate(c, d, static_cast<double>(at[d]));
  if (c.coordinates == "tf_crop_and_resize" &&
      (source < 0 || source > static_cast<double>(c.shape[d] - 1))) {
    return extrapolation;
  }
  double total = 0;
  for (auto [i, weight] : tapsOf(c, d, at[d])) {
    position.push_back(std::max<int64_t>(0, std::min(i, c.shape[d] - 1)));
    total += weight * element(c, x, at, position);
    position.pop_back();
  }
  return total;
}

template <typename Range> std::string listOf(const std::string &type, const Range &values) {
  std::string text = "array<" + type;
  const char *separator = ": ";
  for (auto value : values) {
    char number[32];
    snprintf(number, sizeof number, type == "f64" ? "%.17e" : "%.0f", static_cast<double>(value));
    text += separator + std::string(number);
    separator = ", ";
  }
  return text + ">";
}

void check(Case c) {
  if (c.scales.empty()) {
    for (size_t d = 0; d < c.shape.size(); ++d) {
      c.scales.push_back(static_cast<double>(c.sizes[d]) / static_cast<double>(c.shape[d]));
    }
  }
  auto type = [](const Shape &shape) {
    std::string text = "tensor<";
    for (int64_t extent : shape) {
      text += std::to_string(extent) + "x";
    }
    return text + "f32>";
  };
  Tensor x{c.shape, numbers(sizeOf(c.shape))};
  std::string op = "modelc.resize %0 {sizes = " + listOf("i64", c.sizes) +
                   ", scales = " + listOf("f64", c.scales) + ", roi = " + listOf("f64", c.roi) +
                   ", mode = #modelc<resize_mode " + c.mode +
                   ">, coordinate_mode = #modelc<coordinate_mode " + c.coordinates +
                   ">, nearest_mode = #modelc<nearest_mode " + c.nearest +
                   ">, cubic_coefficient = " + std::to_string(c.coefficient) +
                   " : f64, exclude_outside = " + (c.excludeOutside ? "true" : "false") +
                   ", extrapolation = " + std::to_string(extrapolation) + " : f64} : (" +
                   type(c.shape) + ") -> " + type(c.sizes);
  SCOPED_TRACE(op);
  auto results = run(op, {x.values});
  ASSERT_EQ(results.size(), 1u);
  expectClose(results[0],
              tabulate(c.sizes,
                       [&](const Shape &at) {
                         Shape position;
                         return element(c, x, at, position);
                       }),
              4e-6);
}

const char *const coordinates[] = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                                   "align_corners", "asymmetric"};
const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

TEST(Resize, Nearest) {
  for (const char *coordinate : coordinates) {
    for (const char *rounding : roundings) {
      check({{1, 2, 4, 4}, {1, 2, 8, 8}, {}, "nearest", coordinate, rounding});
      check({{1, 2, 4, 5}, {1, 2, 7, 3}, {}, "nearest", coordinate, rounding});
      check({{6, 6}, {2, 4}, {0.4, 0.7}, "nearest", coordinate, rounding});
      check({{6}, {1}, {}, "nearest", coordinate, rounding});
      check({{1}, {6}, {}, "nearest", coordinate, rounding});
    }
  }
}

TEST(Resize, Linear) {
  for (const char *coordinate : coordinates) {
    check({{1, 2, 4, 4}, {1, 2, 8, 8}, {}, "linear", coordinate});
    check({{1, 2, 4, 5}, {1, 2, 7, 3}, {}, "linear", coordinate});
    check({{2, 3, 4}, {3, 5, 2}, {}, "linear", coordinate});
    check({{6, 6}, {2, 4}, {0.4, 0.7}, "linear", coordinate});
    check({{5}, {1}, {}, "linear", coordinate});
  }
}

TEST(Resize, Cubic) {
  for (const char *coordinate : coordinates) {
    for (bool exclude : {false, true}) {
      check({{1, 1, 4, 5}, {1, 1, 8, 9}, {}, "cubic", coordinate, "floor", -0.75, exclude});
      check({{4, 7}, {3, 5}, {}, "cubic", coordinate, "floor", -0.5, exclude});
      check({{6, 6}, {2, 4}, {0.4, 0.7}, "cubic", coordinate, "floor", -0.75, exclude});
    }
  }
}

TEST(Resize, ManyDimensions) { // more taps than are written out
  check({{2, 2, 2, 2, 2, 2, 2}, {3, 3, 1, 3, 3, 3, 3}, {}, "linear"});
  check({{2, 3, 2, 2}, {3, 2, 3, 3}, {}, "cubic"});
}

TEST(Resize, IrrationalScales) { // fixed point
  check({{100}, {271}, {2.718281828459045}, "linear"});
  check({{100}, {31}, {0.3141592653589793}, "cubic"});
  for (const char *rounding : roundings) {
    check({{100}, {271}, {2.718281828459045}, "nearest", "half_pixel", rounding});
  }
}

TEST(Resize, ScalesOfSinglePrecision) { // not quite 3 / 5: index 3 comes from element 4
  check({{10}, {6}, {static_cast<double>(0.6f)}, "nearest", "asymmetric", "floor"});
}

TEST(Resize, CropAndExtrapolate) {
  for (const char *mode : {"nearest", "linear", "cubic"}) {
    check({{1, 4, 4},
           {1, 3, 5},
           {},
           mode,
           "tf_crop_and_resize",
           "round_prefer_floor",
           -0.75,
           false,
           {0, 0.4, 0.6, 1, 0.6, 1.7}});
    check({{4, 4},
           {3, 3},
           {},
           mode,
           "tf_crop_and_resize",
           "floor",
           -0.75,
           false,
           {0.9, -0.25, 0.1, 0.8}});
    check({{4, 3},
           {1, 1},
           {},
           mode,
           "tf_crop_and_resize",
           "floor",
           -0.75,
           false,
           {0.2, 0.5, 0.6, 0.7}});
  }
}

TEST(Resize, HostileNumbers) {
  // Any finite scale and any region must give code that stays inside the tensor.
  auto text = [](const std::string &scale, const std::string &roi, const std::string &mode,
                 const std::string &coordinates) {
    return "modelc.resize %0 {sizes = array<i64: 3>, scales = array<f64: " + scale +
           ">, roi = array<f64: " + roi + ">, mode = #modelc<resize_mode " + mode +
           ">, coordinate_mode = #modelc<coordinate_mode " + coordinates +
           ">, nearest_mode = #modelc<nearest_mode ceil>, cubic_coefficient = -0.75 : f64, "
           "exclude_outside = false, extrapolation = 0.0 : f64} : (tensor<4xf32>) -> tensor<3xf32>";
  };
  for (std::string mode : {"nearest", "linear", "cubic"}) {
    for (std::string coordinates : {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                                    "align_corners", "asymmetric", "tf_crop_and_resize"}) {
      for (std::string scale : {"1.0e-300", "1.0e300", "0.25", "4.9e-324"}) {
        for (std::string roi : {"0.0, 1.0", "-1.0e300, 1.0e300", "1.0e300, -1.0e300",
                                "0x7FF8000000000000, 0x7FF0000000000000"}) {
          SCOPED_TRACE(mode + " " + coordinates + " " + scale + " " + roi);
          EXPECT_EQ(run(text(scale, roi, mode, coordinates), {{1, 2, 3, 4}}).size(), 1u);
        }
      }
    }
  }
}

} // namespace
