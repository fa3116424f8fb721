// SPDX-License-Identifier: Apache-2.0
//
// The peer of a fiber switch: two kernel threads handing a token back and forth through futexes.
#pragma once

namespace raddle::bench {

// Nanoseconds for one hand-off. `one_core` pins both threads to one core, else they run where the
// kernel puts them.
double futex_handoff_ns(bool one_core);

}  // namespace raddle::bench
