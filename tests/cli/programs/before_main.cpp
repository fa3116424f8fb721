// SPDX-License-Identifier: Apache-2.0
// Never reaches main.
#include <stdlib.h>

__attribute__((constructor)) static void refuse() { _Exit(5); }

int main() { return 0; }
