// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints: the processes, forked from runs on their way, that further runs can be continued
// from (src/runtime/checkpoint.h makes them). Engine side; a part of ForkExecutor, invisible to
// everybody else.
//
// invariants: a run from a checkpoint is the run of its plan, with all events, choices and output,
// also of the part that was not carried out again. There are at most kCheckpointsMax between runs.
// A checkpoint whose process is lost costs a run from main, never a result.
#pragma once

#include <list>
#include <optional>

#include "launch/engine_socket.h"
#include "launch/executor.h"
#include "launch/run_area.h"
#include "launch/unique_fd.h"

namespace raddle::launch {

inline constexpr std::size_t kCheckpointsMax = 8;

// The part of a run that lies before a checkpoint.
struct Checkpoint {
  UniqueFd channel;
  pid_t process = 0;
  facts::Plan plan;  // of the run that made it
  bool before_threads = false;
  std::uint32_t choices = 0;
  std::uint64_t prefix_ns = 0;  // real time from main to here
  RunPart part;
  std::uint64_t used = 0;    // the number of the last run that could start here
  std::uint32_t starts = 0;  // how many have
  bool can_host = true;      // a resident process
};

class Checkpoints {
 public:
  // Without a socket, which a system may refuse, there are no checkpoints.
  explicit Checkpoints(CheckpointUse use);

  // From where to start a run of the plan; null: from main.
  Checkpoint* nearest(const facts::Plan& plan);
  // Tells a run of the plan, which starts where nearest() said, which checkpoints to make.
  void order(wire::SharedHeader& header, const facts::Plan& plan, const Checkpoint* start);
  static void order_none(wire::SharedHeader& header);
  // Takes over those that the run has made.
  void adopt(RunArea& area, const facts::Plan& plan, const facts::Run& run);
  void drop(const Checkpoint& checkpoint);
  // Ends them all. False if there never were any.
  bool end();

  // What a run cost before it could go on: from a checkpoint, or from main.
  void note_start(bool from_checkpoint, std::uint64_t ns);

 private:
  bool serves(const Checkpoint& checkpoint, const facts::Plan& plan) const;
  bool pays(const Checkpoint& checkpoint) const;
  std::optional<Checkpoint> accept_one() const;
  void make_room(const facts::Plan& plan);

  CheckpointUse use_;
  EngineSocket socket_;
  std::list<Checkpoint> all_;
  std::uint64_t runs_ = 0;
  bool any_ = false;  // there has been one
  // Averages of what starts cost, zero: not known yet.
  std::uint64_t from_main_ns_ = 0;
  std::uint64_t from_checkpoint_ns_ = 0;
};

}  // namespace raddle::launch
