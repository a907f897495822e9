// Calls `check` on an operating system.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int check(void);

int main(void) {
  int line = check();
  if (line) {
    printf("check.c:%d failed\n", line);
  }
  return line != 0;
}
