// SPDX-License-Identifier: Apache-2.0
//
// The interleaving as text. Engine side. With few threads every thread has its column; with many,
// or on a narrow terminal, there is one column and every line names its thread.
#include "report/text_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "facts/schedule_text.h"
#include "report/event_words.h"
#include "report/frames.h"
#include "report/source_lines.h"
#include "report/stack_text.h"
#include "report/story.h"
#include "report/text_columns.h"

namespace raddle::report {
namespace {

using facts::Finding;
using wire::Event;

constexpr std::size_t kColumnsMax = 4;
constexpr std::size_t kColumnWidthMin = 22;
// Columns of three threads and of two; what they leave is room for the last one's source lines.
constexpr std::size_t kColumnWidthOfThree = 24;
constexpr std::size_t kColumnWidthMax = 40;
constexpr std::size_t kGutter = 7;  // the step's number and a blank
constexpr std::size_t kBetween = 2;
constexpr int kWidthMin = 40;

// One step, ready to be laid out.
struct Row {
  ThreadId thread = 0;
  std::string number;
  std::string what;
  std::string where;   // "bank.cpp:12"
  std::string source;  // the line's text
};

class Show {
 public:
  Show(const Finding& finding, const EventFile& recording, Names& names, const ShowOptions& options)
      : finding_(finding),
        events_(recording.events),
        names_(names),
        options_(options),
        paint_(options.colour),
        places_(names, recording.events, recording.stacks),
        sources_(options.directory),
        width_(static_cast<std::size_t>(std::max(options.width, kWidthMin))) {}

  std::string text() {
    std::vector<StoryStep> story = make_story(events_, finding_, {options_.steps_max});
    choose_columns(story);
    if (!story.empty()) header();
    for (const StoryStep& step : story) show_step(step);
    show_ends();
    if (!out_.empty()) out_ += '\n';
    out_ += verdict_text(finding_, paint_);
    out_ += '\n' + stacks_text(finding_, paint_);
    return std::move(out_);
  }

 private:
  void choose_columns(const std::vector<StoryStep>& story) {
    std::set<ThreadId> seen;
    for (const StoryStep& step : story) seen.insert(events_[step.event].thread);
    columns_.assign(seen.begin(), seen.end());
    std::size_t count = std::max<std::size_t>(columns_.size(), 1);
    std::size_t even = (width_ - kGutter - kBetween * (count - 1)) / count;
    in_columns_ = count <= kColumnsMax && even >= kColumnWidthMin;
    column_width_ = std::min(even, count > 2 ? kColumnWidthOfThree : kColumnWidthMax);
  }

  std::size_t column_of(ThreadId thread) const {
    auto found = std::ranges::find(columns_, thread);
    return static_cast<std::size_t>(found - columns_.begin());
  }

  // A line that begins in the thread's column. It may run into the columns to the right, which are
  // empty here: where a line begins tells whose it is.
  void cell(const std::string& number, ThreadId thread, const std::string& text, bool faint) {
    std::size_t begin = kGutter + column_of(thread) * (column_width_ + kBetween);
    std::string line = padded(padded(number, kGutter), begin);
    std::string cut = clipped(text, width_ - begin);
    out_ += line + (faint ? paint_.faint(cut) : paint_.thread(thread, cut)) + '\n';
  }

  void header() {
    if (!in_columns_) {
      out_ += padded("step", kGutter) + "thread and operation\n";
      return;
    }
    std::string line = padded("step", kGutter);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::string label = clipped(thread_label(finding_, columns_[i]), column_width_);
      bool last = i + 1 == columns_.size();
      line += paint_.bold(last ? label : padded(label, column_width_ + kBetween));
    }
    out_ += line + '\n';
  }

  void between(const std::string& text) {
    out_ += std::string(kGutter, ' ') + paint_.faint(clipped(text, width_ - kGutter)) + '\n';
  }

  Row row_of(const StoryStep& step) {
    const Event& event = events_[step.event];
    Row row;
    row.thread = event.thread;
    row.number = fmt::format("{:>5}", event.step);
    row.what = event_words(event, step.others, names_);
    if (event.kind == wire::OpKind::event) row.what += " " + event_name(events_, step.event);
    EventPlace place = places_.place(step.event);
    if (place.frame != nullptr) {
      row.where = place_text(*place.frame);
      row.source = sources_.line(place.frame->file, place.frame->line);
    }
    if (!place.library.empty() && event.kind != wire::OpKind::thread_exit) {
      // Not the line itself, only the last one known before.
      row.where = row.where.empty() ? "in " + place.library
                                    : fmt::format("in {}, after {}", place.library, row.where);
      row.source.clear();
    }
    return row;
  }

