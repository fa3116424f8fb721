// SPDX-License-Identifier: Apache-2.0
//
// What a campaign needs of those who know words, disks and users. Engine side. They lie above this
// layer, so that a campaign can be tested without a terminal, a symbolizer or a disk.
#pragma once

#include <span>
#include <string>

#include "campaign/trial.h"
#include "facts/finding.h"
#include "facts/schedule.h"

namespace raddle::campaign {

// A run that showed something wrong.
struct Sighting {
  const Trial& trial;
  std::uint64_t schedule_index = 0;  // from 1
  std::span<const wire::Module> modules;
  std::string output;
  std::string error_output;
};

struct Progress {
  std::uint64_t runs = 0;
  std::uint64_t behaviours = 0;
  std::uint64_t findings = 0;
  double seconds = 0;
};

// Puts findings into words and keeps them.
class Desk {
 public:
  virtual ~Desk() = default;

  virtual facts::Finding describe(const Sighting& sighting) = 0;
  // Whether the user has said that this finding does not count.
  virtual bool suppressed(const facts::Finding&) { return false; }
  // Makes the finding durable; fills in id and directory.
  virtual Status keep(facts::Finding& finding, const Sighting& sighting,
                      const facts::Schedule& schedule) = 0;
  // A source place, or the best substitute.
  virtual std::string place(SiteId site, std::span<const wire::Module> modules) = 0;
  // Asked when a run cannot be repeated: what the runs before may have left behind that it depends
  // on, as a sentence; "" if nothing is known.
  virtual std::string left_behind() { return ""; }
};

// Is told how the campaign goes.
class Listener {
 public:
  virtual ~Listener() = default;

  // After every trial of the campaign and every repetition.
  virtual void on_run(const facts::Run&) {}
  // After every trial that a plan of the search led to, before it is looked at closely. Its run is
  // valid until this returns.
  virtual void on_trial(const facts::Plan&, const Trial&) {}
  virtual void on_progress(const Progress&) {}
  // Something the user should know that is not a finding.
  virtual void on_note(const std::string& note) = 0;
  virtual void on_finding(const facts::Finding&, const std::string& /*signature*/) {}
  // A further run has shown a finding of this signature; perhaps one that did not count.
  virtual void on_seen_again(const std::string& /*signature*/) {}
};

}  // namespace raddle::campaign
