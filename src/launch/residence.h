// SPDX-License-Identifier: Apache-2.0
//
// Residence: the process of the program that makes one run after the other without a fork
// (src/runtime/resident.h), and whether it is used. Engine side; a part of ForkExecutor, invisible
// to everybody else.
//
// It is left alone for good where it does not do: the kernel cannot tell which pages were written,
// most runs do what cannot be undone, forked runs are quicker, or a resident run was not the forked
// one. The last is looked for at sampled runs, which are made both ways: more often in the
// beginning, and where a run has failed.
//
// invariant: whatever happens to the process costs a forked run, never a result.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "launch/checkpoints.h"
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
  void introduce(wire::ResidentArea& area) const;
  // Whether the next run of the plan should be a resident one, from the checkpoint, or from main if
  // that is null.
  bool wants(const facts::Plan& plan, const Checkpoint* from);
  // Whether the process is there, and was forked from this one.
  bool lives(pid_t host) const { return channel_.valid() && host_ == host; }
  // Before another process is forked; and then: waits until it is ready. False if it is not going
  // to be.
  void expect(wire::ResidentArea& area);
  bool meet(pid_t process, pid_t host);

  // Lets it make a run. `alone`: nothing else is waited for meanwhile, so it may be in a loop.
  void begin(wire::ResidentArea& area, bool from_main, bool alone);
  // Whether the run has ended after a moment, or channel() has to be waited for.
  bool await_a_moment(wire::ResidentArea& area);
  int channel() const { return channel_.get(); }
  // The channel has something to read. False: that was nothing, and it has to be waited for again.
  bool take_byte(wire::ResidentArea& area);
  // The answer; nothing if it died before it gave one.
  std::optional<wire::ResidentReply> finish(const wire::ResidentArea& area);
  pid_t host() const { return host_; }
  // Ends the process, if there is one.
  void leave();

  // Whether the run just made is to be made again by a fork, and what came of that.
  bool samples(const wire::ResidentReply& reply, const facts::Run& run);
  void note_difference(const std::string& what);

  // What runs took, from the command to the answer.
  void note_forked(std::chrono::nanoseconds time);

  // Why runs are forked; empty if they are not, or nobody asked for anything else.
  const std::string& given_up() const { return given_up_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool may_spin();
  // It has ended, or goes its own way.
  void forget();
  void give_up(std::string why);
  void note_end(wire::ResidentEnd end);

  ResidentUse use_;
  bool compares_;
  EngineSocket socket_;
  UniqueFd channel_;
  UniqueFd process_;  // a handle of it
  pid_t host_ = 0;    // its parent
  std::string given_up_;
  std::uint64_t runs_ = 0;
  std::uint64_t failures_ = 0;                 // of these
  std::uint32_t forked_ = 0;                   // before it was used
  std::uint64_t timed_ = 0, passed_over_ = 0;  // runs from main
  bool from_main_ = true;                      // the run that has begun
  std::uint32_t ended_ = 0;  // of the last runs, weighted: those after which the process ended
  Clock::time_point begun_;
  std::uint32_t number_ = 0;                     // of the run that has begun
  bool byte_comes_ = false;                      // through the channel, when the run has ended
  bool has_processors_;                          // one for each side
  std::uint32_t patience_ = 0, impatience_ = 0;  // see may_spin()
  // Averages; 0: not known. Of runs from main only: those from checkpoints are left alone where
  // they are long.
  std::uint64_t resident_ns_ = 0, forked_ns_ = 0;
};

}  // namespace raddle::launch
