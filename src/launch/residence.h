// SPDX-License-Identifier: Apache-2.0
//
// Residence: the process of the program that makes one run after the other without a fork
// (src/runtime/resident.h), and whether it is used. Engine side; a part of ForkExecutor, invisible
// to everybody else.
//
// It is left alone for good where it does not do: the kernel cannot tell which pages were written,
// most runs do what cannot be undone, forked runs are quicker, or a resident run was not the forked
// one. The last is looked for at sampled runs, which are made both ways.
//
// invariant: whatever happens to the process costs a forked run, never a result.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "launch/engine_socket.h"
#include "launch/executor.h"
#include "launch/run_area.h"

namespace raddle::launch {

// A run that outlives the shared memory, to be compared.
class KeptRun {
 public:
  KeptRun(const facts::Run& run, const RunArea& area);
  // What is not the same, in a word; empty if nothing is.
  std::string difference(const facts::Run& other, const RunArea& area) const;

 private:
  std::vector<wire::Event> events_;
  std::vector<wire::ChoiceRecord> choices_;
  std::vector<wire::ChoiceSets> sets_;
  wire::Verdict verdict_;
  int wait_status_;
  std::uint32_t steps_;
  std::string output_, error_output_;
};

class Residence {
 public:
  // `compares`: sampled runs may be made twice.
  Residence(ResidentUse use, bool compares);

  // Tells the program where to call.
  void order(wire::SharedHeader& header) const;
  // Whether the next run of the plan should be a resident one.
  bool wants(const facts::Plan& plan) const;
  bool lives() const { return channel_.valid(); }
  // The server has forked the process: waits until it is ready. False if it is not going to be.
  bool meet(pid_t process);

  // Lets it make a run. False if it is not there any more.
  bool begin();
  int channel() const { return channel_.get(); }
  // The answer; nothing if it died before it gave one.
  std::optional<wire::ResidentReply> finish();
  void leave() { channel_.reset(); }

  // Whether the run just made is to be made again by a fork, and what came of that.
  bool samples(const wire::ResidentReply& reply) const;
  void note_difference(const std::string& what);

  // What runs took, from the command to the answer.
  void note_forked(std::chrono::nanoseconds time);

  // Why runs are forked; empty if they are not, or nobody asked for anything else.
  const std::string& given_up() const { return given_up_; }

 private:
  using Clock = std::chrono::steady_clock;
  void give_up(std::string why);
  void note_end(wire::ResidentEnd end);

  ResidentUse use_;
  bool compares_;
  EngineSocket socket_;
  UniqueFd channel_;
  std::string given_up_;
  std::uint64_t runs_ = 0;
  std::uint32_t ended_ = 0;  // of the last runs, weighted: those after which the process ended
  Clock::time_point begun_;
  std::uint64_t resident_ns_ = 0, forked_ns_ = 0;  // averages; 0: not known
};

}  // namespace raddle::launch
