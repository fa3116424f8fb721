// SPDX-License-Identifier: Apache-2.0
//
// HandRun: a run written down step by step, for tests of what reads runs. Test side.
#pragma once

#include <bit>
#include <vector>

#include "facts/run.h"

namespace raddle::search {

class HandRun {
 public:
  static wire::Location global(std::uint32_t offset) {
    return wire::make_location(wire::Region::global, 0, offset);
  }

  // Of the steps that follow: who could make them. More than one thread: they are choices.
  HandRun& among(std::uint64_t enabled) {
    enabled_ = enabled;
    return *this;
  }
  HandRun& step(ThreadId thread, wire::OpKind kind, wire::Location where = {},
                std::uint16_t size = 0, std::uint8_t flags = 0, std::uint64_t value = 0) {
    if (std::popcount(enabled_) > 1) {
      choices_.push_back(
          {steps_, thread, kind, static_cast<std::uint8_t>(std::popcount(enabled_))});
      sets_.push_back({enabled_, 0, 0, last_, 0, 0});
    }
    add(thread, kind, where, size, static_cast<std::uint8_t>(flags | wire::kEventStep), value);
    last_ = thread;
    ++steps_;
    return *this;
  }
  // A step that leaves no event.
  HandRun& silent(ThreadId thread) {
    step(thread, wire::OpKind::tick);
    events_.pop_back();
    return *this;
  }
  // What the last step did beside.
  HandRun& also(wire::OpKind kind, wire::Location where, std::uint16_t size = 0,
                std::uint8_t flags = 0) {
    add(last_, kind, where, size, flags, 0);
    return *this;
  }
  // A value chosen in the last step.
  HandRun& value(std::uint16_t picked, std::uint8_t candidates) {
    choices_.push_back({steps_, picked, wire::OpKind::value, candidates});
    sets_.push_back({0, 0, 0, last_, 0, 0});
    return *this;
  }
  HandRun& pending(ThreadId thread, wire::OpKind kind, wire::Location where,
                   wire::Location second = {}, std::uint16_t size = 0) {
    add(thread, wire::OpKind::pending, where, size, 0, second.key());
    events_.back().order = static_cast<std::uint8_t>(kind);
    return *this;
  }

  // Valid while this is.
  facts::Run run(std::uint32_t threads = 2) const {
    facts::Run run;
    run.events = events_;
    run.choices = choices_;
    run.sets = sets_;
    run.steps = steps_;
    run.thread_count = threads;
    run.verdict.kind = wire::VerdictKind::exited;
    return run;
  }

 private:
  void add(ThreadId thread, wire::OpKind kind, wire::Location where, std::uint16_t size,
           std::uint8_t flags, std::uint64_t value) {
    wire::Event event{};
    event.where = where;
    event.value = value;
    event.step = (flags & wire::kEventStep) != 0 || steps_ == 0 ? steps_ : steps_ - 1;
    event.thread = thread;
    event.kind = kind;
    event.flags = flags;
    event.size = size;
    events_.push_back(event);
  }

  std::vector<wire::Event> events_;
  std::vector<wire::ChoiceRecord> choices_;
  std::vector<wire::ChoiceSets> sets_;
  std::uint64_t enabled_ = 3;
  StepIndex steps_ = 0;
  ThreadId last_ = 0;
};

}  // namespace raddle::search
