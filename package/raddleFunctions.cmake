# SPDX-License-Identifier: Apache-2.0
#
# The functions of raddle's CMake package; raddleConfig.cmake includes them. Nothing is instrumented
# but what is named in their calls.

# raddle_instrument(<target>...)
#
# The targets are compiled for raddle, and what links them takes its runtime.
function(raddle_instrument)
  foreach(target IN LISTS ARGN)
    _raddle_require_sources(raddle_instrument ${target})
    _raddle_refuse_sanitizers(${target})
    get_target_property(type ${target} TYPE)
    # By property: targets link by target_link_libraries with or without PRIVATE, but not both.
    set_property(
      TARGET ${target}
      APPEND
      PROPERTY LINK_LIBRARIES raddle::raddle)
    if(type MATCHES "STATIC|OBJECT")
      set_property(
        TARGET ${target}
        APPEND
        PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:raddle::raddle>")
    endif()
  endforeach()
endfunction()

# raddle_add_test(<target> SOURCES <file>... [GTEST | CATCH2] [NO_MAIN] [LIGHT]
#                 [LIBRARIES <library>...] [INSTRUMENT <target>...] [PROPERTIES <name> <value>...])
#
# Adds a test program, instrumented, and its test cases to CTest.
#
#   GTEST, CATCH2  the framework; its test cases become tests. Without, the program is one test.
#   NO_MAIN        the sources have a main function (otherwise the framework's is linked)
#   LIGHT          nothing is instrumented; schedules are enforced with real threads
#   LIBRARIES      are linked as they are
#   INSTRUMENT     libraries of this project that are instrumented for this test: linked as copies
#                  (<target>_raddle), so that the targets themselves stay as they are
#   PROPERTIES     of the tests, as for set_tests_properties
function(raddle_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "GTEST;CATCH2;NO_MAIN;LIGHT" ""
                        "SOURCES;LIBRARIES;INSTRUMENT;PROPERTIES")
  _raddle_check_arguments(${target})
  add_executable(${target} ${arg_SOURCES})
  if(arg_LIGHT)
    target_link_libraries(${target} PRIVATE raddle::light)
  else()
    raddle_instrument(${target})
  endif()
  _raddle_link_copies(${target} "${arg_INSTRUMENT}")
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  if(arg_PROPERTIES)
    list(PREPEND arg_PROPERTIES PROPERTIES)
  endif()
  if(arg_GTEST)
    find_package(GTest REQUIRED)
    target_link_libraries(${target} PRIVATE GTest::gtest)
    if(NOT arg_NO_MAIN)
      target_link_libraries(${target} PRIVATE GTest::gtest_main)
    endif()
    include(GoogleTest)
    gtest_discover_tests(${target} ${arg_PROPERTIES})
  elseif(arg_CATCH2)
    find_package(Catch2 2.13 REQUIRED)
    target_link_libraries(${target} PRIVATE Catch2::Catch2)
    if(NOT arg_NO_MAIN)
      _raddle_catch2_main()
      target_link_libraries(${target} PRIVATE raddle_catch2_main)
    endif()
    include(Catch)
    catch_discover_tests(${target} ${arg_PROPERTIES})
  else()
    add_test(NAME ${target} COMMAND ${target})
    if(arg_PROPERTIES)
      set_tests_properties(${target} ${arg_PROPERTIES})
    endif()
  endif()
endfunction()

# -- what they are made of -------------------------------------------------------------------------

# Reads the arg_* of raddle_add_test.
function(_raddle_check_arguments target)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "raddle_add_test(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "raddle_add_test(${target}): SOURCES are missing")
  endif()
  if(arg_GTEST AND arg_CATCH2)
    message(FATAL_ERROR "raddle_add_test(${target}): GTEST or CATCH2, not both")
  endif()
  if(arg_LIGHT AND arg_INSTRUMENT)
    message(FATAL_ERROR "raddle_add_test(${target}): with LIGHT nothing is instrumented")
  endif()
  if(arg_LIGHT AND NOT TARGET raddle::light)
    message(FATAL_ERROR "raddle_add_test(${target}): LIGHT needs libraddle_light.a, which this "
                        "installation of raddle (${raddle_PREFIX}) does not have")
  endif()
endfunction()

function(_raddle_require_sources function target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${function}(${target}): there is no such target")
  endif()
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "${function}(${target}): the target has no sources to be instrumented")
  endif()
endfunction()

function(_raddle_refuse_sanitizers target)
  string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" build_flags)
  set(flags "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS} ${${build_flags}} ${CMAKE_EXE_LINKER_FLAGS}")
  if(flags MATCHES "-fsanitize=[a-z,]*(address|thread|memory|leak)")
    message(FATAL_ERROR "raddle_instrument(${target}): ${CMAKE_MATCH_0} is in the flags of all "
                        "targets, and raddle's runtime cannot share a process with that sanitizer; "
                        "use another build directory")
  endif()
endfunction()

# Links instrumented copies of the given libraries.
function(_raddle_link_copies target libraries)
  foreach(library IN LISTS libraries)
    _raddle_require_sources("raddle_add_test(${target}) INSTRUMENT " ${library})
    get_target_property(real ${library} ALIASED_TARGET)
    if(NOT real)
      set(real ${library})
    endif()
    _raddle_copy(${real})
    target_link_libraries(${target} PRIVATE ${real}_raddle)
  endforeach()
endfunction()

# The target <library>_raddle: the same sources and properties, instrumented.
function(_raddle_copy library)
  set(copy ${library}_raddle)
  if(TARGET ${copy})
    return()
  endif()
  get_target_property(folder ${library} SOURCE_DIR)
  get_target_property(sources ${library} SOURCES)
  set(absolute_sources)
  foreach(source IN LISTS sources)
    if(NOT IS_ABSOLUTE "${source}" AND NOT source MATCHES "^\\$<")
      set(source "${folder}/${source}")
    endif()
    list(APPEND absolute_sources "${source}")
  endforeach()
  add_library(${copy} STATIC EXCLUDE_FROM_ALL ${absolute_sources})
  foreach(name IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES INCLUDE_DIRECTORIES
                        LINK_LIBRARIES C_STANDARD CXX_STANDARD CXX_EXTENSIONS
                        POSITION_INDEPENDENT_CODE INTERFACE_COMPILE_DEFINITIONS
                        INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_FEATURES
                        INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
                        INTERFACE_LINK_LIBRARIES)
    get_target_property(value ${library} ${name})
    if(NOT value STREQUAL "value-NOTFOUND")
      set_property(TARGET ${copy} PROPERTY ${name} "${value}")
    endif()
  endforeach()
  raddle_instrument(${copy})
endfunction()

# Catch2's main function; not instrumented: Catch2 works the same in every run.
function(_raddle_catch2_main)
  if(TARGET raddle_catch2_main)
    return()
  endif()
  add_library(raddle_catch2_main STATIC EXCLUDE_FROM_ALL
              "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/raddle_catch2_main.cpp")
  target_link_libraries(raddle_catch2_main PRIVATE Catch2::Catch2)
endfunction()
