import CivilTime
import GuardRules
import ReadModels
import ReviewOperations
import ShiftDomain

struct TimeSheetView: Sendable {
  /// Whole employees are listed until there are this many shifts.
  static let shiftsMax = 400

  var period: PayPeriod
  var settings: PayrollSettings
  /// All teams that the viewer may see, to choose from.
  var choices: [TeamRow]
  var team: TeamID?
  var today: CivilDate
  /// Of their time zones and of those that approvals fixed.
  var clocks: [String: TeamClock]
  /// Only employees with higher numbers are listed: the last of the page before.
  var after: EmployeeID?
  /// The viewer's own employee number: others approve those shifts.
  var viewer: EmployeeID?
  /// With the totals of all employees, and the lines from this page up to the first of the next.
  var sheet: TimeSheet?
  /// How many clock actions of the period nobody has reviewed.
  var unreviewedCount = 0
  /// The visits to sites of the shifts on this page, for viewers who may see tracks.
  var visits: [ShiftID: [SiteVisit]] = [:]
  var done: HTML?
  /// Why there is no time sheet, or what was not done.
  var fault: HTML?
  /// Whether shifts that can be approved are selected at first; not after an approval, because
  /// those that are left were left on purpose.
  var ticksAll = true
  /// What was approved together, in the whole period; without the viewer's own shifts.
  var approvals: [ShiftApproval: TimeSheetTotals] = [:]
  /// Whether the file can be downloaded.
  var hasDownloads = false

  /// The employees on this page.
  var lines: ArraySlice<TimeSheetLine> {
    var shifts = 0
    return (sheet?.lines ?? []).prefix { line in
      defer { shifts += line.entries.count }
      return shifts == 0 || shifts + line.entries.count <= Self.shiftsMax
    }
  }

  /// Whether the line belongs to this page, or is the first of the next one, after these.
  func shows(_ line: TimeSheetLine, after lines: [TimeSheetLine]) -> Bool {
    if let after, line.employee <= after { return false }
    return lines.count < 2 || lines.reduce(0) { $0 + $1.entries.count } <= Self.shiftsMax
  }

  /// The last employee of this page, if there are more.
  var next: EmployeeID? {
    guard let last = lines.last?.employee, last != sheet?.lines.last?.employee else { return nil }
    return last
  }

  /// This page.
  var address: SheetAddress {
    SheetAddress(
      from: period.from.text, to: period.to.text, team: team.map { String($0.rawValue) } ?? "",
      after: after.map { String($0.rawValue) } ?? "")
  }

  /// The viewer cannot reopen their own shifts.
  mutating func addApprovals(of lines: [TimeSheetLine]) {
    for times in lines.flatMap(\.entries).map(\.times) where times.shift.employee != viewer {
      if let approval = times.approval { approvals[approval, default: .init()].add(times) }
    }
  }

  /// Where the approval is taken back.
  func reopening(_ approval: ShiftApproval) -> String {
    let query = address.query.with("by", approval.by)
      .with("at", String(approval.at.milliseconds))
    return "/time-sheets/reopen\(query.text)"
  }

  /// The address of the same page, with this query.
  func path(_ period: PayPeriod, after: EmployeeID? = nil) -> String {
    "/time-sheets"
      + Query().with("team", team.map { String($0.rawValue) }).with("from", period.from.text)
      .with("to", period.to.text).with("after", after.map { String($0.rawValue) }).text
  }
}

extension TimesState {
  var name: HTML {
    switch self {
    case .open: "Open"
    case .inReview: "Needs review"
    case .unconfirmed: "Not confirmed"
    case .ready: "Ready"
    case .approved: "Approved"
    }
  }
}
