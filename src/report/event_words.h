// SPDX-License-Identifier: Apache-2.0
//
// Events in words, and the source line they come from. Engine side.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "facts/event_stacks.h"
#include "report/names.h"
#include "wire/event.h"

namespace raddle::report {

// The value of a memory access: a signed number of its size, or hexadecimal if it looks like an
// address.
std::string value_text(const wire::Event& event);

// "lock g_lock", "read balance = 100", "atomic-cas head (failed)", "create T1, T2".
// `others` are the threads created or joined.
std::string event_words(const wire::Event& event, const std::vector<ThreadId>& others,
                        Names& names);

// The name of the event that is recorded at this index; "" if there is none.
std::string event_name(std::span<const wire::Event> events, std::size_t index);

// Where the user's code carried out an event.
struct EventPlace {
  const facts::Frame* frame = nullptr;  // in the user's code; null if unknown
  std::string library;                  // the library function, if only that is known for sure
};

// Follows one stream of events. An operation inside a library function has a site of no interest to
// the user; then the nearest caller in the user's code is taken: from the call stacks if they were
// recorded, else from the one caller that synchronisation events carry in their value. Failing that
// it is the last place where the thread was seen in the user's code.
class EventPlaces {
 public:
  // Requires: the stacks belong to the events, or are empty.
  EventPlaces(Names& names, std::span<const wire::Event> events, const facts::EventStacks& stacks)
      : names_(names), events_(events), stacks_(stacks) {}

  // The place of the event with this index. Requires: indices ascend from call to call. The frame
  // stays valid as long as this object.
  EventPlace place(std::size_t index);

 private:
  struct Site {
    bool in_user_code = false;
    facts::Frame frame;   // the user's
    std::string library;  // the outermost function at the site otherwise
  };

  const Site& site(SiteId id);
  const Site* user_site(std::size_t index);
  void follow(std::size_t index);

  Names& names_;
  std::span<const wire::Event> events_;
  const facts::EventStacks& stacks_;
  std::size_t followed_ = 0;  // events that recent_ knows
  std::unordered_map<SiteId, Site> sites_;
  std::unordered_map<ThreadId, const Site*> recent_;
};

}  // namespace raddle::report
