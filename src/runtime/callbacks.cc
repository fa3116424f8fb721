// SPDX-License-Identifier: Apache-2.0
//
// See callbacks.h. Target side. __tsan_default_options says how ThreadSanitizer is to work and
// __tsan_on_finalize what its reports lead to: neither has a meaning here.
#include "runtime/callbacks.h"

#include <string.h>

#include "runtime/runtime.h"

extern "C" {
__attribute__((weak)) const char* __tsan_default_suppressions();
__attribute__((weak)) void __tsan_on_initialize();
}

namespace raddle::runtime {

void ask_program() {
  static bool begun;  // tests are attached to again and again
  if (__tsan_on_initialize != nullptr && !begun) __tsan_on_initialize();
  begun = true;
  const char* text = nullptr;
  if (__tsan_default_suppressions != nullptr) text = __tsan_default_suppressions();
  char* kept = g.shared->suppressions;
  kept[0] = '\0';
  if (text == nullptr) return;
  std::size_t size = strnlen(text, wire::kSuppressionsMax);
  if (size == wire::kSuppressionsMax) {  // whole lines only
    --size;
    while (size > 0 && text[size - 1] != '\n') --size;
  }
  memcpy(kept, text, size);
  kept[size] = '\0';
}

}  // namespace raddle::runtime
