import CommandParsing
import GuardRules
import ReadModels
import ShiftDomain
import Testing

@testable import InsightOperations
@testable import guardctl

@Suite("The watched board") struct WatchedBoardTests {
  private static let now = Instant(milliseconds: 1_795_187_045_000)

  private static func output(_ format: OutputFormat) -> LiveOutput {
    LiveOutput(
      format: format, isTerminal: false,
      surface: {
        Surface(isTable: format == .table, styling: Styling(isOn: false), now: now)
      }, write: { _ in true }, note: { _ in })
  }

  private static func line(
    _ employee: Int32, _ state: BoardState, missed: MissedShift? = nil,
    _ edit: (inout BoardRecord) -> Void = { _ in }
  ) -> BoardLine {
    var record = BoardRecord(
      employee: EmployeeID(employee), name: "E\(employee)", team: TeamID(1))
    edit(&record)
    return BoardLine(
      record: record, state: state, trackingState: TrackingState(in: [], at: now), today: [],
      plannedShifts: [],
      missed: missed)
  }

  private static func board(_ lines: [BoardLine], onlyProblems: Bool = false) -> WatchedBoard {
    WatchedBoard(
      Board(
        asOf: now, teams: [TeamDay(team: TeamID(1), name: "North", timeZone: "UTC")], counts: [:],
        lines: lines), onlyProblems: onlyProblems)
  }

  private static let heading = "asOf\temployee\tname\tteam\tstate\tsince\tcause"

  @Test("in a pipe has its heading also while it is empty, and says when it becomes empty")
  func empty() {
    let (empty, full) = (Self.board([]), Self.board([Self.line(7, .blocked)]))
    let time = Self.now.rfc3339
    let begin = empty.lines(Self.output(.tsv), isFirst: true)
    #expect(begin.text == [Self.heading, "\(time)\t\t\t\t\t\t"])
    let begun = full.lines(Self.output(.tsv), isFirst: true)
    #expect(begun.text == [Self.heading, "\(time)\t7\tE7\tNorth\tblocked\t\t"])
    let end = empty.lines(Self.output(.tsv), isFirst: false)
    #expect(end.text == ["\(time)\t\t\t\t\t\t"] && end.change != begun.change)
    #expect(end.change == begin.change && !end.change.isEmpty)
    let json = empty.lines(Self.output(.json), isFirst: false)
    #expect(json.text.count == 1 && json.text[0].hasPrefix(#"{"asOf":"\#(time)","teams":[{"#))
    #expect(json.text[0].hasSuffix(#""employees":[]}"#) && !json.change.isEmpty)
    let table = empty.lines(Self.output(.table), isFirst: false)
    #expect(table.text.contains("Nobody to show.") && !table.change.isEmpty)
  }

  @Test("says since when and why an employee is late, a no-show or blocked; all are problems")
  func reasons() {
    let planned = Interval(from: Self.now - .hours(1), to: Self.now + .hours(7))
    let blockedAt = Self.now - .minutes(3)
    let lines = [
      Self.line(1, .late, missed: MissedShift(planned: planned, isNoShow: false)),
      Self.line(2, .late, missed: MissedShift(planned: planned, isNoShow: true)),
      Self.line(3, .blocked) {
        $0.blocked = BlockedClockIn(at: blockedAt, findings: FindingSet(.denied))
      },
      Self.line(4, .off),
    ]
    let text = Self.board(lines, onlyProblems: true).lines(Self.output(.tsv), isFirst: false).text
    #expect(
      text.map { String($0.drop { $0 != "\t" }) } == [
        "\t3\tE3\tNorth\tblocked\t\(blockedAt.rfc3339)\tlocation access denied",
        "\t1\tE1\tNorth\tlate\t\(planned.start.rfc3339)\t",
        "\t2\tE2\tNorth\tno-show\t\(planned.start.rfc3339)\t",
      ])
    #expect(
      Self.board(lines).screen(
        Surface(isTable: true, styling: Styling(isOn: false), now: Self.now), trouble: nil,
        rows: 24
      ).first?.hasPrefix("3 with a problem, 4 in all") == true)
  }

  // R: G7
  @Test("an employee away from site is shown so, which needs no attention")
  func away() {
    let line = Self.line(7, .tracked) { $0.awaySince = Self.now - .minutes(20) }
    #expect(!line.needsAttention)
    let text = Self.board([line]).lines(Self.output(.tsv), isFirst: false).text
    #expect(text.first?.hasSuffix("\taway from site") == true, "\(text)")
  }

  @Test("a hidden page is not tracked for that reason, which needs no attention")
  func hidden() throws {
    var line = Self.line(7, .notTracked) { record in
      record.incidents = [
        BoardIncident(
          OpenIncident(
            number: 1, kind: .whenInUse, origin: .atClockIn, openedAt: Self.now - .hours(1),
            debouncedUntil: Self.now, notificationDueAt: nil))
      ]
    }
    line.trackingState = TrackingState(
      in: [
        CoverageSegment(
          interval: Interval(from: Self.now - .hours(1), to: Self.now + .hours(1)),
          reason: .pageHidden, isAtRisk: false)
      ], at: Self.now)
    #expect(!line.needsAttention && line.quietReason == .pageHidden)
    let text = Self.board([line]).lines(Self.output(.tsv), isFirst: false).text
    #expect(text.first?.hasSuffix("\tpage hidden") == true, "\(text)")
  }

  @Test("on 80 columns names and causes stay whole, and a silent phone has one cause")
  func narrow() {
    let line = Self.line(7, .noContact) { record in
      record.name = "Lucía Fernández"
      record.lastContactAt = Self.now - .minutes(34)
      record.incidents = [IncidentKind.noContact, .noFix].enumerated().map { place, kind in
        BoardIncident(
          OpenIncident(
            number: Int32(place + 1), kind: kind, origin: .midShift,
            openedAt: Self.now - .minutes(31), debouncedUntil: Self.now, notificationDueAt: nil))
      }
    }
    let denied = Self.line(8, .notTracked) { record in
      record.name = "Ana Horvat"
      record.incidents = [
        BoardIncident(
          OpenIncident(
            number: 3, kind: .denied, origin: .midShift, openedAt: Self.now - .minutes(3),
            debouncedUntil: Self.now, notificationDueAt: nil))
      ]
    }
    var surface = Surface(isTable: true, styling: Styling(isOn: false), now: Self.now)
    surface.columns = 80
    let screen = Self.board([line, denied]).screen(surface, trouble: nil, rows: 24)
    #expect(screen.allSatisfy { $0.count <= 80 })
    for part in ["Lucía Fernández", "location access denied", "31 min ago", "no contact"] {
      #expect(screen.contains { $0.contains(part) }, "\(part) in \(screen)")
    }
    #expect(!screen.contains { $0.contains("no position") || $0.contains("North") }, "\(screen)")
    surface.columns = 140
    let wide = Self.board([line, denied]).screen(surface, trouble: nil, rows: 24)
    #expect(wide.contains { $0.contains("North") && $0.contains("34 min ago") }, "\(wide)")
  }
}
