// SPDX-License-Identifier: Apache-2.0
//
// Printing a schedule (docs/schedule-format.md). Engine side. Consecutive choices of one thread
// share a line, and choices at consecutive steps that are otherwise alike share an item, so that a
// spin loop of a thousand turns is one word and a diff shows what moved.
#include "facts/schedule.h"

#include <fmt/format.h>

#include <span>

#include "facts/schedule_text.h"

namespace raddle::facts {
namespace {

using wire::ChoiceRecord;
using wire::OpKind;

constexpr std::size_t kLineWidth = 96;

void print_text(std::string& out, std::string_view key, std::string_view value) {
  if (!value.empty()) out += fmt::format("{} {}\n", key, quote_word(value));
}

void print_keys(std::string& out, const Schedule& schedule) {
  out += "program";
  for (const std::string& word : schedule.program) out += " " + quote_word(word);
  out += '\n';
  print_text(out, "directory", schedule.directory);
  print_text(out, "build-id", schedule.build_id);
  print_text(out, "test", schedule.test);
  print_text(out, "stdin", schedule.stdin_file);
  print_text(out, "before", schedule.before);
  print_text(out, "check", schedule.check);
  out += fmt::format("expect-exit {}\n", schedule.expect_exit);
  out += fmt::format("points {}\n", kPointsWords[static_cast<unsigned>(schedule.points)]);
  out += fmt::format("timers {}\n", kTimersWords[static_cast<unsigned>(schedule.timers)]);
  if (schedule.idle == Idle::stop) out += "idle stop\n";
  if (schedule.exit == Exit::point) out += "exit point\n";
  out += fmt::format("spurious {}\n", schedule.spurious);
  if (schedule.races == 0) out += "races 0\n";
  out += fmt::format("max-steps {}\n", schedule.max_steps);
  out += fmt::format("seed {}\n", schedule.seed);
  print_text(out, "kind", schedule.kind);
  print_text(out, "message", schedule.message);
  out += fmt::format("steps {}\n", schedule.steps);
  if (schedule.events_hash != 0) out += fmt::format("events-hash {:#018x}\n", schedule.events_hash);
}

std::string step_word(StepIndex step) {
  return step == wire::kAnyStep ? std::string("@-") : fmt::format("@{}", step);
}

// A record with a kind from outside the table can only come from damaged memory.
bool is_known(OpKind kind) { return kind != OpKind::none && kind < OpKind::count; }

// How many choices from the first on fit into one item.
std::size_t item_length(std::span<const ChoiceRecord> choices) {
  std::size_t length = 1;
  ChoiceRecord expected = choices[0];
  while (length < choices.size()) {
    if (expected.step != wire::kAnyStep && ++expected.step == wire::kAnyStep) break;
    if (choices[length] != expected) break;
    ++length;
  }
  return length;
}

std::string thread_item(const ChoiceRecord& choice, std::size_t repeats) {
  std::string item = step_word(choice.step) + ' ';
  item += is_known(choice.kind) ? wire::op_word(choice.kind) : "-";
  if (choice.enabled != 0) item += fmt::format("/{}", choice.enabled);
  if (repeats > 1) item += fmt::format(" x{}", repeats);
  return item;
}

std::string value_line(const ChoiceRecord& choice) {
  std::string line = fmt::format("{} value {}", step_word(choice.step), choice.picked);
  if (choice.enabled != 0) line += fmt::format(" of {}", choice.enabled);
  return line;
}

void print_choices(std::string& out, std::span<const ChoiceRecord> choices) {
  std::string line;
  std::uint16_t line_thread = 0;
  auto flush = [&] {
    if (!line.empty()) out += line + '\n';
    line.clear();
  };
  while (!choices.empty()) {
    const ChoiceRecord& choice = choices[0];
    if (choice.kind == OpKind::value) {
      flush();
      out += value_line(choice) + '\n';
      choices = choices.subspan(1);
      continue;
    }
    std::size_t repeats = item_length(choices);
    std::string item = thread_item(choice, repeats);
    if (line_thread != choice.picked || line.size() + item.size() > kLineWidth) flush();
    if (line.empty()) line = fmt::format("T{}", choice.picked);
    line_thread = choice.picked;
    line += "  " + item;
    choices = choices.subspan(repeats);
  }
  flush();
}

}  // namespace

std::string print_schedule(const Schedule& schedule, const SiteComment& comment) {
  std::string out = fmt::format("raddle-schedule {}\n", kScheduleVersion);
  print_keys(out, schedule);
  for (const SitePlace& site : schedule.sites) {
    out += "site " + quote_word(fmt::format("{}+{:#x}", site.module, site.offset));
    std::string remark = comment ? comment(site) : std::string();
    for (char& c : remark)
      if (c == '\n' || c == '\r') c = ' ';
    if (!remark.empty()) out += "  # " + remark;
    out += '\n';
  }
  out += "choices\n";
  print_choices(out, schedule.choices);
  return out + "end\n";
}

std::string print_schedule(const Schedule& schedule) { return print_schedule(schedule, {}); }

}  // namespace raddle::facts
