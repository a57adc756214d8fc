import Foundation
import GuardRules
import ShiftDomain
import Testing

@testable import WebPages

@Suite("Bars and their axis") struct CoverageBarTests {
  private static let start = DemoDay.six
  private static let axis = TimeAxis(start: start, end: start + .hours(10))

  private func text(_ html: HTML) -> String { String(decoding: html.bytes, as: UTF8.self) }

  private func segment(_ from: Int64, _ to: Int64, _ reason: CoverageReason) -> CoverageSegment {
    CoverageSegment(
      interval: Interval(from: Self.start + .minutes(from), to: Self.start + .minutes(to)),
      reason: reason, isAtRisk: false)
  }

  @Test("planned shifts are drawn first, and those outside the axis not at all")
  func plannedShifts() {
    let spans = [(-120, -60), (-60, 300), (540, 700)].map { (from: Int64, to: Int64) in
      Interval(from: Self.start + .minutes(from), to: Self.start + .minutes(to))
    }
    let bar = CoverageBar([segment(0, 60, .tracked)], on: Self.axis, plannedShifts: spans)
    #expect(
      text(bar.drawing) == """
        <svg role=none><rect x=0% width=50% class=d /><rect x=90% width=10% class=d />\
        <rect x=0% width=10% /></svg>
        """)
  }

  @Test("a start too short to be seen leaves no piece and no hole, where that is asked for")
  func shortStart() {
    let segments = [
      segment(0, 60, .tracked), segment(60, 90, .onBreak), segment(90, 91, .resuming),
      segment(91, 120, .tracked), segment(120, 123, .resuming),
    ]
    #expect(
      text(CoverageBar(segments, on: Self.axis, startMin: 3).drawing) == """
        <svg role=none><rect x=0% width=20% /><rect x=10% width=5.1% class=b />\
        <rect x=20% width=0.5% class=w /></svg>
        """)
    #expect(text(CoverageBar(segments, on: Self.axis).drawing).contains("width=0.1% class=w"))
  }

  @Test(
    "has at most six labels, at round hours of the local time, none where its text does not fit",
    arguments: [
      ("Europe/Zagreb", 6, ["07:00", "08:00", "09:00", "10:00", "11:00"]),
      ("Europe/Zagreb", 8, ["08:00", "10:00", "12:00"]),
      ("Europe/Zagreb", 13, ["09:00", "12:00", "15:00", "18:00"]),
      ("Europe/Zagreb", 24, ["08:00", "12:00", "16:00", "20:00", "00:00", "04:00"]),
      ("Asia/Kolkata", 8, ["12:00", "14:00", "16:00"]),
    ])
  func hours(_ zone: String, _ count: Int64, _ labels: [String]) throws {
    let clock = try TeamClock(zone: zone, now: Self.start)
    let drawing = text(
      TimeAxis(start: Self.start, end: Self.start + .hours(count)).hours(clock, now: nil))
    #expect(drawing.matches(of: #/>([0-9:]{5})</#).map { String($0.1) } == labels, "\(drawing)")
  }

  @Test("the hours of a day on which the clock is set back stay round")
  func clockChange() throws {
    // 2026-10-24T22:00:00Z, midnight in Zagreb.
    let midnight = Instant(milliseconds: 1_792_879_200_000)
    let clock = try TeamClock(zone: "Europe/Zagreb", now: midnight)
    let drawing = text(TimeAxis(start: midnight, end: midnight + .hours(9)).hours(clock, now: nil))
    let labels = drawing.matches(of: #/x=([0-9.]+)% y=12>([0-9:]+)</#).map { "\($0.1) \($0.2)" }
    #expect(labels == ["22.2 02:00", "33.3 02:00", "55.5 04:00", "77.7 06:00"])
  }

  // Success criterion 1.4.11 of WCAG 2.2.
  @Test("each look has a colour of at least 3:1 on the rail, in light and dark mode")
  func contrast() throws {
    let css = String(decoding: PackageResources.pages_css, as: UTF8.self)
    let blocks = css.matches(of: #/:root \{([^}]*)\}/#).map { String($0.1) }.prefix(2)
    #expect(blocks.count == 2)
    for block in blocks {
      func color(_ name: String) throws -> String {
        let pattern = try Regex("--\(name): #([0-9a-fA-F]{3,6});", as: (Substring, Substring).self)
        return String(try #require(block.firstMatch(of: pattern), "\(name)").1)
      }
      let rail = try luminance(color("rail"))
      for name in ["bar", "risk-2", "perm-2", "mute-2", "pause", "out-2", "plan"] {
        let other = try luminance(color(name))
        let ratio = (max(rail, other) + 0.05) / (min(rail, other) + 0.05)
        #expect(ratio >= 3, "\(name): \(ratio)")
      }
    }
    // What each look is painted with.
    for rule in [
      "rect { fill: var(--bar); }", ".w2 { fill: var(--bar); }", ".r2 { fill: var(--risk-2); }",
      ".p2 { fill: var(--perm-2); }", ".s2 { fill: var(--mute-2); }", ".b2 { fill: var(--pause); }",
      ".o2 { stroke: var(--out-2);", "rect.d { fill: none; stroke: var(--plan);",
      "rect.w { fill: url(#pw); }",
    ] {
      #expect(css.contains(rule), "\(rule)")
    }
  }

  /// The relative luminance of WCAG, 0…1.
  private func luminance(_ hex: String) throws -> Double {
    let digits = hex.count == 3 ? hex.flatMap { [$0, $0] } : Array(hex)
    let parts = stride(from: 0, to: 6, by: 2).map { place in
      Double(Int(String(digits[place...place + 1]), radix: 16) ?? 0) / 255
    }
    let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}
