// SPDX-License-Identifier: Apache-2.0
//
// Sources of randomness, seeded the same in every run. Target side. rand(3) needs nothing: glibc
// seeds it with 1, and programs that seed it with the time get virtual time.
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/rng.h"
#include "runtime/cancel.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

namespace {

constinit raddle::Rng generator(0x72616464'6c65);  // any constant; constant-initialised

void fill(void* buffer, size_t size) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  for (size_t i = 0; i < size; i += 8) {
    std::uint64_t word = generator.next();
    memcpy(bytes + i, &word, size - i < 8 ? size - i : 8);
  }
}

}  // namespace

RADDLE_EXPORT ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (off()) return RADDLE_REAL(getrandom)(buffer, size, flags);
  pass_cancellation_point(RADDLE_PROGRAM_CALLER);
  fill(buffer, size);
  return static_cast<ssize_t>(size);
}

RADDLE_EXPORT int getentropy(void* buffer, size_t size) {
  if (off()) return RADDLE_REAL(getentropy)(buffer, size);
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  fill(buffer, size);
  return 0;
}

// std::random_device, which would otherwise ask the processor.
RADDLE_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* self) {
  using GetValue = unsigned(void*);
  static GetValue* real;
  if (off()) return real_function(&real, "_ZNSt13random_device9_M_getvalEv")(self);
  return static_cast<unsigned>(generator.next());
}
