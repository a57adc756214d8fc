import CivilTime
import ShiftDomain

/// A manager's approval of the times of a shift, which locks them.
package struct ShiftApproval: Hashable, Sendable {
  /// The manager's name; 1…100 characters.
  package var by: String
  package var at: Instant

  package init(by: String, at: Instant) { (self.by, self.at) = (by, at) }
}

/// Where and when a shift counts.
package struct CivilPlace: Hashable, Sendable {
  package var team: TeamID
  /// An IANA time zone.
  package var timeZone: String
  /// The day on which it began in that zone, counted from 1970-01-01; it belongs wholly to it.
  package var day: Int32

  package init(team: TeamID, timeZone: String, day: Int32) {
    (self.team, self.timeZone, self.day) = (team, timeZone, day)
  }

  package var date: CivilDate { CivilDate(daysSince1970: Int(day)) }
}

/// The times of a shift as they are paid. They are kept as long as the shift itself.
package struct RecordedTimes: Hashable, Sendable {
  package var shift: ShiftID
  /// The employee's present team, which decides who may see and approve them.
  package var team: TeamID
  package var startedAt: Instant
  /// `nil` while open.
  package var endedAt: Instant?
  /// The sum of its ended breaks.
  package var breaks: TimeSpan
  /// The starts of its ended breaks, then their ends; empty where only the sum is kept.
  package var breakBounds: [Instant]
  /// How many corrections it has, undone ones included; `nil`: not known any more.
  package var corrections: Int16?
  /// Whether it ended automatically or was declined, or the employee objects, and nobody has
  /// reviewed it.
  package var needsReview: Bool
  package var approval: ShiftApproval?
  /// When the employee confirmed these times; `nil`: not, or they have changed since.
  package var confirmedAt: Instant?
  /// Whether only the times are left.
  package var isPast: Bool
  /// Whether only managers say that it was worked, and no administrator has decided on an
  /// objection.
  package var isAdded: Bool
  /// That of the approval, else the present team's.
  package var payRule: PayRule
  /// What the approval fixed; `nil`: the employee's present team and its time zone hold.
  package var fixed: CivilPlace?

  package init(
    shift: ShiftID, team: TeamID, startedAt: Instant, endedAt: Instant?, breaks: TimeSpan,
    breakBounds: [Instant] = [], corrections: Int16?, needsReview: Bool,
    approval: ShiftApproval?, confirmedAt: Instant?, isPast: Bool = false, isAdded: Bool = false,
    payRule: PayRule = PayRule(), fixed: CivilPlace? = nil
  ) {
    self.shift = shift
    self.team = team
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.breaks = breaks
    self.breakBounds = breakBounds
    self.corrections = corrections
    self.needsReview = needsReview
    self.approval = approval
    self.confirmedAt = confirmedAt
    self.isPast = isPast
    self.isAdded = isAdded
    self.payRule = payRule
    self.fixed = fixed
  }

  /// From start to end; `nil` while open.
  package var length: TimeSpan? { endedAt.map { $0 - startedAt } }

  /// Without breaks; `nil` while open.
  package var worked: TimeSpan? { length.map { max($0 - breaks, .zero) } }

  /// By the rule of the team or of the approval; `nil` while open.
  package var paid: TimeSpan? { worked.map { payRule.paid(worked: $0, breaks: breaks) } }

  /// Whether it has ended and waits for nobody but payroll, so that its hours count.
  package var isFinal: Bool { state == .ready || state == .approved }

  package var state: TimesState {
    if approval != nil { return .approved }
    if endedAt == nil { return .open }
    if needsReview { return .inReview }
    return isAdded && confirmedAt == nil ? .unconfirmed : .ready
  }
}

/// How far the times of a shift are from being paid.
package enum TimesState: UInt8, Coded {
  /// The shift is open.
  case open = 0
  /// It needs review before its times can be approved.
  case inReview = 1
  /// Its times can be approved.
  case ready = 2
  /// Its times are approved, and locked.
  case approved = 3
  /// A manager added it, and the employee has not confirmed it. It can be approved a week after the
  /// employee was told.
  case unconfirmed = 4

  /// Whether managers are offered its approval.
  package var isApprovable: Bool { self == .ready || self == .unconfirmed }

  package var code: String {
    switch self {
    case .unconfirmed: "unconfirmed"
    case .open: "open"
    case .inReview: "in_review"
    case .ready: "ready"
    case .approved: "approved"
    }
  }
}

/// A span of days that is paid together. Raw values are stored; append-only.
package enum PayPeriodKind: UInt8, Coded {
  case week = 0
  case twoWeeks = 1
  /// From the 1st to the 15th, and from the 16th to the last.
  case halfMonth = 2
  case month = 3

  package var code: String {
    switch self {
    case .week: "week"
    case .twoWeeks: "two_weeks"
    case .halfMonth: "half_month"
    case .month: "month"
    }
  }
}

