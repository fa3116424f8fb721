// SPDX-License-Identifier: Apache-2.0
//
// See shared_objects.h.
#include "runtime/shared_objects.h"

#include "runtime/fatal.h"
#include "runtime/page_scan.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

namespace {

bool is_common(const void* object) {
  auto address = reinterpret_cast<std::uintptr_t>(object);
  bool common = false;
  for_each_mapping([&](const Mapping& mapping) {
    if (address - mapping.begin < mapping.end - mapping.begin) common = !mapping.is_private;
    return mapping.end <= address;
  });
  return common;
}

[[noreturn]] void refuse_object(const char* what) {
  say("the program shares ");
  say(what);
  refuse(
      " with a process that it has forked; raddle controls one process, and does not see what the "
      "other one does to it");
}

}  // namespace

void refuse_if_common(const void* object, const char* what) {
  if (running() && is_common(object)) refuse_object(what);
}

void refuse_named(const sem_t* semaphore) {
  if (running() && is_named(semaphore)) refuse_object("a named semaphore (sem_open)");
}

}  // namespace raddle::runtime
