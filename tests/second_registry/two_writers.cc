// SPDX-License-Identifier: Apache-2.0
//
// A toy detector: atomic stores of two threads to one place. Tests only: all that a detector needs
// is in this file and in its row in registry.cc.
#include <map>

#include "detect/detector.h"
#include "report/frames.h"

namespace raddle::detect {
namespace {

class TwoWriters final : public analysis::Analysis {
 public:
  void begin() override {
    last_.clear();
    found_.clear();
  }
  void on_event(const wire::Event& event) override {
    if (event.kind != wire::OpKind::atomic_store) return;
    auto [known, first] = last_.try_emplace(event.where.key(), event);
    if (!first && known->second.thread != event.thread)
      found_.push_back({{}, event.thread, {known->second, event}});
    known->second = event;
  }
  void finish(const facts::Run&, analysis::Findings& findings) override {
    for (const Evidence& each : found_) findings.push_back(each);
  }

 private:
  std::map<std::uint64_t, wire::Event> last_;
  analysis::Findings found_;
};

std::unique_ptr<analysis::Analysis> make(const Settings&) { return std::make_unique<TwoWriters>(); }

std::uint64_t place(const Evidence& evidence) { return evidence.events[1].site; }

void describe(const report::RunContext& context, const Evidence& evidence,
              facts::Finding& finding) {
  finding.variable = context.names.location(evidence.events[1].where);
  finding.site = report::best_frame(context.names.frames(evidence.events[1].site));
  finding.message = "two threads store to " + report::quoted(finding.variable);
}

std::string remark(const Evidence&, const Context& context) {
  return context.end.outcome == facts::Outcome::ok ? "; the run ended well" : "";
}

}  // namespace

extern const Detector kTwoWriters;
constinit const Detector kTwoWriters = {
    .name = "two-writers",
    .description = "atomic stores of two threads to one place",
    .kind = {"written-twice", facts::Severity::warning, "race"},
    .make = make,
    .key = place,
    .words = describe,
    .needs = kStacks,
    .remark = remark,
};

}  // namespace raddle::detect
