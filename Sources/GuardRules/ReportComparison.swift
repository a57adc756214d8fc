public import ShiftDomain

/// How one dimension of a permission changed from one report to the next.
public enum Change: UInt8, Coded {
  /// The same value twice.
  case unchanged = 0
  /// More than before.
  case improved = 1
  /// Less than before.
  case downgraded = 2
  /// One of the two could not be read, so nothing can be concluded.
  case unknown = 3

  /// Its code in JSON.
  public var code: String {
    switch self {
    case .unchanged: "unchanged"
    case .improved: "improved"
    case .downgraded: "downgraded"
    case .unknown: "unknown"
    }
  }
}

/// Two reports compared, dimension by dimension.
public struct ReportComparison: Hashable, Sendable {
  /// The app's permission.
  public var authorization: Change
  /// The device's location switch.
  public var services: Change
  /// The accuracy of positions.
  public var accuracy: Change

  /// Whether any dimension got worse.
  public var isDowngrade: Bool {
    authorization == .downgraded || services == .downgraded || accuracy == .downgraded
  }
}

/// Compares a device's earlier state with its current one.
public func compare(_ before: PermissionState, _ after: PermissionState) -> ReportComparison {
  ReportComparison(
    authorization: change(before.authorization.standing, after.authorization.standing),
    services: change(before.services.standing, after.services.standing),
    accuracy: change(before.accuracy.standing, after.accuracy.standing))
}

private func change(_ before: Int?, _ after: Int?) -> Change {
  guard let before, let after else { return .unknown }
  if before == after { return .unchanged }
  return before < after ? .improved : .downgraded
}

// Standing: how much a value grants, worst first; `nil` if unknown.

extension Authorization {
  fileprivate var standing: Int? {
    switch self {
    case .unknown: nil
    case .restricted: 0
    case .denied: 1
    case .notDetermined: 2
    case .whenInUse: 3
    case .always: 4
    }
  }
}

extension Switch {
  fileprivate var standing: Int? {
    switch self {
    case .unknown: nil
    case .off: 0
    case .on: 1
    }
  }
}

extension LocationAccuracy {
  fileprivate var standing: Int? {
    switch self {
    case .unknown: nil
    case .reduced: 0
    case .full: 1
    }
  }
}
