// SPDX-License-Identifier: Apache-2.0
//
// The functions behind those that the light library defines: LIGHT_REAL(name)(args) calls the next
// definition of a libc function. Inside the program under test (RADDLE_LIGHT). Resolved on first
// use, because constructors of other libraries call us before ours has run; the cache is one word,
// and threads that race for it write the same value.
#pragma once

namespace raddle::light {

// Ends the process with a message if there is none, as in a statically linked program.
void* find_real(const char* name);

template <auto Function>
inline constinit decltype(Function) real_cache = nullptr;

template <auto Function>
decltype(Function) real(const char* name) {
  auto function = __atomic_load_n(&real_cache<Function>, __ATOMIC_RELAXED);
  if (__builtin_expect(function == nullptr, 0)) {
    function = reinterpret_cast<decltype(Function)>(find_real(name));
    __atomic_store_n(&real_cache<Function>, function, __ATOMIC_RELAXED);
  }
  return function;
}

}  // namespace raddle::light

#define LIGHT_REAL(name) (::raddle::light::real<&::name>(#name))
// In front of the definition of a function that the program or libc's headers declare.
#define LIGHT_EXPORT extern "C" __attribute__((visibility("default")))
