// SPDX-License-Identifier: Apache-2.0
//
// events.bin of a stored finding: the run's events and the table of loaded objects they refer to,
// so that a finding can be shown without running the program. Engine side.
//
// Layout, in the byte order of the machine: magic, format, version of the events, number of
// modules, number of events, hash of the events, number of call stacks, hash of everything about
// them; then each module (base, site base, size, length of the path, path); the events; the stacks
// (length, sites); if there are any, the number of its stack for each event; and what is known of
// places on stacks (place, site, offset in the frame).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/event_stacks.h"
#include "facts/module_table.h"
#include "wire/event.h"

namespace raddle::report {

// What events are: a change of wire::Event, of what its fields mean or of the kinds of operations
// bumps it, beside kProtocolVersion. Files of other versions are refused.
inline constexpr std::uint32_t kEventVersion = 12;

struct EventFile {
  std::vector<wire::Event> events;
  facts::ModuleTable modules;
  facts::EventStacks stacks;
};

std::string encode_events(const EventFile& file);

// `name` is what error messages call the data.
Result<EventFile> decode_events(std::string_view data, const std::string& name);

}  // namespace raddle::report
