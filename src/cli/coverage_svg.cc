// SPDX-License-Identifier: Apache-2.0
//
// See coverage_svg.h. Engine side; pure. Coordinates are of the drawing, y downwards.
#include "cli/coverage_svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "cli/progress.h"
#include "facts/module_table.h"

namespace raddle::cli {
namespace {

constexpr double kLeft = 60, kTop = 50, kWidth = 560, kHeight = 320, kLegend = 240;
constexpr const char* kColours[] = {"#999999", "#bbaa88", "#88aabb", "#1b6ca8", "#c0392b",
                                    "#27864a", "#8e44ad", "#d35400", "#16a085", "#2c3e50",
                                    "#b7950b", "#e84393", "#6c5ce7"};

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    // XML has no other control characters, not even as numbers.
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += '?';
    else
      result += c;
  }
  return result;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

std::string line(double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
      "stroke=\"#cccccc\"/>\n",
      x1, y1, x2, y2);
}

double part_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string axes(std::uint64_t runs) {
  std::string svg;
  for (int quarter = 0; quarter <= 4; ++quarter) {
    double y = kTop + kHeight * (1 - quarter / 4.0), x = kLeft + kWidth * (quarter / 4.0);
    svg += line(kLeft, y, kLeft + kWidth, y);
    svg += text_at(kLeft - 6, y + 4, "end", fmt::format("{} %", quarter * 25));
    std::uint64_t run =
        runs / 4 * static_cast<unsigned>(quarter) + runs % 4 * static_cast<unsigned>(quarter) / 4;
    svg += line(x, kTop + kHeight, x, kTop + kHeight + 5);
    svg += text_at(x, kTop + kHeight + 20, "middle", group_digits(run));
  }
  return svg + text_at(kLeft + kWidth / 2, kTop + kHeight + 42, "middle", "observed runs");
}

// Steps: coverage grows at a run and stays until the next.
std::string curve(const CriterionSummary& criterion, const char* colour) {
  auto x = [&](std::uint64_t run) { return kLeft + kWidth * part_of(run, criterion.runs); };
  auto y = [&](std::uint64_t covered) {
    return kTop + kHeight * (1 - part_of(covered, criterion.known));
  };
  std::string points = fmt::format("M{:.1f} {:.1f}", x(0), y(0));
  // More points than pixels say nothing.
  double drawn = -1;
  for (const auto& [run, covered] : criterion.growth) {
    if (x(run) - drawn < 0.3 && run != criterion.growth.back().first) continue;
    drawn = x(run);
    points += fmt::format(" H{:.1f} V{:.1f}", x(run), y(covered));
  }
  points += fmt::format(" H{:.1f}", x(criterion.runs));
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", points,
                     colour);
}

}  // namespace

std::string coverage_svg(const CoverageSummary& summary) {
  std::uint64_t runs = summary.criteria.empty() ? 0 : summary.criteria.front().runs;
  double legend = 18.0 * static_cast<double>(summary.criteria.size());
  double height = std::max(kTop + kHeight + 60, kTop + legend + 20);
  std::string svg = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kLeft + kWidth + kLegend, height);
  svg += text_at(
      kLeft, 28, "start",
      fmt::format("Coverage of {}: part of what is known", facts::base_name(summary.program.path)));
  svg += axes(runs);
  double y = kTop + 10;
  for (std::size_t i = 0; i < summary.criteria.size(); ++i, y += 18) {
    const CriterionSummary& criterion = summary.criteria[i];
    const char* colour = kColours[i % std::size(kColours)];
    svg += curve(criterion, colour);
    double x = kLeft + kWidth + 20;
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"4\" fill=\"{}\"/>\n",
                       x, y - 6, colour);
    svg += text_at(x + 18, y, "start",
                   fmt::format("{}: {} of {}", criterion.name, group_digits(criterion.covered),
                               group_digits(criterion.known)));
  }
  return svg + "</svg>\n";
}

}  // namespace raddle::cli
