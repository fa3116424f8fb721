// SPDX-License-Identifier: Apache-2.0
//
// See unused_events.h. The table is compiled from the text once more: indices of events are the
// same on both sides.
#include "campaign/unused_events.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "dsl/schedule_parser.h"
#include "dsl/schedule_text.h"

namespace raddle::campaign {
namespace {

std::string sentence(const wire::ScheduleUse& use) {
  auto table = std::make_unique<dsl::Schedule>();
  char memory[512];
  dsl::TextBuffer error(memory, sizeof memory);
  std::size_t size = std::min<std::size_t>(use.text_size, wire::kScheduleTextMax);
  if (!dsl::parse_schedule({use.text, size}, *table, error)) return "";
  std::vector<std::string> missing;
  for (dsl::EventIndex i = 0; i < table->event_count; ++i) {
    if ((use.passed[i / 8] >> (i % 8) & 1) != 0) continue;
    dsl::TextBuffer text(memory, sizeof memory);
    dsl::put_event(text, *table, i);
    missing.push_back(fmt::format("`{}`", text.text()));
  }
  if (missing.empty()) return "";
  std::string name(use.name, strnlen(use.name, sizeof use.name));
  return fmt::format("no run has passed {} of the event schedule{}: {} misspelt?",
                     fmt::join(missing, ", "), name.empty() ? "" : " \"" + name + "\"",
                     missing.size() == 1 ? "is it" : "are they");
}

}  // namespace

std::vector<std::string> unused_events(std::span<const wire::ScheduleUse> schedules) {
  std::vector<std::string> sentences;
  for (const wire::ScheduleUse& use : schedules) {
    if (use.text_size == 0) continue;
    if (std::string text = sentence(use); !text.empty()) sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace raddle::campaign
