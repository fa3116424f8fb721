// SPDX-License-Identifier: Apache-2.0
//
// The environment: variables added, changed, removed, cleared; the pointer itself.
#include "fresh.h"

namespace {

char* begin;
int count() {
  int result = 0;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) ++result;
  return result;
}
char added[] = "RESIDENT_PUT=1";
void look() {
  FRESH(getenv("RESIDENT_LEFT") == nullptr && getenv("RESIDENT_PUT") == nullptr);
  FRESH(environ != nullptr && getenv("PATH") != nullptr);
  FRESH(fresh::is(added, "RESIDENT_PUT=1"));
  begin = environ[0];
  FRESH(count() > 1);
}
void leave(int order) {
  setenv("RESIDENT_LEFT", "a value of this run", 1);
  putenv(added);
  added[13] = '2';
  unsetenv("PATH");
  begin[0] = '!';
  if (order == 12) clearenv();
  if (order == 21) environ = nullptr;
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
