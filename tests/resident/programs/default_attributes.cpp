// SPDX-License-Identifier: Apache-2.0
//
// Defaults for threads and memory that libraries keep.
#include <memory_resource>
#include <new>

#include "fresh.h"

namespace {

void look() {
  pthread_attr_t attributes;
  FRESH(pthread_getattr_default_np(&attributes) == 0);
  size_t size = 0;
  pthread_attr_getstacksize(&attributes, &size);
  FRESH(size != 300000);
  FRESH(std::get_new_handler() == nullptr);
  FRESH(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
}
void leave(int) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 300000);
  pthread_setattr_default_np(&attributes);
  std::set_new_handler([] { _exit(7); });
  std::pmr::set_default_resource(std::pmr::null_memory_resource());
  pthread_setconcurrency(5);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
