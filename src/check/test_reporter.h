// SPDX-License-Identifier: Apache-2.0
//
// TestReporter: collects what a campaign has to say, for the result of raddle_check(). Engine side,
// in the program's process.
#pragma once

#include <functional>

#include "check/leftovers.h"
#include "outcome/reporter.h"

namespace raddle::check {

class TestReporter : public outcome::Reporter {
 public:
  using Reporter::Reporter;

  struct Told {
    facts::Finding finding;
    std::string schedule_file;  // absolute
    std::string story;          // as `raddle show` prints it
  };

  // `look` says what the runs have left behind, "" if nothing.
  void ask_for_leftovers(std::function<std::string()> look) { look_ = std::move(look); }
  std::string left_behind() override { return look_ ? look_() : ""; }

  void on_note(const std::string& note) override { notes_ += note + "\n"; }
  void note_leftovers(const Leftovers& leftovers, std::span<const wire::Module> modules);
  // Something that is not kept because it is on disk already, in `schedule_file`.
  void tell(const campaign::Sighting& sighting, const std::string& schedule_file);
  const std::vector<Told>& told() const { return told_; }
  const std::string& notes() const { return notes_; }

 protected:
  void on_kept(const facts::Finding& finding, const report::StoredFinding& stored,
               report::Names& names) override;

 private:
  std::vector<Told> told_;
  std::string notes_;
  std::function<std::string()> look_;
};

}  // namespace raddle::check
