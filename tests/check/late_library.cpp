// SPDX-License-Identifier: Apache-2.0
// A library that a test loads while it is repeated. Its variable lies in the threads' own blocks.
__attribute__((tls_model("initial-exec"))) static thread_local int fresh = 42;

extern "C" int late_number() { return fresh++; }
