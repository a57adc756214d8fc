import CommandParsing
import GuardRules
import ReadModels
import ShiftDomain
import Testing

@testable import InsightOperations
@testable import OperationCore
@testable import guardctl

@Suite("The screen of a check") struct CheckScreenTests {
  static let now = Instant(milliseconds: 1_795_187_045_000)
  static let anna = EmployeeID(7)
  let screen = Surface(isTable: true, styling: Styling(isOn: false), now: now)

  static func check(
    _ findings: [Finding], preset: Preset = .standard, incidents: [OpenIncident] = [],
    shift: OpenShift? = nil, model: String? = "iPhone15,2",
    tracking: TrackingState = CheckScreenTests.offShift
  ) -> EmployeeCheck {
    let policy = Policy.policy(of: preset)
    var set: FindingSet = []
    for finding in findings { set.insert(finding) }
    let decision = Decision(set, under: policy.severities)
    let state = PermissionState(
      authorization: .denied, grantPath: .settings, accuracy: .full, services: .on)
    let report = PermissionReport(id: ReportID(1), state: state, effectiveAt: now - .minutes(3))
    let snapshot = Snapshot(
      device: DeviceID(employee: anna, number: 2), employeeName: "Anna Kowalska", platform: .ios,
      osVersion: "17.5", model: model, decision: decision, report: report, shift: shift,
      incidents: incidents, policy: policy, policyVersion: 4,
      tracking: TrackingSettings(of: policy, version: 4), trackingState: tracking,
      placeAndPlan: PlaceAndPlan(), judgedAt: now, timeZone: "UTC")
    return EmployeeCheck(
      employee: anna, name: "Anna Kowalska", teamName: "North", asOf: now, trackingState: tracking,
      snapshot: snapshot,
      decision: decision, lastContactAt: now - .seconds(12))
  }

  static let offShift = TrackingState(in: [], at: now)

  static func state(_ value: TrackingState.Value, _ reason: CoverageReason? = nil) -> TrackingState
  {
    var state = offShift
    (state.value, state.reason) = (value, reason)
    return state
  }

  static let unenrolled = EmployeeCheck(
    employee: anna, name: "Anna Kowalska", teamName: "North", asOf: now, trackingState: offShift,
    snapshot: nil,
    decision: Decision(FindingSet(.noReport), under: .standard), lastContactAt: nil)

