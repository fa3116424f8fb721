// SPDX-License-Identifier: Apache-2.0
//
// What an io_connect is: the size of its event. Both sides. Giving a socket an address and letting
// it listen there depend on the same operations as connecting to it.
#pragma once

#include <cstdint>

namespace raddle::wire {

enum class AddressStep : std::uint16_t { connect, bind, listen };

}  // namespace raddle::wire
