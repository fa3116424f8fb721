// SPDX-License-Identifier: Apache-2.0
//
// Explanations for people and for scripts. Engine side.
#include "report/explanation_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/finding_json.h"
#include "report/frames.h"
#include "report/source_lines.h"

namespace raddle::report {
namespace {

using facts::ExplainedCause;
using facts::ExplainedOperation;
using facts::Explanation;
using Json = nlohmann::ordered_json;

std::string plural(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string operation_text(const ExplainedOperation& operation, SourceLines& sources) {
  std::string name = operation.thread_name.empty() ? "" : " " + operation.thread_name;
  std::string text = fmt::format("     T{}{}: {}\n", operation.thread, name, operation.words);
  std::string place = place_text(operation.where);
  if (place.empty()) return text;
  std::string line = sources.line(operation.where.file, operation.where.line);
  return text + fmt::format("         {}{}{}\n", place, line.empty() ? "" : "  ", line);
}

std::string counts_text(const Explanation& explanation) {
  std::string text = fmt::format("compared with {} of the same program and input: {}",
                                 plural(explanation.runs, "run"), explanation.passing);
  text += explanation.passing == 0   ? " pass"
          : explanation.passing == 1 ? " way to pass"
                                     : " ways to pass";
  if (explanation.passing > 0)
    text += fmt::format(" (the nearest differs in {})", plural(explanation.distance, "order"));
  text += fmt::format(", {} to fail like this one", plural(explanation.failing, "other way"));
  if (explanation.others > 0) text += fmt::format(", {} end otherwise", explanation.others);
  return text + "\n";
}

Json operation_json(const ExplainedOperation& operation) {
  return {{"thread", operation.thread},
          {"name", operation.thread_name},
          {"what", operation.words},
          {"variable", operation.variable},
          {"file", operation.where.file},
          {"line", operation.where.line},
          {"function", operation.where.function},
          {"step", operation.step}};
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const std::string& directory) {
  SourceLines sources(directory);
  const facts::Finding& finding = explanation.finding;
  std::string message = finding.message.substr(0, finding.message.find('\n'));
  std::string text = fmt::format("{}: {}\n", finding.kind.name, message);
  if (std::string place = frame_text(finding.site); !place.empty())
    text += fmt::format("  at {}\n", place);
  text += counts_text(explanation);
  for (std::size_t i = 0; i < explanation.causes.size(); ++i) {
    const ExplainedCause& cause = explanation.causes[i];
    text += fmt::format("\n{}. {}: {}\n", i + 1, cause.label, cause.sentence);
    for (const ExplainedOperation& operation : cause.operations)
      text += operation_text(operation, sources);
    bool some = explanation.failing > 0 && cause.failing < explanation.failing;
    if (some)
      text += fmt::format("     {} of the {} others that fail have this, too\n", cause.failing,
                          explanation.failing);
  }
  if (!explanation.nothing.empty()) text += "\n" + explanation.nothing + "\n";
  return text;
}

std::string explanation_json(const Explanation& explanation) {
  const facts::Finding& finding = explanation.finding;
  Json json = {{"schema", kJsonSchema},          {"kind", finding.kind.name},
               {"message", finding.message},     {"file", finding.site.file},
               {"line", finding.site.line},      {"runs", explanation.runs},
               {"passing", explanation.passing}, {"failing", explanation.failing},
               {"others", explanation.others},   {"distance", explanation.distance}};
  json["causes"] = Json::array();
  for (const ExplainedCause& cause : explanation.causes) {
    Json entry = {{"label", cause.label}, {"sentence", cause.sentence}};
    entry["failing"] = cause.failing;
    entry["operations"] = Json::array();
    for (const ExplainedOperation& operation : cause.operations)
      entry["operations"].push_back(operation_json(operation));
    entry["orders"] = Json::array();
    for (auto [first, second] : cause.orders) entry["orders"].push_back({first, second});
    json["causes"].push_back(std::move(entry));
  }
  if (!explanation.nothing.empty()) json["nothing"] = explanation.nothing;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::report
