// SPDX-License-Identifier: Apache-2.0
//
// See test_reporter.h. Engine side, in the program's process.
#include "check/test_reporter.h"

#include <filesystem>
#include <set>

#include "report/frames.h"
#include "report/text_show.h"

namespace raddle::check {

void TestReporter::on_kept(const facts::Finding& finding, const report::StoredFinding& stored,
                           report::Names& names) {
  report::ShowOptions options;
  options.directory = stored.schedule.directory;
  options.width = report::show_width();
  std::error_code ignored;
  auto file = std::filesystem::absolute(finding.directory, ignored) / report::kScheduleFile;
  told_.push_back({finding, file.lexically_normal().string(),
                   report::text_show(finding, stored.recording, names, options)});
}

void TestReporter::note_leftovers(const Leftovers& leftovers,
                                  std::span<const wire::Module> modules) {
  for (const std::string& sentence : leftovers.globals()) on_note(sentence);
  std::set<std::string> told;  // two sites may be on one line
  for (const wire::Undestroyed& object : leftovers.undestroyed()) {
    report::ProgramNames program_names = names(modules);
    std::string place = report::place_text(report::best_frame(program_names.frames(object.site)));
    std::string text = undestroyed_text(object.kind, place.empty() ? "an unknown place" : place);
    if (told.insert(text).second) on_note(text);
  }
}

void TestReporter::tell(const campaign::Sighting& sighting, const std::string& schedule_file) {
  report::EventFile recording;
  recording.events.assign(sighting.trial.run.events.begin(), sighting.trial.run.events.end());
  recording.modules = facts::ModuleTable::from_wire(sighting.modules);
  if (sighting.trial.run.stacks) recording.stacks = *sighting.trial.run.stacks;
  report::ProgramNames program_names = names(sighting.modules, sighting.trial.run.stacks.get());
  report::ShowOptions options;
  options.width = report::show_width();
  facts::Finding finding = describe(sighting);
  told_.push_back(
      {finding, schedule_file, report::text_show(finding, recording, program_names, options)});
}

}  // namespace raddle::check
