// SPDX-License-Identifier: Apache-2.0
//
// Runs, schedules and plans translated into each other. Engine side.
#include "campaign/recording.h"

#include <string.h>

#include <algorithm>

#include "facts/event_hash.h"
#include "facts/module_table.h"

namespace raddle::campaign {
namespace {

void make_strict(wire::Plan& header) {
  memset(header.policy, 0, sizeof header.policy);
  strcpy(header.policy, "replay");
  header.stacks = 1;
}

}  // namespace

facts::Schedule record(const launch::Program& program, const Surroundings& surroundings,
                       const facts::Plan& plan, const facts::Run& run,
                       std::span<const wire::Module> modules) {
  facts::Schedule schedule;
  schedule.program = program.argv;
  schedule.directory = program.directory;
  schedule.build_id = program.elf.build_id;
  schedule.stdin_file = program.stdin_file;
  schedule.before = surroundings.before;
  schedule.check = surroundings.check;
  schedule.expect_exit = surroundings.expect_exit;
  schedule.points = plan.header.points;
  schedule.timers = plan.header.timers;
  schedule.idle = plan.header.stop_when_idle != 0 ? facts::Idle::stop : facts::Idle::wait;
  schedule.exit = plan.sudden_exit ? facts::Exit::sudden : facts::Exit::point;
  schedule.spurious = plan.header.spurious;
  schedule.races = plan.quiet_races ? 0 : plan.header.races;
  schedule.max_steps = plan.header.max_steps;
  schedule.seed = plan.header.seed;
  schedule.steps = run.steps;
  schedule.events_hash = facts::event_hash(run.events);
  schedule.choices.assign(run.choices.begin(), run.choices.end());
  if (plan.sites) {
    facts::ModuleTable table = facts::ModuleTable::from_wire(modules);
    for (SiteId site : *plan.sites)
      if (auto place = table.place(site)) schedule.sites.push_back(*place);
  }
  return schedule;
}

facts::Plan strict_plan(const facts::Plan& plan, std::span<const wire::ChoiceRecord> choices) {
  facts::Plan strict = plan;
  make_strict(strict.header);
  // The recorded run is one as others are, whatever a search wants of its own.
  strict.header.systematic = strict.header.racing_only = 0;
  if (plan.quiet_races) strict.header.races = 0;
  strict.quiet_races = false;
  strict.steering = facts::Recorded{{choices.begin(), choices.end()}};
  return strict;
}

facts::Plan strict_plan(const facts::Schedule& schedule, std::span<const wire::Module> modules,
                        std::size_t& unknown_sites) {
  facts::Plan plan;
  make_strict(plan.header);
  plan.header.seed = schedule.seed;
  plan.header.max_steps = schedule.max_steps;
  plan.header.spurious = schedule.spurious;
  plan.header.races = schedule.races != 0;
  plan.header.points = schedule.points;
  plan.header.timers = schedule.timers;
  plan.header.stop_when_idle = schedule.idle == facts::Idle::stop ? 1 : 0;
  plan.sudden_exit = schedule.exit == facts::Exit::sudden;
  plan.steering = facts::Recorded{schedule.choices};
  unknown_sites = 0;
  facts::ModuleTable table = facts::ModuleTable::from_wire(modules);
  std::vector<SiteId> sites;
  for (const facts::SitePlace& place : schedule.sites) {
    if (auto site = table.site(place))
      sites.push_back(*site);
    else
      ++unknown_sites;
  }
  std::sort(sites.begin(), sites.end());
  if (!sites.empty()) plan.sites = std::make_shared<const std::vector<SiteId>>(std::move(sites));
  return plan;
}

}  // namespace raddle::campaign
