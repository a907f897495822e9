// LLVM's fatal errors as values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/FatalErrors.h"
#include "llvm/Support/ErrorHandling.h"
#include <csetjmp>
#include <mutex>

namespace modelc {

namespace {

struct Recovery {
  std::jmp_buf stack;
  std::string *message;
};

} // namespace

/// Where a fatal error on this thread goes; null outside of runCatchingFatalErrors.
static thread_local Recovery *current = nullptr;

/// Without a recovery it returns, and LLVM ends the process as it does by itself.
static void handleFatalError(void *, const char *reason, bool) {
  if (Recovery *recovery = current) {
    current = nullptr;
    *recovery->message = reason;
    std::longjmp(recovery->stack, 1);
  }
}

bool runCatchingFatalErrors(llvm::function_ref<void()> work, std::string &message) {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(handleFatalError); });
  Recovery recovery;
  recovery.message = &message;
  if (setjmp(recovery.stack) != 0) {
    return false;
  }
  current = &recovery;
  work();
  current = nullptr;
  return true;
}

} // namespace modelc
