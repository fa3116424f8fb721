// SPDX-License-Identifier: Apache-2.0
//
// FakeExecutor: an executor for tests whose runs are toy data, and what drives searches over it.
// Test side.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "launch/executor.h"
#include "search/learned.h"
#include "search/search.h"

namespace raddle::search {

// What a toy run leaves behind.
struct ToyRun {
  std::vector<wire::Event> events;
  std::vector<wire::ChoiceRecord> choices;
  std::vector<wire::ChoiceSets> sets = {};
  wire::Verdict verdict{};
  int wait_status = 0;
  std::uint32_t steps = 0;
  std::uint32_t thread_count = 1;
  std::uint32_t fairness_cuts = 0;
  bool too_many_threads = false;
  bool recurred = false;
  std::vector<wire::ThreadReport> threads = {};
};

inline ToyRun toy_exit(int code, std::uint32_t steps = 10) {
  ToyRun run;
  run.verdict.kind = wire::VerdictKind::exited;
  run.wait_status = code << 8;
  run.steps = steps;
  return run;
}

inline ToyRun toy_verdict(wire::VerdictKind kind, SiteId site) {
  ToyRun run;
  run.verdict.kind = kind;
  run.wait_status = 6;
  run.steps = 5;
  wire::Event event = {};
  event.site = site;
  event.kind = wire::OpKind::mutex_lock;
  run.events.push_back(event);
  return run;
}

inline wire::Event toy_access(wire::OpKind kind, SiteId site, std::uint8_t flags = 0) {
  wire::Event event = {};
  event.kind = kind;
  event.site = site;
  // As the runtime does for data that two threads touch.
  bool plain = wire::is_plain_access(kind);
  event.flags = static_cast<std::uint8_t>(flags | (plain ? wire::kEventConflict : 0));
  event.size = 4;
  return event;
}

// One thread that reads the same value at the same place until the run is cut.
inline ToyRun toy_circles(StepIndex steps) {
  ToyRun run = toy_exit(0, steps);
  run.verdict.kind = wire::VerdictKind::limit;
  for (StepIndex step = 0; step < steps; ++step) {
    run.events.push_back(toy_access(wire::OpKind::atomic_load, 5, wire::kEventStep));
    run.events.back().step = step;
  }
  return run;
}

class FakeExecutor : public launch::Executor {
 public:
  using Program = std::function<Result<ToyRun>(const facts::Plan& plan, std::uint64_t number)>;

  // The program is told the plan and the number of the run, from 0.
  explicit FakeExecutor(Program program) : program_(std::move(program)) {}

  Result<facts::Run> run(const facts::Plan& plan) override {
    plans.push_back(plan);
    auto toy = program_(plan, plans.size() - 1);
    if (!toy) return toy.error();
    last_ = std::move(*toy);
    facts::Run run;
    run.events = last_.events;
    run.choices = last_.choices;
    run.sets = last_.sets;
    run.verdict = last_.verdict;
    run.wait_status = last_.wait_status;
    run.steps = last_.steps;
    run.thread_count = last_.thread_count;
    run.fairness_cuts = last_.fairness_cuts;
    run.too_many_threads = last_.too_many_threads;
    run.recurred = last_.recurred;
    run.threads = last_.threads;
    return run;
  }
  std::span<const wire::Module> modules() const override { return {}; }
  std::string printed(launch::Stream stream) const override {
    return stream == launch::Stream::output ? "output" : "";
  }
  std::string output_path() const override { return "/dev/null"; }

  std::vector<facts::Plan> plans;  // all that were carried out

 private:
  Program program_;
  ToyRun last_;
};

// Drives a search over a toy program for at most `runs` runs; returns the plans.
inline std::vector<facts::Plan> drive(Search& search, int runs, FakeExecutor::Program program) {
  FakeExecutor executor(std::move(program));
  for (int i = 0; i < runs; ++i) {
    auto plan = search.next();
    if (!plan) break;
    search.observe(*executor.run(*plan));
  }
  return executor.plans;
}

inline Result<ToyRun> quiet_toy(const facts::Plan&, std::uint64_t) { return toy_exit(0); }

inline PlanOptions toy_options() {
  PlanOptions options;
  options.seed = 42;
  options.max_steps = 1000;
  return options;
}

inline std::vector<std::string> policies_of(const std::vector<facts::Plan>& plans) {
  std::vector<std::string> names;
  for (const facts::Plan& plan : plans) names.emplace_back(plan.header.policy);
  return names;
}

}  // namespace raddle::search
