// SPDX-License-Identifier: Apache-2.0
//
// The functions behind ours: RADDLE_REAL(name)(args) calls the next definition of an interposed
// libc function. Target side. Resolved on first use, because programs call us before any
// constructor.
#pragma once

#include <dlfcn.h>

namespace raddle::runtime {

// libc's dlsym. Ours may wait for another thread's dlopen, which the runtime itself must not do:
// it uses find_symbol.
using Dlsym = void*(void* handle, const char* name);
Dlsym* real_dlsym();
void* find_symbol(void* handle, const char* name);

// Ends the process with a message if the symbol does not exist.
void* resolve_real(const char* name);

template <class Function>
Function* real_function(Function** cache, const char* name) {
  if (__builtin_expect(*cache == nullptr, 0))
    *cache = reinterpret_cast<Function*>(resolve_real(name));
  return *cache;
}

// One a function, whoever asks for it, so that the fork server can look up what runs will need.
template <auto Function>
inline decltype(Function) real_cache = nullptr;

}  // namespace raddle::runtime

#define RADDLE_REAL(name) \
  ::raddle::runtime::real_function(&::raddle::runtime::real_cache<&::name>, #name)
