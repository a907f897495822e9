// Memory that ends, and begins, where nothing may be touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_HARNESS_FENCE_H
#define MODELC_TEST_UNIT_HARNESS_FENCE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>

namespace modelc::test {

/// Which side of the bytes an access beyond them is a fault on. On the other side, guard bytes show
/// what was written.
enum class FenceSide { Before, After };

/// `bytes` bytes between pages without access. With the fence after them, they are aligned to no
/// more than their number allows.
class FencedMemory {
public:
  FencedMemory(size_t bytes, FenceSide side);
  FencedMemory(FencedMemory &&other) noexcept;
  ~FencedMemory();

  llvm::MutableArrayRef<char> bytes() const { return {data, size}; }
  bool isGuardIntact() const;

private:
  char *base = nullptr; ///< the mapping: a fence, pages, a fence
  size_t mapped = 0, page = 0;
  char *data = nullptr;
  size_t size;
};

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_HARNESS_FENCE_H
