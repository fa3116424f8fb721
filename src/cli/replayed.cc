// SPDX-License-Identifier: Apache-2.0
//
// Running kept schedules. Engine side.
#include "cli/replayed.h"

#include <fmt/core.h>
#include <stdio.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "report/finding_store.h"
#include "report/frames.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;

std::string base_name(const std::string& path) { return fs::path(path).filename().string(); }

// Sites are numbered by the loaded modules. A fork server knows them from the start; without one a
// run of a single step tells.
Status learn_modules(launch::Executor& executor) {
  if (!executor.modules().empty()) return Done{};
  facts::Plan probe;
  fmt::format_to_n(probe.header.policy, wire::kPolicyNameMax - 1, "nonpreemptive");
  probe.header.max_steps = 1;
  auto run = executor.run(probe);
  if (!run) return run.error();
  return Done{};
}

// "step 12: expected T2 lock at transfer (bank.cpp:9)" from what was recorded. The events of the
// finding are there if it was replayed from its folder.
std::string expectation(const facts::Schedule& schedule, std::uint32_t index,
                        const std::optional<report::StoredFinding>& stored) {
  if (index >= schedule.choices.size())
    return fmt::format("after all {} recorded choices", schedule.choices.size());
  const wire::ChoiceRecord& choice = schedule.choices[index];
  if (choice.kind == wire::OpKind::value)
    return fmt::format("step {}: expected the value {}", choice.step, choice.picked);
  std::string text = fmt::format("step {}: expected T{} {}", choice.step, choice.picked,
                                 wire::op_word(choice.kind));
  if (!stored) return text;
  for (const wire::Event& event : stored->recording.events) {
    if (event.step != choice.step || (event.flags & wire::kEventStep) == 0) continue;
    report::Symbolizer symbolizer;
    report::ProgramNames names(stored->recording.modules, symbolizer);
    std::string place = report::frame_text(report::best_frame(names.frames(event.site)));
    return place.empty() ? text : text + " at " + place;
  }
  return text;
}

// What the thread that was expected is doing instead.
std::string reality(const facts::Schedule& schedule, const campaign::Trial& trial,
                    report::Names& names) {
  std::uint32_t index = trial.run.verdict.diverged_choice;
  std::string reason = trial.run.verdict.message;
  if (index >= schedule.choices.size()) return reason;
  ThreadId thread = schedule.choices[index].picked;
  for (const wire::ThreadReport& report : trial.run.threads) {
    if (report.id != thread || schedule.choices[index].kind == wire::OpKind::value) continue;
    std::string place;
    for (std::uint32_t i = 0; i < report.frame_count && place.empty(); ++i)
      place = report::place_text(report::best_frame(names.frames(report.frames[i])));
    return fmt::format("{} (T{} {} {}{})", reason, thread, state_words(report.state),
                       wire::op_word(report.op), place.empty() ? "" : " at " + place);
  }
  return reason;
}

}  // namespace

const char* state_words(wire::ThreadState state) {
  switch (state) {
    case wire::ThreadState::running:
    case wire::ThreadState::runnable:
      return "is about to";
    case wire::ThreadState::blocked:
      return "is blocked in";
    case wire::ThreadState::sleeping:
      return "sleeps in";
    case wire::ThreadState::paused:
      return "is paused by the event schedule before";
    case wire::ThreadState::finished:
      break;
  }
  return "has finished after";
}

Result<launch::Program> find_replayed(const Arguments& named, const facts::Schedule& schedule) {
  std::error_code ignored;
  if (!fs::is_directory(schedule.directory, ignored))
    return Error{fmt::format("the schedule was recorded in {}, which does not exist any more",
                             schedule.directory),
                 kExitUsage};
  bool given = !named.empty();
  std::string here = fs::current_path(ignored).string();
  auto program =
      given ? launch::load_program(named, here, "")
            : launch::load_program(schedule.program, schedule.directory, schedule.stdin_file);
  if (!program) return program.error();
  program->directory = schedule.directory;
  program->stdin_file = schedule.stdin_file;
  bool same_build = program->elf.build_id == schedule.build_id;
  if (given && (!same_build || schedule.build_id.empty()) &&
      base_name(program->argv[0]) != base_name(schedule.program[0]))
    return Error{fmt::format("the schedule belongs to another program: it was recorded with {}, "
                             "not with {}",
                             schedule.program[0], program->argv[0]),
                 kExitUsage};
  if (!same_build)
    fmt::print(stderr,
               "raddle: warning: {} was rebuilt since the schedule was recorded; it may not fit "
               "any more\n",
               program->argv[0]);
  return program;
}

Result<facts::Plan> replay_plan(const facts::Schedule& schedule, launch::Executor& executor,
                                campaign::Trials& trials) {
  if (!schedule.sites.empty())
    if (auto status = learn_modules(executor); !status) return status.error();
  std::size_t unknown = 0;
  facts::Plan plan = campaign::strict_plan(schedule, executor.modules(), unknown);
  if (unknown > 0) {
    // Libraries that the program itself loads are known once a run has loaded them. This one cannot
    // be right to its end, for it does not stop at their places.
    if (auto rehearsal = trials.run(plan); !rehearsal) return rehearsal.error();
    plan = campaign::strict_plan(schedule, executor.modules(), unknown);
  }
  if (unknown > 0)
    fmt::print(stderr, "raddle: warning: {} recorded places belong to libraries not loaded now\n",
               unknown);
  return plan;
}

Error divergence(const FindingReference& from, const facts::Schedule& schedule,
                 const campaign::Trial& trial, const launch::Program& program,
                 report::Names& names) {
  auto loaded = report::FindingStore(from.out).load(from.reference);
  std::optional<report::StoredFinding> stored;
  // Recorded places mean nothing in another build.
  if (loaded && schedule.build_id == program.elf.build_id) stored = std::move(*loaded);
  std::string expected = expectation(schedule, trial.run.verdict.diverged_choice, stored);
  return {fmt::format("the run no longer follows the schedule: {}, but {}", expected,
                      reality(schedule, trial, names)),
          kExitDiverged};
}

}  // namespace raddle::cli
