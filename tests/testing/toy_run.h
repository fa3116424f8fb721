// SPDX-License-Identifier: Apache-2.0
//
// Runs a toy program under a policy and filters as the controller of the runtime runs a real one:
// enabled threads from the state of the objects, filters and policy at points with more than one of
// them, every choice recorded. Tests only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "facts/steering.h"
#include "policy/filters.h"
#include "policy/registry.h"
#include "testing/toy_program.h"

namespace raddle::toy {

enum class End : std::uint8_t {
  complete,
  deadlock,
  assertion,
  limit,    // max_steps
  stopped,  // the policy returned kNoThread, or the bound of a value
  blocked,  // the same, since everybody who could run is asleep
};

struct Step {
  ThreadId thread;
  unsigned body;  // index into Program::bodies
  unsigned op;    // index into its ops
  model::PendingOp what;
  bool failed = false;    // a try that did not succeed
  bool gave_way = false;  // fairness had held its thread back until others had moved
};

struct Outcome {
  End end = End::complete;
  std::vector<Step> steps;
  std::vector<wire::ChoiceRecord> choices;
  std::vector<wire::ChoiceSets> sets;                          // of the choices
  std::vector<std::pair<ThreadId, model::PendingOp>> pending;  // of threads that have not finished
  std::uint64_t giving_way = 0;                                // those of them that have yielded
  std::map<std::string, std::int64_t> variables;               // at the end
  unsigned cuts = 0;                                           // choices that the filters narrowed
  unsigned switches = 0;  // steps of another thread than the one before
  std::uint32_t preemptions = 0;
};

struct Conditions {
  wire::Plan plan;
  facts::Steering steering;
  std::vector<policy::Filter*> filters;
  std::vector<wire::ThreadWeight> weights = {};  // their number is put into the interest
  wire::Interest interest = {};
};

// Where an object of a toy program lies, as events would name it.
wire::Location location_of(const Program& program, std::string_view object);

// A plan with the fields that matter to policies.
wire::Plan plan_for(const char* policy, std::uint64_t seed = 1, std::uint32_t depth = 3,
                    std::uint32_t expected_steps = 0);

Outcome run(const Program& program, policy::Policy& policy, const Conditions& conditions);

// Runs plans, each with the policy that the registry makes for it.
class Runner {
 public:
  explicit Runner(std::string_view text) : program_(program(text)) {}

  Outcome run(const Conditions& conditions);
  Outcome run(const wire::Plan& plan) { return run(Conditions{plan, {}, {}}); }

  const Program& program_of() const { return program_; }
  policy::PolicyStorage& storage() { return *storage_; }

 private:
  Program program_;
  std::unique_ptr<policy::PolicyStorage> storage_ = std::make_unique<policy::PolicyStorage>();
};

// The second step of a wait or of a barrier.
inline bool is_second_half(wire::OpKind kind) {
  return kind == wire::OpKind::cond_wake || kind == wire::OpKind::barrier_leave;
}

// "T1: w x; T2: r x": the steps in order.
std::string trace(const Program& program, const Outcome& run);
// "x=1 y=0": the variables at the end, in the order of names.
std::string state(const Outcome& run);

}  // namespace raddle::toy
