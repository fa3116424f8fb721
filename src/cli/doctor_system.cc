// SPDX-License-Identifier: Apache-2.0
//
// The machine's part of `raddle doctor`. Engine side. Each check says why the setting matters to
// raddle; the rules it tests are those that runtime and launch rely on.
#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "base/pagemap_scan.h"
#include "cc/compiler.h"
#include "cli/doctor.h"
#include "launch/shell_command.h"
#include "launch/unique_fd.h"

namespace raddle::cli {
namespace {

// The runtime relies on pthread functions lying in libc itself.
constexpr int kGlibcMajor = 2;
constexpr int kGlibcMinor = 34;
// pidfd_open, by which the engine watches the program.
constexpr int kKernelMajor = 5;
constexpr int kKernelMinor = 3;

// What the runtime reserves (runtime/memory_map.h), and some for the program.
constexpr rlim_t kAddressSpace = rlim_t{48} << 40;

std::optional<std::string> first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

bool at_least(const char* version, int major, int minor) {
  int have_major = 0;
  int have_minor = 0;
  if (sscanf(version, "%d.%d", &have_major, &have_minor) < 1) return false;
  return have_major > major || (have_major == major && have_minor >= minor);
}

// "g++ (Debian 12.2.0-14) 12.2.0", or nothing if it cannot be run.
std::optional<std::string> version_line(std::vector<std::string> command) {
  command.emplace_back("--version");
  auto result = launch::run_program(command, ".");
  if (!result || result->wait_status != 0) return std::nullopt;
  return result->output.substr(0, result->output.find('\n'));
}

void check_compiler(Checks& checks, const char* topic, const char* variable, const char* fallback) {
  auto compiler = cc::find_compiler(variable, fallback);
  std::optional<std::string> version;
  if (compiler) version = version_line(compiler->command);
  if (version) {
    checks.push_back({Level::ok, topic, *version, ""});
    return;
  }
  std::string fact = compiler ? fmt::format("{} cannot be run", compiler->command.front())
                              : compiler.error().message;
  checks.push_back({Level::warning, topic, fact,
                    fmt::format("install {}, or name another compiler in {} (gcc or clang)",
                                fallback, variable)});
}

void check_other_compilers(Checks& checks) {
  for (const char* name : {"clang", "clang++"})
    if (auto version = version_line({name})) checks.push_back({Level::ok, name, *version, ""});
}

void check_glibc(Checks& checks) {
  const char* version = gnu_get_libc_version();
  bool enough = at_least(version, kGlibcMajor, kGlibcMinor);
  checks.push_back(
      {enough ? Level::ok : Level::blocker, "glibc", version,
       enough ? "" : fmt::format("raddle needs glibc {}.{} or later", kGlibcMajor, kGlibcMinor)});
}

void check_kernel(Checks& checks) {
  utsname name = {};
  uname(&name);
  bool machine = strcmp(name.machine, "x86_64") == 0;
  bool enough = at_least(name.release, kKernelMajor, kKernelMinor);
  std::string advice;
  if (!enough)
    advice = fmt::format("raddle needs Linux {}.{} or later", kKernelMajor, kKernelMinor);
  if (!machine) advice = "raddle runs on x86-64 only";
  checks.push_back({machine && enough ? Level::ok : Level::blocker, "kernel",
                    fmt::format("Linux {} on {}", name.release, name.machine), advice});
}

// Heap and stacks lie at fixed places whatever happens; programs and libraries do so only if
// randomisation can be switched off for them.
void check_randomisation(Checks& checks) {
  bool randomised = first_line("/proc/sys/kernel/randomize_va_space").value_or("0") != "0";
  int old = personality(0xffffffff);
  bool allowed =
      old != -1 && personality(static_cast<unsigned long>(old) | ADDR_NO_RANDOMIZE) != -1;
  if (allowed) personality(static_cast<unsigned long>(old));
  if (!randomised)
    checks.push_back({Level::ok, "addresses", "not randomised by this system", ""});
  else if (allowed)
    checks.push_back(
        {Level::ok, "addresses", "randomised, and raddle may switch that off (personality)", ""});
  else
    checks.push_back({Level::warning, "addresses",
                      "randomised, and raddle may not switch that off: a program whose behaviour "
                      "depends on addresses of globals may not replay",
                      "allow personality(2), in a container by --security-opt seccomp=unconfined"});
}

void check_memory(Checks& checks) {
  std::string overcommit = first_line("/proc/sys/vm/overcommit_memory").value_or("unknown");
  bool strict = overcommit == "2";
  checks.push_back({strict ? Level::blocker : Level::ok, "overcommit",
                    "vm.overcommit_memory is " + overcommit,
                    strict ? "raddle reserves address space that it does not use; run: sysctl "
                             "vm.overcommit_memory=0"
                           : ""});
  rlimit limit = {};
  getrlimit(RLIMIT_AS, &limit);
  bool limited = limit.rlim_cur < kAddressSpace;
  checks.push_back(
      {limited ? Level::blocker : Level::ok, "ulimit -v",
       limit.rlim_cur == RLIM_INFINITY
           ? "unlimited"
           : fmt::format("{} KiB of address space", limit.rlim_cur >> 10),
       limited ? "raddle reserves tens of TiB of address space (not of memory); run: ulimit -v "
                 "unlimited"
               : ""});
  getrlimit(RLIMIT_STACK, &limit);
  bool unlimited = limit.rlim_cur == RLIM_INFINITY;
  checks.push_back(
      {unlimited ? Level::warning : Level::ok, "ulimit -s",
       unlimited ? "unlimited: the kernel then lays the address space out in another way"
                 : fmt::format("{} KiB of stack for the initial thread", limit.rlim_cur >> 10),
       unlimited ? "if a program is refused for its addresses, run: ulimit -s 8192" : ""});
}

void check_ptrace(Checks& checks) {
  std::string scope = first_line("/proc/sys/kernel/yama/ptrace_scope").value_or("0");
  bool forbidden = scope == "2" || scope == "3";
  checks.push_back({forbidden ? Level::warning : Level::ok, "debuggers",
                    forbidden ? fmt::format("kernel.yama.ptrace_scope is {}: gdb cannot be used "
                                            "on programs under raddle",
                                            scope)
                              : "ptrace is allowed on programs that gdb starts",
                    forbidden ? "run: sysctl kernel.yama.ptrace_scope=1" : ""});
}

void check_processor(Checks& checks) {
  constexpr unsigned long kFsgsbase = 2;  // HWCAP2_FSGSBASE
  bool fast = (getauxval(AT_HWCAP2) & kFsgsbase) != 0;
  checks.push_back({fast ? Level::ok : Level::note, "fsgsbase",
                    fast ? "a switch between threads needs no system call"
                         : "not available (Linux 5.9 has it): every switch between threads costs "
                           "a system call",
                    ""});
}

// Which pages a run has written (src/runtime/snapshot.h).
void check_resident_runs(Checks& checks) {
  launch::UniqueFd pages(open(kPagemap, O_RDONLY | O_CLOEXEC));
  PagemapScan scan = {};
  scan.size = sizeof scan;
  scan.start = 0x10000;
  scan.end = 0x20000;
  bool can = pages.valid() && ioctl(pages.get(), kPagemapScan, &scan) >= 0;
  checks.push_back({can ? Level::ok : Level::note, "runs",
                    can ? "one process can make run after run"
                        : "each takes a fork: this kernel does not say which pages a run has "
                          "written (Linux 6.7 does)",
                    ""});
}

void check_runtime(Checks& checks) {
  auto library = launch::runtime_library();
  if (library)
    checks.push_back({Level::ok, "runtime", *library, ""});
  else
    checks.push_back({Level::blocker, "runtime", library.error().message, ""});
}

}  // namespace

Checks check_system() {
  Checks checks;
  check_compiler(checks, "C compiler", "RADDLE_CC", "gcc");
  check_compiler(checks, "C++ compiler", "RADDLE_CXX", "g++");
  check_other_compilers(checks);
  check_runtime(checks);
  check_glibc(checks);
  check_kernel(checks);
  check_randomisation(checks);
  check_memory(checks);
  check_ptrace(checks);
  check_processor(checks);
  check_resident_runs(checks);
  return checks;
}

}  // namespace raddle::cli
