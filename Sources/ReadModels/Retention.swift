import ShiftDomain

/// A kind of data with its own retention. Raw values are stored; append-only.
package enum KeptKind: UInt8, Coded {
  /// Positions of phones.
  case fixes = 0
  /// What was tracked, and why not: reports, incidents, notes, clock actions, overrides,
  /// notifications.
  case coverage = 1
  /// Shift records.
  case shifts = 2
  /// The audit log.
  case auditLog = 3

  /// Its code in JSON and on the command line.
  package var code: String {
    switch self {
    case .fixes: "fixes"
    case .coverage: "coverage"
    case .shifts: "shifts"
    case .auditLog: "auditLog"
    }
  }

  fileprivate var name: String {
    switch self {
    case .fixes: "positions"
    case .coverage: "coverage records"
    case .shifts: "shift records"
    case .auditLog: "the audit log"
    }
  }

  /// How long it is kept unless set, in days.
  fileprivate var standardDays: Int32 {
    switch self {
    case .fixes: 60
    case .coverage, .auditLog: 365
    case .shifts: 5 * 366
    }
  }

  /// What it belongs to and must not outlive; `nil`: it is on its own.
  package var owner: KeptKind? {
    switch self {
    case .fixes: .coverage
    case .coverage: .shifts
    case .shifts, .auditLog: nil
    }
  }
}

/// How long each kind of data is kept.
package struct Retention: Hashable, Sendable {
  /// The allowed number of days: fixes come up to a week late.
  package static let range: ClosedRange<Int32> = 8...36_500

  /// How long what apps report about themselves is kept, but no longer than coverage: a day longer
  /// than the statistics look back.
  package static let appEventLife = TimeSpan.hours(31 * 24)

  private var days: [KeptKind: Int32] = [:]

  /// The default of each kind.
  package static let standard = Retention()

  private init() {}

  package subscript(kind: KeptKind) -> Int32 {
    get { days[kind] ?? kind.standardDays }
    set { days[kind] = newValue }
  }

  /// The first kind that outlives what it belongs to; `nil` if none does.
  package var outliving: KeptKind? {
    KeptKind.allCases.first { kind in kind.owner.map { self[kind] > self[$0] } ?? false }
  }

  /// Whether nothing outlives what it belongs to: fixes ≤ coverage ≤ shifts.
  package var isInOrder: Bool { outliving == nil }

  /// That nothing outlives what it belongs to, in words.
  package static var order: String {
    KeptKind.allCases.compactMap { kind in
      kind.owner.map { "\(kind.name) cannot be kept longer than \($0.name)" }
    }.joined(separator: ", and ")
  }

  /// Data of `kind` from before this time is deleted.
  package func cutoff(of kind: KeptKind, now: Instant) -> Instant {
    now - .hours(Int64(self[kind]) * 24)
  }
}