/// How hours are written in the file of a time sheet. Raw values are stored; append-only.
package enum HoursFormat: UInt8, Coded {
  /// `14:32`, rounded to the nearest minute.
  case minutes = 0
  /// `14.53`, rounded to hundredths.
  case decimal = 1
  /// `14:32:05`, rounded to the nearest second.
  case seconds = 2

  package var code: String {
    switch self {
    case .minutes: "hours_and_minutes"
    case .decimal: "decimal"
    case .seconds: "hours_minutes_seconds"
    }
  }
}

/// A column of the file of a time sheet. Raw values are stored; append-only.
package enum TimeSheetColumn: UInt8, Coded {
  case employee = 0
  case name = 1
  case team = 2
  case shift = 3
  case date = 4
  case start = 5
  case endDate = 6
  case end = 7
  case breaks = 8
  case worked = 9
  case corrections = 10
  case trackingRate = 11
  case state = 12
  case approvedBy = 13
  case approvedAt = 14
  case confirmedAt = 15
  case timeZone = 16
  /// From start to end, breaks included.
  case duration = 17
  /// The visits to sites, for those who may see tracks.
  case sites = 18
  /// In UTC, where a local time may occur twice.
  case startedAt = 19
  case endedAt = 20
  case paid = 21

  /// Its name in the file, in JSON and on the command line.
  package var code: String {
    switch self {
    case .employee: "employee"
    case .name: "name"
    case .team: "team"
    case .shift: "shift"
    case .date: "date"
    case .start: "start"
    case .endDate: "end_date"
    case .end: "end"
    case .breaks: "breaks"
    case .worked: "worked"
    case .corrections: "corrections"
    case .trackingRate: "tracking_rate"
    case .state: "state"
    case .approvedBy: "approved_by"
    case .approvedAt: "approved_at"
    case .confirmedAt: "confirmed_at"
    case .timeZone: "time_zone"
    case .duration: "duration"
    case .sites: "sites"
    case .startedAt: "started_at"
    case .endedAt: "ended_at"
    case .paid: "paid"
    }
  }
}

/// What payroll wants of time sheets.
package struct PayrollSettings: Hashable, Sendable {
  package var period: PayPeriodKind
  /// The number of the first day of one pay period, counted from 1970-01-01. Weeks are counted from
  /// it; halves of months and months are not.
  package var startsOn: Int32
  package var hoursFormat: HoursFormat
  /// Of the file, in order; at least one, and none twice.
  package var columns: [TimeSheetColumn]

  package init(
    period: PayPeriodKind, startsOn: Int32, hoursFormat: HoursFormat, columns: [TimeSheetColumn]
  ) {
    self.period = period
    self.startsOn = startsOn
    self.hoursFormat = hoursFormat
    self.columns = columns
  }

  /// Months, and the columns that most payroll programs read. 1970-01-05 was a Monday.
  package static let standard = PayrollSettings(
    period: .month, startsOn: 4, hoursFormat: .seconds,
    columns: [
      .employee, .name, .date, .start, .end, .breaks, .worked, .paid, .corrections, .trackingRate,
      .state,
    ])
}

/// A shift on a time sheet.
package struct TimeSheetEntry: Hashable, Sendable {
  package var times: RecordedTimes
  package var place: CivilPlace
  /// Tracked per thousand of the time that could be tracked; `nil` if there was none, or if only
  /// the times of the shift are kept.
  package var permille: Int?

  package init(times: RecordedTimes, place: CivilPlace, permille: Int?) {
    (self.times, self.place, self.permille) = (times, place, permille)
  }
}

/// The sums of some shifts. They are exact; what shows them rounds them once.
package struct TimeSheetTotals: Hashable, Sendable {
  package private(set) var shifts = 0
  /// Of the shifts that have ended and need no review, like the two below.
  package private(set) var worked = TimeSpan.zero
  package private(set) var paid = TimeSpan.zero
  package private(set) var breaks = TimeSpan.zero
  private var states: [TimesState: Int] = [:]

  /// How many shifts are in this state.
  package subscript(state state: TimesState) -> Int { states[state] ?? 0 }

  /// - Parameter counts: Whether its hours count; `nil`: if it is final.
  package mutating func add(_ times: RecordedTimes, counts: Bool? = nil) {
    shifts += 1
    states[times.state, default: 0] += 1
    guard counts ?? times.isFinal, let worked = times.worked, let paid = times.paid else { return }
    self.worked = self.worked + worked
    self.paid = self.paid + paid
    breaks = breaks + times.breaks
  }

  package init() {}
}

/// The shifts of an employee on a time sheet, by start.
package struct TimeSheetLine: Hashable, Sendable {
  package var employee: EmployeeID
  package var name: String
  /// The present one; approved shifts may count in another.
  package var team: TeamID
  package var entries: [TimeSheetEntry] = []
  /// Clock actions that nobody has reviewed: working time that they claim does not count.
  package var unreviewed: [ClockActionRow] = []
  package var totals = TimeSheetTotals()

  package init(
    employee: EmployeeID, name: String, team: TeamID, unreviewed: [ClockActionRow] = []
  ) {
    (self.employee, self.name, self.team) = (employee, name, team)
    self.unreviewed = unreviewed
  }
}
