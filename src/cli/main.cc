// SPDX-License-Identifier: Apache-2.0
//
// The tool `raddle`. Engine side.
#include "cli/command.h"

int main(int argc, char** argv) { return raddle::cli::dispatch(argc, argv); }
