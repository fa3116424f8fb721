// SPDX-License-Identifier: Apache-2.0
//
// See real.h and say.h.
#include "light/real.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "light/say.h"

namespace raddle::light {

void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void* find_real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found != nullptr) return found;
  say("raddle: there is no ");
  say(name);
  say(" behind that of libraddle_light.a: the program must be linked dynamically\n");
  abort();
}

}  // namespace raddle::light
