// SPDX-License-Identifier: Apache-2.0
//
// Names of hosts, users and services, with what libc keeps open for them.
// FORKED: ^$|.
#include <netdb.h>
#include <pwd.h>

#include "fresh.h"

namespace {

void look() {
  passwd* first = getpwent();
  FRESH(first != nullptr && fresh::is(first->pw_name, "root"));
}
void leave(int) {
  getpwent();
  setservent(1);
  getservbyname("ssh", "tcp");
  addrinfo* found = nullptr;
  getaddrinfo("localhost", nullptr, nullptr, &found);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
