/// How strongly a finding speaks against clocking in.
public enum Severity: UInt8, Coded, Comparable {
  /// Worth telling, never in the way.
  case advice = 0
  /// Clocking in goes on, with a warning.
  case warn = 1
  /// Clocking in is refused.
  case block = 2

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .advice: "advice"
    case .warn: "warn"
    case .block: "block"
    }
  }

  /// Whether `left` is the milder.
  public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
}

/// Which findings block and which warn. Every other finding is advice, so the table is total by
/// construction and each finding has exactly one severity.
public struct SeverityTable: Hashable, Sendable {
  /// Findings that refuse clocking in.
  public private(set) var blocking: FindingSet
  /// Findings that warn; never one that blocks.
  public private(set) var warning: FindingSet

  /// A table. A finding in both sets blocks.
  public init(blocking: FindingSet, warning: FindingSet) {
    self.blocking = blocking
    self.warning = warning.subtracting(blocking)
  }

  /// The severity of `finding`.
  public subscript(finding: Finding) -> Severity {
    if blocking.contains(finding) { return .block }
    return warning.contains(finding) ? .warn : .advice
  }

  /// The same table with `finding` at `severity`.
  public func moving(_ finding: Finding, to severity: Severity) -> SeverityTable {
    var blocking = self.blocking.subtracting(FindingSet(finding))
    var warning = self.warning.subtracting(FindingSet(finding))
    switch severity {
    case .block: blocking.insert(finding)
    case .warn: warning.insert(finding)
    case .advice: break
    }
    return SeverityTable(blocking: blocking, warning: warning)
  }
}

/// The presets an employer starts from.
public enum Preset: UInt8, Coded {
  /// No permission blocks, while-in-use warns, always passes.
  case standard = 0
  /// Anything but always blocks.
  case strict = 1
  /// Never blocks, only guides.
  case advisory = 2

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .standard: "standard"
    case .strict: "strict"
    case .advisory: "advisory"
    }
  }
}

/// Whether an employee may clock in although the rules refuse.
public enum SelfOverride: UInt8, Coded {
  /// Only a manager may open the shift.
  case off = 0
  /// The employee gives a reason, and block becomes warn.
  case withReason = 1

  /// Its word in JSON, SQL and on the command line.
  public var code: String {
    switch self {
    case .off: "off"
    case .withReason: "with_reason"
    }
  }
}

/// A team's settings in force. A change makes a new version; a decision stores the version it
/// was made under.
public struct Policy: Hashable, Sendable {
  /// The preset it began as. `advisory` also means that nobody is pushed to.
  public var preset: Preset
  /// Which findings block and which warn.
  public var severities: SeverityTable
  /// A report older than this is stale.
  public var freshFor: TimeSpan
  /// From a first impairment to its message; what has healed by then is a flicker. 0…3 s.
  public var debounce: TimeSpan
  /// How often a phone on shift sends a ping.
  public var pingInterval: TimeSpan
  /// How long a phone that announced a rest may be silent; up to an hour.
  public var maxRest: TimeSpan
  /// A fix that is less accurate, in meters, proves contact and no position; `nil`: each proves
  /// one.
  public var accuracyMaxMeters: Int32?
  /// The longest break before the employee is asked.
  public var breakMax: TimeSpan
  /// The longest shift before tracking ends by itself; 4…24 h.
  public var shiftMax: TimeSpan
  /// From the begin of an unplanned shift to the reminder of a forgotten clock-out; 1…24 h.
  public var reminderAfter: TimeSpan
  /// Whether an employee may override a block.
  public var selfOverride: SelfOverride
  /// From a message to the e-mail that repeats it, while nobody acknowledges; 0…24 h.
  public var emailAfter: TimeSpan
  /// From a message to the managers' being told, while it still holds; 0…24 h.
  public var managersAfter: TimeSpan
  /// So long an employee is not told again of the same cause unless it got worse, and managers get
  /// one message for all; 0…24 h.
  public var messageCooldown: TimeSpan

  /// A policy; every duration is what RULES 7 begins with unless given.
  public init(
    preset: Preset, severities: SeverityTable, freshFor: TimeSpan = .seconds(300),
    debounce: TimeSpan = .seconds(2), pingInterval: TimeSpan = .seconds(60),
    maxRest: TimeSpan = .minutes(30), accuracyMaxMeters: Int32? = nil,
    breakMax: TimeSpan = .hours(2), shiftMax: TimeSpan = .hours(16),
    reminderAfter: TimeSpan = .hours(10), selfOverride: SelfOverride = .off,
    emailAfter: TimeSpan = .minutes(5), managersAfter: TimeSpan = .minutes(10),
    messageCooldown: TimeSpan = .minutes(10)
  ) {
    self.preset = preset
    self.severities = severities
    self.freshFor = freshFor
    self.debounce = debounce
    self.pingInterval = pingInterval
    self.maxRest = maxRest
    self.accuracyMaxMeters = accuracyMaxMeters
    self.breakMax = breakMax
    self.shiftMax = shiftMax
    self.reminderAfter = reminderAfter
    self.selfOverride = selfOverride
    self.emailAfter = emailAfter
    self.managersAfter = managersAfter
    self.messageCooldown = messageCooldown
  }

  /// How long one fix or sign of life speaks for the phone: three pings, two minutes at least.
  /// Silence, board and coverage all use it; it is derived, never set.
  public var fixAgeMax: TimeSpan {
    max(Self.fixAgeMin, pingInterval + pingInterval + pingInterval)
  }

  /// What a team may ask of a fix's accuracy, in meters.
  public static let accuracyRange: ClosedRange<Int32> = 1...100_000

  /// Under no policy does a fix speak for less.
  public static let fixAgeMin = TimeSpan.seconds(120)
}
