/// How strongly a finding speaks against clocking in.
public enum Severity: UInt8, Coded, Comparable {
  case advice = 0
  case warn = 1
  case block = 2
  /// The finding is in no decision. Only for those of `FindingSet.ignorable`.
  case ignore = 3

  public var code: String {
    switch self {
    case .ignore: "ignore"
    case .advice: "advice"
    case .warn: "warn"
    case .block: "block"
    }
  }

  private var rank: UInt8 { self == .ignore ? 0 : rawValue + 1 }

  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

extension Finding {
  /// The severities that a policy may give to it.
  public var severities: [Severity] {
    Severity.allCases.filter { $0 != .ignore || FindingSet.ignorable.contains(self) }
  }
}

/// Which findings block, which warn, and which are ignored; every other finding is advice.
public struct SeverityTable: Hashable, Sendable {
  public private(set) var blocking: FindingSet
  /// Findings that warn; never a blocking one.
  public private(set) var warning: FindingSet
  /// Findings that are in no decision: some of `FindingSet.ignorable`, none that blocks or warns.
  public private(set) var ignored: FindingSet

  /// A table. A finding in several sets has the highest of their severities.
  public init(blocking: FindingSet, warning: FindingSet, ignored: FindingSet = []) {
    self.blocking = blocking
    self.warning = warning.subtracting(blocking)
    self.ignored = ignored.intersection(.ignorable).subtracting(blocking).subtracting(warning)
  }

  public subscript(finding: Finding) -> Severity {
    if blocking.contains(finding) { return .block }
    if warning.contains(finding) { return .warn }
    return ignored.contains(finding) ? .ignore : .advice
  }

  public func moving(_ finding: Finding, to severity: Severity) -> SeverityTable {
    let one = FindingSet(finding)
    func moved(_ findings: FindingSet, _ own: Severity) -> FindingSet {
      severity == own ? findings.union(one) : findings.subtracting(one)
    }
    return SeverityTable(
      blocking: moved(blocking, .block), warning: moved(warning, .warn),
      ignored: moved(ignored, .ignore))
  }
}

public enum Preset: UInt8, Coded {
  /// A missing permission blocks, while-in-use warns, always passes.
  case standard = 0
  /// Everything but always blocks.
  case strict = 1
  case advisory = 2

  public var code: String {
    switch self {
    case .standard: "standard"
    case .strict: "strict"
    case .advisory: "advisory"
    }
  }
}

/// Whether an employee may override a block at clock-in.
public enum SelfOverride: UInt8, Coded {
  /// Only a manager may open the shift.
  case off = 0
  /// The employee gives a reason, and block becomes warn.
  case withReason = 1

  public var code: String {
    switch self {
    case .off: "off"
    case .withReason: "with_reason"
    }
  }
}

/// A team's settings. A change creates a new version; a decision stores its version.
public struct Policy: Hashable, Sendable {
  /// The preset it is based on. `advisory` also means that nothing is pushed.
  public var preset: Preset
  public var severities: SeverityTable
  /// A report older than this is stale.
  public var freshFor: TimeSpan
  /// From the first impairment to its notification; what is restored before is a flicker. 0…3 s.
  public var debounce: TimeSpan
  public var pingInterval: TimeSpan
  /// How long a phone may be silent after announcing a rest; up to an hour.
  public var maxRest: TimeSpan
  /// A less accurate fix, in meters, proves contact only; `nil`: every fix proves a position.
  public var accuracyMaxMeters: Int32?
  /// The length of a break after which the employee is asked.
  public var breakMax: TimeSpan
  /// The length of a shift after which tracking ends automatically; 4…24 h.
  public var shiftMax: TimeSpan
  /// From the start of an unplanned shift to the reminder of a forgotten clock-out; 1…24 h.
  public var reminderAfter: TimeSpan
  public var selfOverride: SelfOverride
  /// Whether a planned shift opens by itself at its start, for the employee to confirm.
  public var opensPlannedShifts: Bool
  /// From a notification to its e-mail, if it is not acknowledged; 0…24 h.
  public var emailAfter: TimeSpan
  /// From a notification to its escalation to managers, if it still holds; 0…24 h.
  public var managersAfter: TimeSpan
  /// The minimum time between two alarms of the same kind by the same way, except in the open app;
  /// managers get one notification for all; 0…24 h.
  public var cooldown: TimeSpan
  /// From the opening of a silence without contact: how long notifications wait while most phones
  /// of the service fell silent at the same time; zero: they do not; 0…10 min.
  public var massSilenceWait: TimeSpan
  /// How long a browser page may be out of view before the employee is reminded, once a shift;
  /// zero: for ever; 0…4 h.
  public var hiddenReminderAfter: TimeSpan
  /// From a planned start without a clock-in to the notification of managers; zero: never.
  public var lateAfter: TimeSpan
  /// From a planned start to the notification that the employee has not come; zero: never.
  public var noShowAfter: TimeSpan
  /// How long before a planned start an employee may clock in without the finding `too_early`.
  public var earlyWindow: TimeSpan
  /// How long all positions of a shift must be off site for the employee to be away; zero: nobody
  /// is; 5…120 min.
  public var awayAfter: TimeSpan

