// SPDX-License-Identifier: Apache-2.0
//
// The internal control variables of OpenMP and the environment variables they come from. Target
// side. Without OMP_NUM_THREADS a team has two members, whatever machine it runs on: a run must not
// depend on the number of processors.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime/fatal.h"
#include "runtime/openmp.h"

namespace raddle::runtime::openmp {
namespace {

constexpr std::uint32_t kDefaultThreads = 2;
constexpr std::uint32_t kLevelsMax = 8;  // of OMP_NUM_THREADS' list; libgomp's own limit is 255

struct Environment {
  bool known;
  std::uint32_t threads[kLevelsMax];  // by level
  std::uint32_t levels;
  std::uint32_t max_active_levels;
  Schedule schedule;
  std::uint64_t chunk;
};
Environment from_environment;

bool is_true(const char* text) { return text != nullptr && strcasecmp(text, "true") == 0; }

void read_threads(Environment& to) {
  const char* text = getenv("OMP_NUM_THREADS");
  while (text != nullptr && to.levels < kLevelsMax) {
    char* rest = nullptr;
    unsigned long number = strtoul(text, &rest, 10);
    if (rest == text || number == 0 || number > kMaxThreads) break;
    to.threads[to.levels++] = static_cast<std::uint32_t>(number);
    text = *rest == ',' ? rest + 1 : nullptr;
  }
  if (to.levels == 0) to.threads[to.levels++] = kDefaultThreads;
}

void read_schedule(Environment& to) {
  to.schedule = Schedule::dynamic;  // libgomp's default
  to.chunk = 1;
  const char* text = getenv("OMP_SCHEDULE");
  if (text == nullptr) return;
  if (const char* colon = strchr(text, ':')) text = colon + 1;  // monotonic: or nonmonotonic:
  static constexpr struct {
    const char* name;
    Schedule schedule;
  } kNames[] = {{"static", Schedule::fixed},
                {"dynamic", Schedule::dynamic},
                {"guided", Schedule::guided},
                {"auto", Schedule::automatic}};
  for (const auto& entry : kNames) {
    if (strncasecmp(text, entry.name, strlen(entry.name)) != 0) continue;
    to.schedule = entry.schedule;
    const char* comma = strchr(text, ',');
    to.chunk = comma != nullptr ? strtoul(comma + 1, nullptr, 10) : 0;
  }
}

const Environment& environment() {
  Environment& values = from_environment;
  if (values.known) return values;
  values.known = true;
  if (is_true(getenv("OMP_CANCELLATION"))) refuse_openmp("OMP_CANCELLATION=true");
  read_threads(values);
  read_schedule(values);
  values.max_active_levels = values.levels > 1 ? values.levels : 1;
  if (is_true(getenv("OMP_NESTED"))) values.max_active_levels = kMaxThreads;
  if (const char* text = getenv("OMP_MAX_ACTIVE_LEVELS"))
    values.max_active_levels = static_cast<std::uint32_t>(strtoul(text, nullptr, 10));
  return values;
}

}  // namespace

Settings& settings() {
  Thread& me = self();
  if (!me.has_settings) {
    const Environment& values = environment();
    me.settings = {values.threads[0], values.schedule, values.chunk, false};
    me.has_settings = true;
  }
  return me.settings;
}

std::uint32_t default_threads(std::uint32_t level) {
  const Environment& values = environment();
  return level < values.levels ? values.threads[level] : 0;
}

std::uint32_t& max_active_levels() {
  environment();
  return from_environment.max_active_levels;
}

void* find_libgomp(const char* name) {
  if (void* function = find_symbol(RTLD_NEXT, name)) return function;
  // A program that was linked with --as-needed does not name the library: our names were enough.
  void* library = dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library != nullptr)
    if (void* function = find_symbol(library, name)) return function;
  return resolve_real(name);
}

void refuse_openmp(const char* what) {
  say("the program uses ");
  say(what);
  refuse(", a part of OpenMP that raddle cannot run (see docs/openmp.md)");
}

}  // namespace raddle::runtime::openmp
