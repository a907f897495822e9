// Memory that ends, and begins, where nothing may be touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Fence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "gtest/gtest.h"
#include <cstring>
#include <sys/mman.h>

namespace modelc::test {

/// No kernel writes it by chance: as f32 it is a NaN.
static constexpr unsigned char guardByte = 0xFF;

FencedMemory::FencedMemory(size_t bytes, FenceSide side)
    : page(llvm::sys::Process::getPageSizeEstimate()), size(bytes) {
  size_t inner = llvm::alignTo(std::max<size_t>(bytes, 1), page);
  mapped = inner + 2 * page;
  void *memory = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    ADD_FAILURE() << "cannot map " << mapped << " bytes";
    abort();
  }
  base = static_cast<char *>(memory);
  char *first = base + page;
  if (mprotect(first, inner, PROT_READ | PROT_WRITE) != 0) {
    ADD_FAILURE() << "cannot open " << inner << " bytes";
    abort();
  }
  std::memset(first, guardByte, inner);
  data = side == FenceSide::Before ? first : first + inner - bytes;
}

FencedMemory::FencedMemory(FencedMemory &&other) noexcept
    : base(std::exchange(other.base, nullptr)), mapped(other.mapped), page(other.page),
      data(other.data), size(other.size) {}

FencedMemory::~FencedMemory() {
  if (base) {
    munmap(base, mapped);
  }
}

bool FencedMemory::isGuardIntact() const {
  auto isGuard = [](char byte) { return static_cast<unsigned char>(byte) == guardByte; };
  const char *first = base + page, *last = base + mapped - page;
  return std::all_of(first, static_cast<const char *>(data), isGuard) &&
         std::all_of(static_cast<const char *>(data) + size, last, isGuard);
}

} // namespace modelc::test