  @Test("one headline, what is known, then every remedy with its own numbered steps")
  func blocked() {
    let lines = CheckAnswer(check: Self.check([.denied, .notificationsOff])).lines(on: screen)
    #expect(
      Array(lines.prefix(8)) == [
        "BLOCK  Anna Kowalska may not clock in: location access denied",
        "",
        "Employee  7 Anna Kowalska, team North",
        "Device    7/2, iOS 17.5, iPhone15,2",
        "Report    denied, location services on, 3 min ago (2026-11-20 15:01:05Z)",
        "Contact   12 s ago (2026-11-20 15:03:53Z)",
        "Shift     none open",
        "Policy    standard, version 4",
      ])
    #expect(lines.contains { $0.hasPrefix("block     ") })
    #expect(lines.contains { $0.hasPrefix("advice    ") })
    let numbers = lines.compactMap {
      $0.firstMatch(of: /^ {10}(\d+)\.\s/).flatMap { Int($0.output.1) }
    }
    #expect(numbers.filter { $0 == 1 }.count == 2 && numbers.last != numbers.count, "\(numbers)")
  }

  @Test("an open shift and its incidents are facts")
  func onShift() {
    let shift = OpenShift(
      number: 12, device: 1, startedAt: Self.now - .hours(3), report: nil)
    let incident = OpenIncident(
      number: 3, kind: .whenInUse, origin: .atClockIn, openedAt: Self.now - .hours(3),
      debouncedUntil: Self.now, notificationDueAt: nil)
    let lines = CheckAnswer(
      check: Self.check(
        [.whenInUse], incidents: [incident], shift: shift, tracking: Self.state(.atRisk))
    ).lines(on: screen)
    let text = lines.joined(separator: "\n")
    #expect(lines[0] == "AT RISK  Anna Kowalska is on shift and tracked, but at risk")
    #expect(
      text.contains(
        "Shift     7/12, open since 2026-11-20 12:04:05Z (3 h ago), tracked by device 7/1"
      ))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "Incident 7/3, location only while the app is open, open since 2026-11-20 12:04:05Z"))
  }

  // R: W10
  @Test("a planned shift that is missed is a fact, as on the board")
  func missed() {
    var check = Self.check([.notificationsOff])
    let planned = Interval(from: Self.now - .hours(2), to: Self.now + .hours(6))
    check.missed = MissedShift(planned: planned, isNoShow: false)
    let late = CheckAnswer(check: check)
    #expect(
      late.facts.first { $0.label == "Planned" }?.words
        == "late since 2026-11-20 13:04:05Z (2 h ago), planned until 2026-11-20 21:04:05Z")
    check.missed?.isNoShow = true
    #expect(
      CheckAnswer(check: check).facts.first { $0.label == "Planned" }?.words
        == "no-show, planned from 2026-11-20 13:04:05Z to 2026-11-20 21:04:05Z")
    var bare = Self.unenrolled
    bare.missed = check.missed
    #expect(CheckAnswer(check: bare).facts.map(\.label) == ["Employee", "Device", "Planned"])
  }

  @Test("of someone on shift the first line is about tracking, and readiness is separate")
  func tracking() {
    let shift = OpenShift(number: 12, device: 2, startedAt: Self.now - .hours(3), report: nil)
    let rows: [(TrackingState, headline: String, tracking: String)] = [
      (
        Self.state(.tracked), "TRACKED  Anna Kowalska is on shift and tracked", "tracked"
      ),
      (
        Self.state(.notTracked, .denied),
        "NOT TRACKED  Anna Kowalska is on shift and not tracked: location access denied",
        "not tracked: location access denied"
      ),
      (
        Self.state(.notTracked, .noContact),
        "NOT TRACKED  Anna Kowalska is on shift and not tracked: no contact",
        "not tracked: no contact"
      ),
      (Self.state(.onBreak), "ON BREAK  Anna Kowalska is on a break", "on break"),
    ]
    for (state, headline, tracking) in rows {
      let answer = CheckAnswer(check: Self.check([.staleReport], shift: shift, tracking: state))
      let lines = answer.lines(on: screen)
      #expect(lines[0] == headline)
      #expect(lines.contains("Tracking  \(tracking)"))
      #expect(lines.contains("Readiness check due: permission check out of date"))
      #expect(!lines.joined().contains("clock in:") && lines.allSatisfy { $0.count <= 80 })
      #expect(answer.exitStatus == (tracking.hasPrefix("not") ? .block : .done))
    }
    let off = CheckAnswer(check: Self.check([.denied])).lines(on: screen)
    #expect(!off.contains { $0.hasPrefix("Tracking") || $0.hasPrefix("Readiness") })
  }

  @Test("an old permission check off shift is due, and is not shown like a denial")  // R: M6
  func checkDue() {
    for (finding, words) in [
      (Finding.staleReport, "permission check out of date"),
      (.noReport, "no permission report yet"),
    ] {
      let answer = CheckAnswer(check: Self.check([finding, .notificationsOff]))
      let lines = answer.lines(on: screen)
      #expect(
        lines.prefix(2).joined(separator: " ").split(separator: " ").joined(separator: " ")
          == "CHECK DUE Anna Kowalska: \(words); the app sends a new one when it is opened")
      #expect(lines.contains { $0.hasPrefix("due       ") })
      #expect(!lines.contains { $0.lowercased().hasPrefix("block") })
      // A clock-in without a new check would be blocked: the exit status says so.
      #expect(answer.exitStatus == .block)
    }
    let denied = CheckAnswer(check: Self.check([.denied, .staleReport]))
    #expect(!denied.isCheckDue && denied.lines(on: screen)[0].hasPrefix("BLOCK  "))
    #expect(!CheckAnswer(check: Self.check([.staleReport], preset: .advisory)).isCheckDue)
    #expect(!CheckAnswer(check: Self.unenrolled).isCheckDue)
  }

  @Test("a plain yes says that nothing needs fixing")
  func allowed() {
    let answer = CheckAnswer(check: Self.check([]))
    let lines = answer.lines(on: screen)
    #expect(lines.first == "ALLOW  Anna Kowalska may clock in")
    #expect(lines.last == "Nothing needs fixing.")
    #expect(answer.exitStatus == .done)
  }

  @Test("without a phone it says how to enrol one")
  func noPhone() {
    let answer = CheckAnswer(check: Self.unenrolled)
    let lines = answer.lines(on: screen)
    #expect(lines[0] == "BLOCK  Anna Kowalska may not clock in: no phone is enrolled")
    #expect(lines.contains { $0.contains("`guardctl enrol 7`") })
    #expect(lines.contains { $0.contains("open `/app` at the service's address") })
    #expect(answer.exitStatus == .block)
  }

  @Test("every finding under every preset stays within 80 columns, colours or not")
  func fits() {
    for finding in Finding.allCases {
      for preset in Preset.allCases {
        let check = Self.check([finding, .clockWrong], preset: preset)
        let plain = CheckAnswer(check: check).lines(on: screen)
        for line in plain {
          #expect(line.count <= 80, "\(finding.code) \(preset.code): \(line)")
          #expect(!line.hasSuffix(" "), "\(finding.code): trailing space: \(line)")
        }
        let coloured = CheckAnswer(check: check)
          .lines(on: Surface(isTable: true, styling: Styling(isOn: true), now: Self.now))
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
        #expect(coloured != plain)
      }
    }
  }

  @Test("the exit status follows the verdict")
  func status() {
    #expect(CheckAnswer(check: Self.check([.denied])).exitStatus == .block)
    #expect(CheckAnswer(check: Self.check([.whenInUse])).exitStatus == .warn)
    #expect(CheckAnswer(check: Self.check([.denied], preset: .advisory)).exitStatus == .done)
  }

  @Test("a name from elsewhere cannot take over the terminal")
  func hostile() {
    let lines = CheckAnswer(check: Self.check([.denied], model: "x\u{1B}[2J\ny")).lines(on: screen)
    #expect(!lines.joined().unicodeScalars.contains { $0.isUnshowable })
  }
}
