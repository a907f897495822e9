// ONNX operators that interpolate: Resize and its predecessor Upsample.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

#include "llvm/ADT/Sequence.h"

#include <cmath>

using namespace mlir;

namespace modelc {

namespace {

/// What Resize computes, with one entry per dimension of the input.
struct Resampling {
  llvm::SmallVector<double> scales, roi;
  llvm::SmallVector<int64_t> sizes;
  ResizeMode mode = ResizeMode::Nearest;
  CoordinateMode coordinates = CoordinateMode::Asymmetric;
  NearestMode nearest = NearestMode::Floor;
  double cubic = -0.75, extrapolation = 0.0;
  bool excludesOutside = false;
};

LogicalResult build(NodeBinder &b, const Resampling &r) {
  Builder &builder = b.getImporter().getBuilder();
  MLIRContext *context = b.context();
  return b.setResult(
      0, b.create<ResizeOp>(
             b.input(0),
             {b.named("sizes", r.sizes), b.named("scales", builder.getDenseF64ArrayAttr(r.scales)),
              b.named("roi", builder.getDenseF64ArrayAttr(r.roi)),
              b.named("mode", ResizeModeAttr::get(context, r.mode)),
              b.named("coordinate_mode", CoordinateModeAttr::get(context, r.coordinates)),
              b.named("nearest_mode", NearestModeAttr::get(context, r.nearest)),
              b.named("cubic_coefficient", r.cubic), b.named("exclude_outside", r.excludesOutside),
              b.named("extrapolation", r.extrapolation)}));
}

/// Sizes that follow from scales: rounded down.
LogicalResult sizesFromScales(NodeBinder &b, Resampling &r) {
  for (auto [extent, scale] : llvm::zip(b.shape(0), r.scales)) {
    double size = std::floor(extent * scale);
    if (!(scale > 0) || !(size <= INT32_MAX)) {
      return b.error("unsupported scale " + std::to_string(scale));
    }
    r.sizes.push_back(static_cast<int64_t>(size));
  }
  return success();
}

FailureOr<ResizeMode> readMode(NodeBinder &b) {
  FailureOr<unsigned> mode =
      b.choiceAttr("mode", {"nearest", "linear", "cubic", "bilinear"}, "nearest");
  if (failed(mode)) {
    return failure();
  }
  // "bilinear" is how Upsample spelled it once.
  return *mode == 3 ? ResizeMode::Linear : static_cast<ResizeMode>(*mode);
}

/// Before opset 11 there was one way to map coordinates.
LogicalResult importOld(NodeBinder &b, llvm::SmallVector<double> scales) {
  Resampling r;
  FailureOr<ResizeMode> mode = readMode(b);
  if (failed(mode)) {
    return failure();
  }
  if (static_cast<int64_t>(scales.size()) != b.rank(0)) {
    return b.error("expected " + llvm::Twine(b.rank(0)) + " scales, got " +
                   llvm::Twine(scales.size()));
  }
  r.mode = *mode;
  r.scales = std::move(scales);
  if (failed(sizesFromScales(b, r))) {
    return failure();
  }
  return build(b, r);
}

} // namespace

static LogicalResult importUpsample(NodeBinder &b) {
  if (b.version() == 1) {
    return importOld(b, {1.0, 1.0, b.floatAttr("height_scale"), b.floatAttr("width_scale")});
  }
  if (b.version() < 9) {
    return importOld(b, b.floatsAttr("scales"));
  }
  FailureOr<llvm::SmallVector<double>> scales = b.constantFloats(1);
  return failed(scales) ? failure() : importOld(b, *scales);
}

static LogicalResult importResize10(NodeBinder &b) {
  FailureOr<llvm::SmallVector<double>> scales = b.constantFloats(1);
  return failed(scales) ? failure() : importOld(b, *scales);
}

/// Whether operand `i` is there and has elements.
static bool hasElements(NodeBinder &b, unsigned i) {
  return b.hasInput(i) && b.type(i).getNumElements() != 0;
}

/// Scales and sizes of the dimensions in `axes`.
static LogicalResult readExtents(NodeBinder &b, Resampling &r, llvm::ArrayRef<int64_t> axes) {
  r.scales.assign(b.rank(0), 1.0);
  llvm::ArrayRef<int64_t> from = b.shape(0);
  if (!hasElements(b, 3)) {
    if (!hasElements(b, 2)) {
      return b.error("expected scales or sizes");
    }
    FailureOr<llvm::SmallVector<double>> scales = b.constantFloats(2);
    if (failed(scales)) {
      return failure();
    }
    if (scales->size() != axes.size()) {
      return b.error("expected " + llvm::Twine(axes.size()) + " scales, got " +
                     llvm::Twine(scales->size()));
    }
    for (auto [axis, scale] : llvm::zip(axes, *scales)) {
      r.scales[axis] = scale;
    }
    return sizesFromScales(b, r);
  }
  FailureOr<llvm::SmallVector<int64_t>> sizes = b.constantInts(3);
  FailureOr<unsigned> policy =
      b.choiceAttr("keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"}, "stretch");
  if (failed(sizes) || failed(policy)) {
    return failure();
  }
  if (sizes->size() != axes.size()) {
    return b.error("expected " + llvm::Twine(axes.size()) + " sizes, got " +
                   llvm::Twine(sizes->size()));
  }
  r.sizes.assign(from.begin(), from.end());
  double common = 0;
  for (auto [axis, size] : llvm::zip(axes, *sizes)) {
    if (size < 0 || size > INT32_MAX || from[axis] == 0) {
      return b.error("a size of " + llvm::Twine(size) + " for the extent " +
                     llvm::Twine(from[axis]));
    }
    double scale = static_cast<double>(size) / from[axis];
    bool isFirst = axis == axes.front();
    common = isFirst ? scale : *policy == 1 ? std::min(common, scale) : std::max(common, scale);
    r.sizes[axis] = size;
    r.scales[axis] = scale;
  }
  if (*policy != 0) {
    for (int64_t axis : axes) {
      // Halves round up.
      double size = std::floor(common * from[axis] + 0.5);
      if (size > INT32_MAX) {
        return b.error("the aspect ratio makes the extent " + llvm::Twine(from[axis]) +
                       " too large");
      }
      r.scales[axis] = common;
      r.sizes[axis] = static_cast<int64_t>(size);
    }
  }
  return success();
}

