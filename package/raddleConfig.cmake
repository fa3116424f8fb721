# SPDX-License-Identifier: Apache-2.0
#
# The CMake package of raddle. It lies in lib/cmake/raddle below the installation's prefix, or in
# the same place of a build directory, and finds everything else from there.
#
#   find_package(raddle REQUIRED)
#   raddle_add_test(queue_test GTEST SOURCES queue_test.cpp LIBRARIES util INSTRUMENT queue)
#
# Targets:
#   raddle::raddle  what links it privately is instrumented, as by `raddle c++`
#   raddle::light   event schedules with real threads, nothing instrumented (RADDLE_LIGHT)
# Functions (raddleFunctions.cmake): raddle_instrument, raddle_add_test.
#
# The options below are the ones that `raddle c++` adds (src/cc/argv_rewrite.h says why each): CMake
# compiles and links in separate commands, so a list for each does, and the compiler stays the one
# that CMake knows. The long lists are the files beside the runtime that `raddle c++` uses too.
get_filename_component(_raddle_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(raddle_PREFIX "${_raddle_here}/../../.." ABSOLUTE)
set(raddle_LIBRARY_DIR "${raddle_PREFIX}/lib")
set(raddle_INCLUDE_DIR "${raddle_PREFIX}/include")
set(raddle_EXECUTABLE "${raddle_PREFIX}/bin/raddle")

foreach(_raddle_file IN ITEMS lib/libraddle_rt.so lib/libraddle_check.so lib/raddle_gcc.options
                              lib/raddle_link.options include/raddle/check.h)
  if(NOT EXISTS "${raddle_PREFIX}/${_raddle_file}")
    set(raddle_FOUND FALSE)
    set(raddle_NOT_FOUND_MESSAGE "${raddle_PREFIX}/${_raddle_file} is missing")
    return()
  endif()
endforeach()
if(CMAKE_VERSION VERSION_LESS 3.17)
  set(raddle_FOUND FALSE)
  set(raddle_NOT_FOUND_MESSAGE "it needs CMake 3.17, and this is ${CMAKE_VERSION}")
  return()
endif()
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(raddle_FOUND FALSE)
  set(raddle_NOT_FOUND_MESSAGE "raddle runs on Linux only, not on ${CMAKE_SYSTEM_NAME}")
  return()
endif()

include(CMakeFindDependencyMacro)
find_dependency(Threads)

if(NOT TARGET raddle::raddle)
  add_library(raddle::raddle INTERFACE IMPORTED GLOBAL)
  set(_raddle_gcc "$<OR:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<COMPILE_LANG_AND_ID:C,GNU>>")
  set(_raddle_clang "$<OR:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<COMPILE_LANG_AND_ID:C,Clang>>")
  set(_raddle_either "$<COMPILE_LANGUAGE:C,CXX>")
  set_target_properties(
    raddle::raddle
    PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${raddle_INCLUDE_DIR}"
      INTERFACE_COMPILE_OPTIONS
      "$<${_raddle_either}:-g;-fno-omit-frame-pointer>;\
$<${_raddle_gcc}:-Wno-tsan;-fno-lto;@${raddle_LIBRARY_DIR}/raddle_gcc.options>;\
$<${_raddle_clang}:SHELL:-mllvm -tsan-instrument-read-before-write=1>;\
$<${_raddle_either}:-fsanitize=thread>"
      INTERFACE_LINK_OPTIONS
      "SHELL:-Xlinker --push-state -Xlinker --no-as-needed \
-Xlinker \"${raddle_LIBRARY_DIR}/libraddle_rt.so\" -Xlinker --pop-state;\
@${raddle_LIBRARY_DIR}/raddle_link.options;\
SHELL:-Xlinker -rpath -Xlinker \"${raddle_LIBRARY_DIR}\""
      # One word, so that its parts stay together.
      INTERFACE_LINK_LIBRARIES
      "-Wl,--push-state,--as-needed,${raddle_LIBRARY_DIR}/libraddle_check.so,--pop-state")
endif()

if(NOT TARGET raddle::light AND EXISTS "${raddle_LIBRARY_DIR}/libraddle_light.a")
  add_library(raddle::light STATIC IMPORTED GLOBAL)
  set_target_properties(
    raddle::light
    PROPERTIES IMPORTED_LOCATION "${raddle_LIBRARY_DIR}/libraddle_light.a"
               INTERFACE_INCLUDE_DIRECTORIES "${raddle_INCLUDE_DIR}"
               INTERFACE_COMPILE_DEFINITIONS RADDLE_LIGHT
               INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/raddleFunctions.cmake")
