// SPDX-License-Identifier: Apache-2.0
//
// Executor: carries out plans. Searches and campaigns know this interface only, not which tier it
// runs on. Engine side.
#pragma once

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "facts/run.h"
#include "launch/program.h"

namespace raddle::launch {

// run() fails with this exit code when the user did not want to wait for its end.
inline constexpr int kExitInterrupted = 130;

enum class Stream : std::uint8_t { output, error };

class Executor {
 public:
  virtual ~Executor() = default;

  // One execution under the plan. What the run refers to stays valid until the next call. An error
  // means that the program could not be run, never that it misbehaved.
  virtual Result<facts::Run> run(const facts::Plan& plan) = 0;

  // The same plan once more, apart from other runs: whatever it does, it does in a process of its
  // own.
  virtual Result<facts::Run> repeat(const facts::Plan& plan) { return run(plan); }

  // The loaded objects of the program, known after the first run at the latest.
  virtual std::span<const wire::Module> modules() const = 0;

  // The suppressions that the program itself has, known when its modules are; "" if it has none.
  virtual std::string suppressions() const { return ""; }

  // What the last run printed.
  virtual std::string printed(Stream stream) const = 0;
  std::string output() const { return printed(Stream::output); }
  std::string error_output() const { return printed(Stream::error); }
  // The file that holds the standard output, if ExecutorOptions asked for one; else empty.
  virtual std::string output_path() const = 0;

  // Whether programs are started with LD_BIND_NOW, which moves what lies on their first stack.
  virtual bool binds_now() const { return false; }
};

// An executor that makes a run in two parts, so that several can be at work at a time.
class Overlapping {
 public:
  virtual ~Overlapping() = default;
  // Starts the run. Nothing else is asked of the executor before finish() but what follows.
  virtual Status begin(const facts::Plan& plan) = 0;
  // Waits for its end.
  virtual Result<facts::Run> finish() = 0;
  // Becomes readable at the end of the run.
  virtual int end_descriptor() const = 0;
  // Keeps the run going, and says for how long that will do; zero: finish() should be called now,
  // because the run takes too long or the user does not want to wait.
  virtual std::chrono::milliseconds attend() = 0;
};

// An executor that makes runs in place, in the process of the engine: many at once, without events;
// what they do stays. Those of interest are made again, by repeat().
class InPlace {
 public:
  virtual ~InPlace() = default;
  // The outcome is written into the batch; the run returned is the last one, which lacks events.
  virtual Result<facts::Run> run_batch(facts::Batch& batch) = 0;
};

// An executor that may make runs without a fork.
class Residing {
 public:
  virtual ~Residing() = default;
  // Why it does not, after "because"; empty if it does, or was not to.
  virtual const std::string& forked_because() const = 0;
};

// Waits until finish() of one of them will not have to wait, as far as that can be known; returns
// its index. All have begun a run; those named first have precedence. Null stands for one that
// makes its run when it is asked for the result. Requires: there is one.
std::size_t wait_for_any(std::span<Overlapping* const> executors);

// Whether runs may be continued from the middle of others instead of from main.
enum class CheckpointUse {
  off,
  measured,  // where that is quicker
  forced,    // wherever it is possible: for tests
};

// Whether one process may make many runs, put back to its beginning after each.
enum class ResidentUse {
  off,
  measured,  // where that is possible, and quicker
  forced,    // wherever it is possible: for tests
};

struct ExecutorOptions {
  std::uint32_t max_steps = 0;
  std::chrono::milliseconds run_timeout{10'000};     // real time; zero: none
  std::chrono::milliseconds start_timeout{120'000};  // until main is reached
  bool output_on_disk = false;
  CheckpointUse checkpoints = CheckpointUse::measured;
  ResidentUse resident = ResidentUse::off;
  bool twice = true;  // now and then a run may be made in two ways, to compare them
  // Counts the user's interrupts; after the first a run is waited for a moment only, from the
  // second on not at all. May be null.
  const volatile std::sig_atomic_t* interrupts = nullptr;
};

// A fork server if the program and its runtime allow one, with resident runs where they are quicker
// than forks; else a fresh process for each run. The environment variable RADDLE_EXECUTOR=exec asks
// for the latter; =fork for forks alone, =resident for resident runs wherever they are possible.
// RADDLE_CHECKPOINTS=off or =force changes the options' `measured`.
Result<std::unique_ptr<Executor>> start_executor(const Program& program,
                                                 const ExecutorOptions& options);

}  // namespace raddle::launch
