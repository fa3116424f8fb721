// SPDX-License-Identifier: Apache-2.0
//
// Events in words, and the source line they come from. Engine side.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "report/names.h"
#include "wire/event.h"

namespace raddle::report {

// "lock g_lock", "read balance = 100", "atomic-cas head (failed)", "create T1, T2".
// `others` are the threads created or joined.
std::string event_words(const wire::Event& event, const std::vector<ThreadId>& others,
                        Names& names);

// Where the user's code carried out an event.
struct EventPlace {
  const facts::Frame* frame = nullptr;  // in the user's code; null if unknown
  std::string library;                  // the library function, if only that is known for sure
};

// Follows one stream of events. An operation inside a library function has a site of no interest to
// the user; then the caller's site, which synchronisation events carry in their value, is taken,
// and failing that the last place where the thread was seen in the user's code.
class EventPlaces {
 public:
  explicit EventPlaces(Names& names) : names_(names) {}

  // Takes note of where the thread is.
  void on_event(const wire::Event& event);
  // Requires: on_event(event) was the last call. The frame stays valid as long as this object.
  EventPlace place(const wire::Event& event);

 private:
  struct Site {
    bool in_user_code = false;
    facts::Frame frame;   // the user's
    std::string library;  // the outermost function at the site otherwise
  };

  const Site& site(SiteId id);
  const Site* user_site(const wire::Event& event);

  Names& names_;
  std::unordered_map<SiteId, Site> sites_;
  std::unordered_map<ThreadId, const Site*> recent_;
};

}  // namespace raddle::report