  /// A policy; by default with the durations of RULES 7.
  public init(
    preset: Preset, severities: SeverityTable, freshFor: TimeSpan = .seconds(300),
    debounce: TimeSpan = .seconds(2), pingInterval: TimeSpan = .seconds(60),
    maxRest: TimeSpan = .minutes(30), accuracyMaxMeters: Int32? = nil,
    breakMax: TimeSpan = .hours(2), shiftMax: TimeSpan = .hours(16),
    reminderAfter: TimeSpan = .hours(10), selfOverride: SelfOverride = .off,
    emailAfter: TimeSpan = .minutes(5), managersAfter: TimeSpan = .minutes(10),
    cooldown: TimeSpan = .minutes(10), massSilenceWait: TimeSpan = .minutes(10),
    hiddenReminderAfter: TimeSpan = .minutes(15), opensPlannedShifts: Bool = false,
    lateAfter: TimeSpan = .minutes(15), noShowAfter: TimeSpan = .hours(1),
    earlyWindow: TimeSpan = .minutes(15), awayAfter: TimeSpan = .zero
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
    self.opensPlannedShifts = opensPlannedShifts
    self.emailAfter = emailAfter
    self.managersAfter = managersAfter
    self.cooldown = cooldown
    self.massSilenceWait = massSilenceWait
    self.hiddenReminderAfter = hiddenReminderAfter
    self.lateAfter = lateAfter
    self.noShowAfter = noShowAfter
    self.earlyWindow = earlyWindow
    self.awayAfter = awayAfter
  }

  /// How long one fix or sign of life counts as tracked: three ping intervals, at least two
  /// minutes. Silence, board and coverage all use it; it is derived, not a setting.
  public var fixAgeMax: TimeSpan {
    max(Self.fixAgeMin, pingInterval + pingInterval + pingInterval)
  }

  /// Whether what was planned makes a difference at a clock-in.
  public var judgesPlan: Bool {
    severities[.notPlanned] != .ignore || severities[.tooEarly] != .ignore
  }

  /// Whether the position of a clock-in makes a difference.
  public var judgesPlace: Bool {
    severities[.siteUnknown] != .ignore || severities[.offSite] != .ignore
  }

  /// Whether a phone needs the plan to decide without the network: it may name sites, too.
  public var needsPlanOnPhones: Bool { judgesPlan || judgesPlace }

  /// Whether the positions in a shift, or at its end, are compared with sites.
  public var comparesWithSites: Bool { awayAfter > .zero || severities[.offSite] != .ignore }

  /// The allowed range for a team's `accuracyMax`, in meters.
  public static let accuracyRange: ClosedRange<Int32> = 1...100_000

  public static let fixAgeMin = TimeSpan.seconds(120)
}