static LogicalResult importResize(NodeBinder &b) {
  Resampling r;
  FailureOr<ResizeMode> mode = readMode(b);
  FailureOr<unsigned> coordinates =
      b.choiceAttr("coordinate_transformation_mode",
                   {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                    "asymmetric", "tf_crop_and_resize"},
                   "half_pixel");
  FailureOr<unsigned> nearest =
      b.choiceAttr("nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"},
                   "round_prefer_floor");
  if (failed(mode) || failed(coordinates) || failed(nearest)) {
    return failure();
  }
  if (b.flagAttr("antialias")) {
    return b.error("unsupported antialiasing");
  }
  r.mode = *mode;
  r.coordinates = static_cast<CoordinateMode>(*coordinates);
  r.nearest = static_cast<NearestMode>(*nearest);
  r.cubic = b.floatAttr("cubic_coeff_a", -0.75);
  r.extrapolation = b.floatAttr("extrapolation_value", 0.0);
  r.excludesOutside = b.flagAttr("exclude_outside");
  int64_t rank = b.rank(0);
  llvm::SmallVector<int64_t> axes = b.intsAttr("axes");
  if (axes.empty()) {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  }
  // Their order is that of the scales: normalize without sorting.
  llvm::SmallVector<bool> isSeen(rank, false);
  for (int64_t &axis : axes) {
    FailureOr<int64_t> normal = b.normalizeAxis(axis, rank);
    if (failed(normal)) {
      return failure();
    }
    axis = *normal;
    if (isSeen[axis]) {
      return b.error("axes names a dimension twice");
    }
    isSeen[axis] = true;
  }
  if (failed(readExtents(b, r, axes))) {
    return failure();
  }
  if (r.coordinates == CoordinateMode::TfCropAndResize) {
    FailureOr<llvm::SmallVector<double>> given = b.constantFloats(1);
    if (failed(given)) {
      return failure();
    }
    if (given->size() != 2 * axes.size()) {
      return b.error("expected " + llvm::Twine(2 * axes.size()) + " entries in roi, got " +
                     llvm::Twine(given->size()));
    }
    r.roi.assign(rank, 0.0);
    r.roi.append(rank, 1.0);
    for (auto [i, axis] : llvm::enumerate(axes)) {
      r.roi[axis] = (*given)[i];
      r.roi[rank + axis] = (*given)[i + axes.size()];
    }
  }
  return build(b, r);
}

void registerResizeOps(OpRegistry &ops) {
  ops.add("Resize", 10, importResize10);
  ops.add("Resize", 11, importResize);
  ops.add("Upsample", 1, importUpsample);
}

} // namespace modelc
