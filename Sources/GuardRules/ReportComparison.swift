public import ShiftDomain

/// How one dimension of a permission changed from one report to the next.
public enum Change: UInt8, Coded {
  case unchanged = 0
  case improved = 1
  case downgraded = 2
  /// One of the two could not be read, so nothing can be concluded.
  case unknown = 3

  public var code: String {
    switch self {
    case .unchanged: "unchanged"
    case .improved: "improved"
    case .downgraded: "downgraded"
    case .unknown: "unknown"
    }
  }
}

public struct ReportComparison: Hashable, Sendable {
  /// Two bits for each dimension, at its raw value.
  private var changes: UInt32 = .max

  fileprivate init() {}

  /// How `dimension` changed; unknown if no report contains it.
  public fileprivate(set) subscript(dimension: Dimension) -> Change {
    get {
      let bits = changes >> (2 * UInt32(dimension.rawValue)) & 3
      return Change(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .unknown
    }
    set {
      let place = 2 * UInt32(dimension.rawValue)
      changes = changes & ~(3 << place) | UInt32(newValue.rawValue) << place
    }
  }

  public var isDowngrade: Bool { Dimension.reported.contains { self[$0] == .downgraded } }
}

public func compare(_ before: PermissionState, _ after: PermissionState) -> ReportComparison {
  var comparison = ReportComparison()
  for dimension in Dimension.reported {
    comparison[dimension] = change(before.reading(of: dimension), after.reading(of: dimension))
  }
  return comparison
}

private func change(_ before: DimensionReading, _ after: DimensionReading) -> Change {
  switch (before, after) {
  case (.absent, _), (_, .absent), (.unknown, _), (_, .unknown): .unknown
  case (.clear, .clear): .unchanged
  case (.clear, .impaired): .downgraded
  case (.impaired, .clear): .improved
  case (.impaired(let kind), .impaired(let other)):
    kind == other ? .unchanged : other.isWorse(than: kind) ? .downgraded : .improved
  }
}
