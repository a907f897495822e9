/* Functions that break the real-time contract, one per macro.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
typedef unsigned long size_t;

#if defined(ALLOCATES)
void *malloc(size_t);
int g_run(int n) {
  return malloc((size_t)n) != 0;
}
#elif defined(LOCKS)
int pthread_mutex_lock(void *);
int g_run(void *lock) {
  return pthread_mutex_lock(lock);
}
#elif defined(ATOMIC)
int g_run(int *count) {
  return __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
}
#elif defined(RECURSES)
__attribute__((noinline)) int g_odd(int n);
__attribute__((noinline)) int g_even(int n) {
  return n == 0 ? 1 : g_odd(n - 1) + 1;
}
__attribute__((noinline)) int g_odd(int n) {
  return n == 0 ? 0 : g_even(n - 1) + 1;
}
int g_run(int n) {
  return g_even(n) + 1;
}
#elif defined(LOOPS)
int g_run(const volatile int *flag) {
  while (!*flag) {
  }
  return 0;
}
#elif defined(POINTER)
int g_run(int (*callback)(int), int n) {
  return callback(n) + 1;
}
#elif defined(GLOBAL)
static int count;
int g_run(int n) {
  return count += n;
}
#elif defined(SYSTEM)
int g_run(int n) {
#if defined(__x86_64__)
  __asm__ volatile("syscall" : "+a"(n)::"rcx", "r11", "memory");
#elif defined(__aarch64__)
  __asm__ volatile("svc #0" ::: "memory");
#else
  __asm__ volatile("svc #0" ::: "memory");
#endif
  return n;
}
#else
int g_run(int n) {
  return n + 1;
}
#endif
