// SPDX-License-Identifier: Apache-2.0
//
// Libraries are loaded, and unloaded or not.
// FORKED: .
// FLAGS: -ldl
#include <dlfcn.h>
#include <link.h>

#include "fresh.h"

namespace {

int count() {
  int result = 0;
  dl_iterate_phdr(
      [](dl_phdr_info*, size_t, void* sum) {
        ++*static_cast<int*>(sum);
        return 0;
      },
      &result);
  return result;
}
void look() {
  FRESH(dlopen("libnss_hesiod.so.2", RTLD_NOW | RTLD_NOLOAD) == nullptr);
  dlerror();
  FRESH(dlopen("libutil.so.1", RTLD_NOW | RTLD_NOLOAD) == nullptr);
  printf("%d ", count());
}
void leave(int order) {
  void* library = dlopen("libutil.so.1", RTLD_NOW);
  if (order == 12 && library != nullptr) dlclose(library);
  dlopen("libnss_hesiod.so.2", RTLD_NOW | RTLD_GLOBAL);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
