// SPDX-License-Identifier: Apache-2.0
//
// Numbers as bytes in strings, for the tables of stored searches (search/tree_file.h), whose
// checksum has been verified before anybody reads them: what is wrong here is of another version,
// or ours. Engine side. Little-endian, as all of raddle's machines are.
#pragma once

#include <string.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace raddle::search {

template <class T>
void put_bytes(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// All there is: it ends with the string.
template <class T>
void put_array(std::string& out, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// Takes it from the front; false: there is less.
template <class T>
bool take_bytes(std::string_view& from, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (from.size() < sizeof value) return false;
  memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return true;
}

// False: something is left that is no whole element.
template <class T>
bool take_array(std::string_view& from, std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (from.size() % sizeof(T) != 0) return false;
  values.resize(from.size() / sizeof(T));
  if (!values.empty()) memcpy(values.data(), from.data(), from.size());
  from = {};
  return true;
}

}  // namespace raddle::search
