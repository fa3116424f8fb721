// SPDX-License-Identifier: Apache-2.0
//
// Contexts: where an access was made, with its call stack and the locks held, each kept once.
// Target side. Recorded only in runs that record call stacks (Plan::stacks), where the shadow names
// a context instead of a site: so the far side of a race has its stack too.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

void init_contexts();

// The current thread's context at this site.
std::uint32_t context_here(SiteId site);
SiteId context_site(std::uint32_t context);
// Writes the context's call stack and locks, for the event before it.
void emit_context(std::uint32_t context, ThreadId thread);

// What the shadow keeps of a place.
inline std::uint32_t place_of(SiteId site) { return g.record.stacks ? context_here(site) : site; }
inline SiteId site_of_place(std::uint32_t place) {
  return g.record.stacks ? context_site(place) : place;
}

}  // namespace raddle::runtime
