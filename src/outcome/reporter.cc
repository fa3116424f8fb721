// SPDX-License-Identifier: Apache-2.0
//
// From judged runs to findings with words, kept on disk. Engine side.
#include "outcome/reporter.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "detect/registry.h"
#include "report/describe.h"
#include "report/frames.h"

namespace raddle::outcome {
namespace {

std::string stacks_text(const facts::Finding& finding) {
  std::string text;
  for (const facts::ThreadSnapshot& thread : finding.threads) {
    text += fmt::format("T{} {}: {}\n", thread.id, thread.name, thread.state);
    for (const facts::Frame& frame : thread.stack)
      text += fmt::format("    {}{}\n", report::frame_text(frame), frame.inlined ? " inlined" : "");
  }
  return text;
}

}  // namespace

facts::Finding describe_trial(const campaign::Trial& trial,
                              const campaign::Surroundings& surroundings,
                              const std::string& directory, const std::string& error_output,
                              report::Names& names) {
  report::RunContext context{trial.run, names, surroundings.expect_exit, directory, error_output};
  if (trial.about) {
    const detect::Detector* detector = detect::detector_of(trial.about->kind);
    if (detector == nullptr) return report::describe_feasible(context);
    return report::describe_evidence(context, *trial.about, detector->words);
  }
  if (trial.judgement.kind == facts::FindingKind::check)
    return report::describe_check(context, surroundings.check, trial.check_exit);
  auto finding = report::describe(context);
  RADDLE_CHECK(finding.has_value());
  return *finding;
}

Reporter::Reporter(campaign::Surroundings surroundings, std::string directory,
                   const std::string& out)
    : surroundings_(std::move(surroundings)), directory_(std::move(directory)), store_(out) {}

report::ProgramNames Reporter::names(std::span<const wire::Module> modules,
                                     const facts::EventStacks* stacks) {
  return report::ProgramNames(facts::ModuleTable::from_wire(modules), symbolizer_, stacks);
}

facts::Finding Reporter::describe(const campaign::Sighting& sighting) {
  report::ProgramNames program_names = names(sighting.modules, sighting.trial.run.stacks.get());
  facts::Finding finding = describe_trial(sighting.trial, surroundings_, directory_,
                                          sighting.error_output, program_names);
  finding.message += hint(finding, sighting.modules);
  return finding;
}

// Races and waits without end where code does atomic operations by itself may be no more than that.
std::string Reporter::hint(const facts::Finding& finding, std::span<const wire::Module> modules) {
  using facts::FindingKind;
  constexpr FindingKind kKinds[] = {FindingKind::data_race, FindingKind::hang,
                                    FindingKind::livelock};
  if (std::ranges::find(kKinds, finding.kind) == std::end(kKinds)) return "";
  facts::ModuleTable table = facts::ModuleTable::from_wire(modules);
  for (const facts::ThreadSnapshot& thread : finding.threads) {
    if (thread.stack.empty() || !report::is_user_code(thread.stack.front())) continue;
    const facts::Frame& innermost = thread.stack.front();
    for (const facts::Module& module : table.modules()) {
      if (facts::base_name(module.path) != innermost.module) continue;
      const std::string& function = locked_code_.function_at(module.path, innermost.offset);
      if (!function.empty())
        return fmt::format("; `{}` has atomic instructions of its own, which raddle does not see",
                           function);
    }
  }
  return "";
}

bool Reporter::suppressed(const facts::Finding& finding) {
  if (auto ask = std::exchange(program_rules_, nullptr)) {
    auto rules = report::Suppressions::parse(ask(), "__tsan_default_suppressions");
    if (rules)
      program_suppressions_ = std::move(*rules);
    else
      on_note("what the program suppresses is left out of account: " + rules.error().message);
  }
  return suppressions_.match(finding) || program_suppressions_.match(finding);
}

Status Reporter::keep(facts::Finding& finding, const campaign::Sighting& sighting,
                      const facts::Schedule& schedule) {
  const campaign::Trial& trial = sighting.trial;
  std::string said = trial.check_output.substr(0, trial.check_output.find('\n'));
  if (!said.empty()) finding.message += ": " + said;
  report::StoredFinding stored;
  stored.finding = finding;
  stored.schedule = schedule;
  stored.recording.events.assign(trial.run.events.begin(), trial.run.events.end());
  stored.recording.modules = facts::ModuleTable::from_wire(sighting.modules);
  if (trial.run.stacks) stored.recording.stacks = *trial.run.stacks;
  stored.stacks = stacks_text(finding);
  stored.output = sighting.output;
  stored.error_output = sighting.error_output;
  report::ProgramNames program_names = names(sighting.modules, sighting.trial.run.stacks.get());
  stored.site_comments = [&](const facts::SitePlace& place) {
    auto site = stored.recording.modules.site(place);
    return site ? report::place_text(report::best_frame(program_names.frames(*site)))
                : std::string();
  };
  auto saved = store_.save(stored);
  if (!saved) return saved.error();
  finding = *saved;
  on_kept(finding, stored, program_names);
  return Done{};
}

std::string Reporter::place(SiteId site, std::span<const wire::Module> modules) {
  report::ProgramNames program_names = names(modules);
  std::string text = report::frame_text(report::best_frame(program_names.frames(site)));
  return text.empty() ? fmt::format("an unknown place ({:#x})", site) : text;
}

}  // namespace raddle::outcome
