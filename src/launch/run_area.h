// SPDX-License-Identifier: Apache-2.0
//
// RunArea: one run as seen through the shared memory: hands the plan over, drains the event ring
// while the run lasts, and collects what it left. Engine side; common to all tiers that run the
// program in another process.
//
// Everything read from the shared memory is checked or clamped: a program that writes through wild
// pointers must not take the engine down.
#pragma once

#include <vector>

#include "facts/run.h"
#include "launch/executor.h"
#include "launch/output_file.h"
#include "launch/shared_memory.h"
#include "launch/target_process.h"

namespace raddle::launch {

// The first part of a run, for runs that begin in the same way.
struct RunPart {
  std::shared_ptr<const std::vector<wire::Event>> events;  // and more
  std::uint64_t event_count = 0;                           // of these
  std::vector<wire::ChoiceRecord> choices;
  std::vector<wire::ChoiceSets> sets;
  std::uint64_t output_bytes = 0;
  std::uint64_t error_bytes = 0;
  std::string output;
  std::string error_output;
};

class RunArea {
 public:
  static Result<RunArea> create(const ExecutorOptions& options, wire::Tier tier);

  SharedMemory& memory() { return memory_; }
  const SharedMemory& memory() const { return memory_; }
  wire::TargetStage stage() const { return memory_.header().stage.load(std::memory_order_acquire); }
  const OutputFile& output() const { return output_; }
  const OutputFile& error_output() const { return error_; }
  std::string printed(Stream stream) const {
    return (stream == Stream::output ? output_ : error_).text();
  }

  // Writes the plan and makes everything ready for a run.
  Status prepare(const facts::Plan& plan);
  // The same for a run that does not write into the files of this area.
  Status prepare_in_place(const facts::Plan& plan);

  // After prepare(): the run will go on behind this part, which another one has made.
  void begin_with(const RunPart& part);
  // Fills in the output of the last run's first part, as many bytes as it says.
  void keep_output(RunPart& part) const;

  // Takes events out of the ring if it is filling up. Returns how long the caller may sleep before
  // the next call without stopping the program.
  std::chrono::milliseconds drain();

  // Call after the process of the run has ended.
  Result<facts::Run> collect(int wait_status, bool timed_out);

  std::span<const wire::Module> modules() const;
  std::string suppressions() const;

  // Why the runtime refused the program.
  std::string refusal() const;

 private:
  RunArea(SharedMemory memory, OutputFile output, OutputFile error)
      : memory_(std::move(memory)), output_(std::move(output)), error_(std::move(error)) {}
  void take_events(std::uint64_t head);

  SharedMemory memory_;
  OutputFile output_;
  OutputFile error_;
  // The sites that the shared memory holds now. Kept alive, so that equal pointers mean equal sets.
  std::shared_ptr<const std::vector<SiteId>> sites_;
  std::uint32_t site_version_ = 0;
  std::vector<wire::Event> drained_;  // events of this run that had to leave the ring
  std::uint64_t tail_ = 0;
  bool with_stacks_ = false;  // plan.stacks
  facts::StackFolder folder_;
};

// "exited with code 3", "was killed by signal 11 (Segmentation fault)".
std::string describe_status(int wait_status);

// The error for a program that never got to main.
Error failed_before_main(const Program& program, const RunArea& area, int wait_status);

}  // namespace raddle::launch
