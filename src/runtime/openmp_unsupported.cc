// SPDX-License-Identifier: Apache-2.0
//
// What becomes of the calls that openmp_unsupported_x86_64.S catches. Target side.
#include <string.h>

#include "runtime/fatal.h"
#include "runtime/openmp.h"

using namespace raddle::runtime;

// The library's function, or the end of the run.
extern "C" void* raddle_openmp_unsupported(const char* name) {
  if (off()) return openmp::find_libgomp(name);
  if (strncmp(name, "__kmpc_", 7) != 0) openmp::refuse_openmp(name);
  say("the program uses LLVM's OpenMP runtime (");
  say(name);
  refuse("), which raddle cannot run; compile it with gcc, whose OpenMP it can");
}
