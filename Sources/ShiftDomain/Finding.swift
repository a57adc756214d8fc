/// A problem of a device that prevents tracking, or may do so. Raw values are stored and are bit
/// numbers in `FindingSet`: append-only. Findings are fixed in the order of `rank`.
public enum Finding: UInt8, Coded, Comparable {
  /// Location is forbidden by an administrator.
  case restricted = 0
  /// The device's location services are off.
  case servicesOff = 1
  case denied = 2
  /// The app never asked, or *Allow Once* has expired.
  case notDetermined = 3
  /// The report has no readable authorization.
  case unreadable = 4
  case noReport = 5
  case staleReport = 6
  /// The app cannot report permissions, but a fix of the last five minutes shows that it locates.
  case cannotReport = 7
  /// The app cannot report permissions, and no recent fix shows that it locates.
  case cannotReportNoFix = 8
  case accuracyReduced = 9
  /// Location is granted only while the app is in use.
  case whenInUse = 10
  /// The device did not report whether its location services are on.
  case servicesUnknown = 11
  /// iOS, *Always*, but no background fix since the grant: it may be provisional.
  case alwaysUnproven = 12
  /// The system restricts the app to save battery.
  case batteryOptimised = 13
  case backgroundRefreshOff = 14
  case powerSave = 15
  case notificationsOff = 16
  /// The phone's clock is more than ten minutes off.
  case clockWrong = 17
  /// The position of the clock-in, or the report, says that positions are simulated.
  case mockLocation = 18
  /// There are sites, and no position that could be at one.
  case siteUnknown = 19
  /// The position is clearly outside every site in force.
  case offSite = 20
  /// No shift is planned for the next twelve hours, or the employee is absent.
  case notPlanned = 21
  /// A shift is planned for later.
  case tooEarly = 22

  public var code: String {
    switch self {
    case .restricted: "restricted"
    case .servicesOff: "services_off"
    case .denied: "denied"
    case .notDetermined: "not_determined"
    case .unreadable: "unreadable"
    case .noReport: "no_report"
    case .staleReport: "stale_report"
    case .cannotReport: "cannot_report"
    case .cannotReportNoFix: "cannot_report_no_fix"
    case .accuracyReduced: "accuracy_reduced"
    case .whenInUse: "when_in_use"
    case .servicesUnknown: "services_unknown"
    case .alwaysUnproven: "always_unproven"
    case .batteryOptimised: "battery_optimised"
    case .backgroundRefreshOff: "background_refresh_off"
    case .powerSave: "power_save"
    case .notificationsOff: "notifications_off"
    case .clockWrong: "clock_wrong"
    case .mockLocation: "mock_location"
    case .siteUnknown: "site_unknown"
    case .offSite: "off_site"
    case .notPlanned: "not_planned"
    case .tooEarly: "too_early"
    }
  }

  /// The place in the order of remedy; 0 is fixed first. New findings may be ranked anywhere.
  public var rank: Int {
    switch self {
    case .restricted: 0
    case .servicesOff: 1
    case .denied: 2
    case .notDetermined: 3
    case .unreadable: 4
    case .noReport: 5
    case .staleReport: 6
    case .cannotReport: 7
    case .cannotReportNoFix: 8
    case .accuracyReduced: 9
    case .whenInUse: 10
    case .mockLocation: 11
    case .siteUnknown: 12
    case .offSite: 13
    case .notPlanned: 14
    case .tooEarly: 15
    case .servicesUnknown: 16
    case .alwaysUnproven: 17
    case .batteryOptimised: 18
    case .backgroundRefreshOff: 19
    case .powerSave: 20
    case .notificationsOff: 21
    case .clockWrong: 22
    }
  }

  public static func < (left: Finding, right: Finding) -> Bool { left.rank < right.rank }
}

/// A set of findings in one machine word, so that decisions need no heap.
public struct FindingSet: OptionSet, Hashable, Sendable {
  /// One bit per finding, at the finding's raw value. Stored; append-only.
  public let rawValue: UInt32

  /// The set with these bits. Unknown bits are kept but have no effect.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public init(_ finding: Finding) { rawValue = 1 << UInt32(finding.rawValue) }

  public static let all: FindingSet = {
    var all: FindingSet = []
    for finding in Finding.allCases { all.insert(finding) }
    return all
  }()

  /// About the place, the time and the truth of a clock-in, not about the phone's permissions: only
  /// these can be ignored.
  public static var ignorable: FindingSet {
    ofPosition.union(FindingSet(.notPlanned)).union(FindingSet(.tooEarly))
  }

  /// What only the position of a clock-in shows.
  public static var ofPosition: FindingSet {
    // Computed without a list, which a page has no memory for.
    FindingSet(.mockLocation).union(FindingSet(.siteUnknown)).union(FindingSet(.offSite))
  }

  public func contains(_ finding: Finding) -> Bool { contains(FindingSet(finding)) }

  public mutating func insert(_ finding: Finding) { formUnion(FindingSet(finding)) }

  public var ranked: [Finding] {
    Finding.allCases.filter { contains($0) }.sorted()
  }
}
