// SPDX-License-Identifier: Apache-2.0
//
// The text at the end of a campaign. Engine side; pure. Numbers are those of the result, and a
// campaign without findings promises no more than its search does.
#include "cli/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "cli/progress.h"
#include "report/frames.h"

namespace raddle::cli {
namespace {

// More threads than these are left to `raddle show`.
constexpr std::size_t kThreadsShown = 8;

std::string plural(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", group_digits(count), noun, count == 1 ? "" : "s");
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string thread_line(const facts::ThreadSnapshot& thread) {
  std::string name = thread.name.empty() ? "" : " " + thread.name;
  std::string place = report::place_text(report::best_frame(thread.stack));
  // The state may name the place already.
  bool named = place.empty() || thread.state.find(place) != std::string::npos;
  return fmt::format("  T{}{}: {}{}\n", thread.id, name, thread.state,
                     named ? "" : " (" + place + ")");
}

std::string counts(const facts::CampaignResult& result) {
  return fmt::format("{}, {}, {}, {} (strategy {}, seed {})",
                     plural(result.schedules + result.limited + result.blocked, "run"),
                     plural(result.behaviours, "distinct behaviour"), plural(result.steps, "step"),
                     seconds_text(result.seconds), result.strategy, result.seed);
}

// "812 B", "25 kB", "3.1 MB".
std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB"};
  double amount = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  // 999.6 kB would be printed as 1000 kB.
  for (; amount >= 999.5 && unit + 1 < std::size(kUnits); ++unit) amount /= 1000;
  return fmt::format("{:.{}f} {}", amount, amount < 9.95 ? 1 : 0, kUnits[unit]);
}

// What a tree of executions has come to; "" for other searches.
std::string search_line(const facts::SearchSize& size) {
  if (size.peak_nodes == 0) return "";
  std::string sets;
  if (size.peak_set_bytes > 0)
    sets = fmt::format(" (+ {} of sleep and done sets)", bytes_text(size.peak_set_bytes));
  std::string disk;
  if (size.peak_on_disk > 0)
    disk = fmt::format("; on disk {}, {}", plural(size.peak_on_disk, "node"),
                       bytes_text(size.peak_disk_bytes));
  return fmt::format("search: {}, {} blocked; at most {}, {}{}{}\n", plural(size.runs, "run"),
                     group_digits(size.blocked), plural(size.peak_nodes, "node"),
                     bytes_text(size.peak_tree_bytes), sets, disk);
}

}  // namespace

std::string finding_text(const facts::Finding& finding, const std::string& out_option) {
  std::string text = fmt::format("{}: {}\n", finding.kind.name, finding.message);
  std::string site = report::frame_text(finding.site);
  if (!site.empty()) text += fmt::format("  at {}\n", site);
  // A replay has no number.
  std::string run = "in";
  if (finding.directed_run != 0)
    run = fmt::format("in directed run {}, after {}:", group_digits(finding.directed_run),
                      plural(finding.schedule_index, "run"));
  else if (finding.schedule_index != 0)
    run = fmt::format("in run {}:", group_digits(finding.schedule_index));
  text += fmt::format("  {} {}, {}\n", run, plural(finding.steps, "step"),
                      plural(finding.preemptions, "preemption"));
  for (std::size_t i = 0; i < std::min(finding.threads.size(), kThreadsShown); ++i)
    text += thread_line(finding.threads[i]);
  if (finding.threads.size() > kThreadsShown)
    text += fmt::format("  and {} more threads\n", finding.threads.size() - kThreadsShown);
  if (finding.directory.empty()) return text;
  text += fmt::format("  kept in {}\n", finding.directory);
  text += fmt::format("  replay it: raddle replay{} {}\n", out_option, finding.id);
  text += fmt::format("  see it:    raddle show{} {}\n", out_option, finding.id);
  return text;
}

std::string finding_line(const facts::Finding& finding) {
  std::string place = report::place_text(finding.site);
  std::string text = fmt::format("{}: {}", finding.kind.name, first_line(finding.message));
  if (!place.empty() && text.find(place) == std::string::npos) text += fmt::format(" at {}", place);
  if (!finding.directory.empty()) text += fmt::format(" [{}]", finding.directory);
  return text + "\n";
}

std::string summary_text(const facts::CampaignResult& result, const std::string& out_option,
                         bool interrupted) {
  std::string text;
  for (const facts::Finding& finding : result.findings)
    text += finding_text(finding, out_option) + "\n";
  if (interrupted) text += "interrupted; ";
  auto warns = [&](const facts::Finding& finding) {
    return finding.kind.is_warning() && !result.failing.counts(finding.kind);
  };
  auto warnings = static_cast<std::uint64_t>(std::ranges::count_if(result.findings, warns));
  std::uint64_t findings = result.findings.size() - warnings;
  std::string found = findings == 0 ? "nothing found" : plural(findings, "finding");
  if (warnings > 0) found += fmt::format(", {}", plural(warnings, "warning"));
  text += fmt::format("{} in {}\n", found, counts(result));
  if (!result.stopped.empty()) text += fmt::format("stopped: {}\n", result.stopped);
  if (result.directed_runs > 0)
    text += fmt::format("{} beside them for potential deadlocks: {} confirmed\n",
                        plural(result.directed_runs, "directed run"), result.confirmed);
  if (!result.forked_because.empty())
    text += fmt::format("runs: forked, because {}\n", result.forked_because);
  if (result.suppressed > 0)
    text += fmt::format("{} suppressed\n", plural(result.suppressed, "finding") +
                                               (result.suppressed == 1 ? " was" : " were"));
  for (const auto& [where, count] : result.library_races)
    text += fmt::format("{} inside the C++ library left out: {} (--library-races report)\n",
                        plural(count, "race"), where);
  if (result.limited > 0)
    text += fmt::format(
        "{} cut by the step limit before the end: raise --max-steps to see the "
        "rest\n",
        plural(result.limited, "run") + (result.limited == 1 ? " was" : " were"));
  text += search_line(result.size);
  // With findings, what sampling promises about others is not worth a line.
  if ((findings == 0 || result.complete) && !result.guarantee.empty())
    text += fmt::format("promise: {}\n", result.guarantee);
  if (!result.state_file.empty())
    text += "the search is not finished: the same command with --resume goes on with it\n";
  return text;
}

}  // namespace raddle::cli
