// SPDX-License-Identifier: Apache-2.0
//
// Runs of toy programs as text. Tests only.
#include "testing/toy_run.h"

namespace raddle::toy {

std::string trace(const Program& program, const Outcome& run) {
  std::string text;
  for (const Step& step : run.steps) {
    const Body& body = program.bodies[step.body];
    const Op& op = body.ops[step.op];
    if (!text.empty()) text += "; ";
    text += body.name + ": ";
    text += is_second_half(step.what.kind) ? wire::op_word(step.what.kind) : op.text;
  }
  return text;
}

std::string state(const Outcome& run) {
  std::string text;
  for (const auto& [name, value] : run.variables) {
    if (!text.empty()) text += ' ';
    text += name + '=' + std::to_string(value);
  }
  return text;
}

}  // namespace raddle::toy
