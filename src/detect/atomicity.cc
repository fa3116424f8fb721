// SPDX-License-Identifier: Apache-2.0
//
// The detector of violated atomicity: unserializable interleavings (analysis/avio.h) at accesses
// that correct runs have taught to belong together. Engine side. The same three places of code are
// the same violation.
#include "analysis/avio.h"
#include "base/rng.h"
#include "detect/detector.h"
#include "report/atomicity_words.h"

namespace raddle::detect {
namespace {

using analysis::Avio;
using analysis::Granularity;

// For a run that is repeated: what was learned is not asked for, it may be elsewhere or have
// changed since. So every interleaving is reported, at every granularity.
class AllInterleavings final : public analysis::Analysis {
 public:
  AllInterleavings() {
    for (Avio& each : all_) each.suspect([](SiteId) { return true; });
  }
  void begin() override {
    for (Avio& each : all_) each.begin();
  }
  void on_event(const wire::Event& event) override {
    for (Avio& each : all_) each.on_event(event);
  }
  void finish(const facts::Run& run, analysis::Findings& findings) override {
    for (Avio& each : all_) each.finish(run, findings);
  }

 private:
  Avio all_[3] = {Avio(Granularity::word), Avio(Granularity::byte), Avio(Granularity::line)};
};

std::unique_ptr<analysis::Analysis> make(const Settings& settings) {
  if (settings.recorded == facts::FindingKind::atomicity_violation.name)
    return std::make_unique<AllInterleavings>();
  if (!settings.invariant) return nullptr;
  auto avio = std::make_unique<Avio>(settings.granularity);
  avio->suspect(settings.invariant);
  return avio;
}

// The places of P, the remote access and I.
std::uint64_t places(const Evidence& violation) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 3; ++i) key = mix64(key ^ violation.events[i].site);
  return key;
}

std::string what_became_of_it(const Evidence&, const Context& context) {
  if (context.end.outcome != facts::Outcome::finding) return "";
  return "; the run ended in `" + std::string(context.end.kind.name) + "`";
}

}  // namespace

extern const Detector kAtomicity;
constinit const Detector kAtomicity = {
    .name = "atomicity",
    .description = "accesses that belong together and are interleaved so that no order explains it",
    .kind = facts::FindingKind::atomicity_violation,
    .make = make,
    .key = places,
    .words = report::describe_atomicity,
    .needs = kAllAccesses | kEveryRead,
    .suspects_max = 32,  // what is violated everywhere was learned badly
    .remark = what_became_of_it,
    .guesses_when_repeated = true,
};

}  // namespace raddle::detect
