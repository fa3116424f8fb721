// SPDX-License-Identifier: Apache-2.0
//
// Two threads write to an object in turn, and the library frees it with code of this program: the
// order of all that is known to the library alone.
#include <thread>

#include "holder.h"

struct Mine : Thing {
  int* data = new int(2);
  ~Mine() override { delete data; }
};

int main() {
  auto thing = std::make_shared<Mine>();
  std::thread user([thing]() mutable {
    *thing->data = 3;
    hold(std::move(thing));
  });
  thing.reset();
  release();
  user.join();
  release();
}