  void show_step(const StoryStep& step) {
    if (step.skipped > 0)
      between(fmt::format("… {} step{}", step.skipped, step.skipped == 1 ? "" : "s"));
    Row row = row_of(step);
    if (step.preempted != kNoThread)
      between(fmt::format("~~~ T{} is preempted, T{} goes on ~~~", step.preempted, row.thread));
    if (in_columns_)
      show_in_column(row);
    else
      show_in_line(row);
    if (step.loop_repeats > 0)
      between(step.loop_length == 1 ? fmt::format("… {} times in all", step.loop_repeats)
                                    : fmt::format("… the last {} steps {} times in all",
                                                  step.loop_length, step.loop_repeats));
  }

  void show_in_column(const Row& row) {
    cell(row.number, row.thread, row.what, false);
    std::string source = row.source.empty() ? row.where : row.where + "  " + row.source;
    if (!source.empty()) cell("", row.thread, "  " + source, true);
  }

  void show_in_line(const Row& row) {
    constexpr std::size_t kLabelWidth = 6, kWhatWidth = 34, kWhereWidth = 18, kRoomMin = 30;
    std::size_t used = kGutter + kLabelWidth;
    std::string what = clipped(row.what, width_ - used);
    std::string label = padded(fmt::format("T{}", row.thread), kLabelWidth);
    out_ += padded(row.number, kGutter) + paint_.thread(row.thread, label);
    std::string rest = padded(row.where, kWhereWidth) + " " + row.source;
    while (rest.ends_with(' ')) rest.pop_back();
    bool beside = display_width(what) <= kWhatWidth && width_ >= used + kWhatWidth + 1 + kRoomMin;
    if (rest.empty()) {
      out_ += what + '\n';
    } else if (beside) {
      std::size_t room = width_ - used - kWhatWidth - 1;
      out_ += padded(what, kWhatWidth + 1) + paint_.faint(clipped(rest, room)) + '\n';
    } else {
      std::string indent(used + 2, ' ');
      out_ += what + '\n' + indent + paint_.faint(clipped(rest, width_ - used - 2)) + '\n';
    }
  }

  // What threads that had not ended were stuck in, and where the run failed, below their steps.
  void show_ends() {
    for (const facts::ThreadSnapshot& thread : finding_.threads) {
      bool failed = thread.id == finding_.thread && !thread.in_cycle;
      bool stuck = thread.state.starts_with("blocked") || thread.state.starts_with("waits") ||
                   thread.state.starts_with("paused");
      if ((!failed && !stuck) || column_of(thread.id) == columns_.size()) continue;
      std::string text = stuck ? thread.state : std::string(finding_.kind.name);
      const facts::Frame frame = best_frame(thread.stack);
      if (in_columns_) {
        cell("  end", thread.id, "✗ " + text, false);
        std::string source = sources_.line(frame.file, frame.line);
        std::string place = place_text(frame);
        if (!place.empty())
          cell("", thread.id, "  " + place + (source.empty() ? "" : "  " + source), true);
      } else {
        Row row;
        row.thread = thread.id;
        row.number = "  end";
        row.what = "✗ " + text;
        row.where = place_text(frame);
        row.source = sources_.line(frame.file, frame.line);
        show_in_line(row);
      }
    }
  }

  const Finding& finding_;
  std::span<const Event> events_;
  Names& names_;
  const ShowOptions& options_;
  Paint paint_;
  EventPlaces places_;
  SourceLines sources_;
  std::size_t width_;
  std::vector<ThreadId> columns_;
  std::size_t column_width_ = 0;
  bool in_columns_ = true;
  std::string out_;
};

}  // namespace

int show_width() {
  const char* text = std::getenv("COLUMNS");
  auto columns = text == nullptr ? std::nullopt : facts::parse_number<int>(text);
  return columns && *columns >= kWidthMin && *columns <= 1000 ? *columns : ShowOptions().width;
}

std::string text_show(const Finding& finding, const EventFile& recording, Names& names,
                      const ShowOptions& options) {
  return Show(finding, recording, names, options).text();
}

}  // namespace raddle::report
