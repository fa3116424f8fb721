// SPDX-License-Identifier: Apache-2.0
//
// The state that a test leaves behind in global variables. Engine side, but inside the process
// under test: runs that are repeated in one process are repetitions only if they begin in the same
// state.
//
// What counts are the variables with static storage that the program may write to and that debug
// information names: globals, static members, static locals, of the executable and of those of its
// libraries that are not the system's. What is not named is not looked at (guards of static locals,
// libraries without debug information, padding between and inside variables), nor is what belongs
// to the C++ library, to a test framework or to raddle. thread_local variables are no part of it:
// the threads of a run have their own.
//
// A snapshot copies whole segments, and reads debug information (which may take a second for a
// large program) only when some byte differs, and once in a process: tests that leave nothing
// behind do not pay for it. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/shared_block.h"

namespace raddle::check {

struct ChangedGlobal {
  std::string name;      // "bank::total"
  std::string function;  // that it is local to, if the name does not tell; else ""
  std::string part;      // where it first differs, "bank::accounts[1].balance"; the name if unknown
  std::string file;      // of the declaration, "" if unknown
  int line = 0;

  // "global `g_cache` (cache.cpp:12) differs between runs"
  std::string text() const;
};

// The variables that the user has excluded: RADDLE_IGNORE_GLOBALS=name,name. A name is a variable's
// full one (bank::total) or the end of it (total).
inline constexpr const char* kIgnoreVariable = "RADDLE_IGNORE_GLOBALS";
std::vector<std::string> ignored_globals(std::string_view list);

class GlobalsSnapshot {
 public:
  // `modules` are those of this process, the executable first. An error names the file that could
  // not be read to know its variables.
  static Result<GlobalsSnapshot> take(std::span<const wire::Module> modules,
                                      const std::vector<std::string>& ignored);
  // Without those of RADDLE_IGNORE_GLOBALS.
  static Result<GlobalsSnapshot> take(std::span<const wire::Module> modules);

  GlobalsSnapshot(GlobalsSnapshot&&) noexcept;
  GlobalsSnapshot& operator=(GlobalsSnapshot&&) noexcept;
  ~GlobalsSnapshot();

  // The variables that are not what they were when the snapshot was taken, by address.
  std::vector<ChangedGlobal> differences() const;
  // From now on the state is this one.
  void refresh();

  // A piece of memory and what it was when the snapshot was taken.
  struct Copied {
    unsigned char* address;
    const unsigned char* then;
    std::size_t size;
  };
  // All that was copied, by address: the program's writable memory.
  std::vector<Copied> memory() const;
  // The bytes of it that are variables which count, and the guards of those that are static locals;
  // not of objects whose guards are not known. Reads debug information.
  struct Variables {
    std::vector<Copied> variables;  // by address
    std::vector<Copied> guards;
  };
  Variables variables() const;
  // "`g_cache` (cache.cpp:12)", or "" if no variable lies there. Reads debug information.
  std::string name(const void* address) const;
  // The files of the libraries whose memory was copied.
  std::vector<std::string> libraries() const;
  // Objects with more data than is copied.
  const std::vector<std::string>& too_large() const { return too_large_; }

  // Objects of the program whose variables are not known: without debug information, or with more
  // data than is copied. Reads debug information.
  std::vector<std::string> unknown_modules() const;

 private:
  // Writable memory of an object, without what is protected once it has been relocated.
  struct Segment {
    const unsigned char* address;
    std::size_t size;
    std::size_t at;  // into bytes_
  };
  struct Object {
    std::string path;
    std::uint64_t base;
    bool executable;
  };
  struct Index;

  GlobalsSnapshot();
  void add_segment(const char* path, std::uint64_t begin, std::uint64_t end);
  bool any_byte_differs() const;
  const Index& index() const;
  // The byte as it was, or null if it was not copied.
  const unsigned char* then(const unsigned char* address, std::size_t size) const;

  std::vector<Object> objects_;
  std::vector<Segment> segments_;
  std::vector<unsigned char> bytes_;
  std::vector<std::string> ignored_;
  std::vector<std::string> too_large_;
  mutable std::unique_ptr<Index> index_;  // of debug information, once it is needed
};

}  // namespace raddle::check
