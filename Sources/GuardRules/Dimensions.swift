public import ShiftDomain

// The table of everything that a permission report says about tracking. A dimension is declared
// here and nowhere else in the rules: how its value is read and kept, and a row for each kind of
// incident that it can open. What is in force, what got worse, and which findings, incidents and
// reasons follow from it are loops over this table.

public enum DimensionReading: Hashable, Sendable {
  /// Nothing, because no report contains the dimension: only requests or their absence show it.
  case absent
  /// Nothing this time: neither opens nor closes an incident. At clock-in it may be a finding.
  case unknown(Finding?)
  case clear
  case impaired(IncidentKind)
}

extension PermissionState {
  public func reading(of dimension: Dimension) -> DimensionReading {
    switch dimension {
    case .authorization:
      switch authorization {
      case .unknown: .unknown(.unreadable)
      case .restricted: .impaired(.restricted)
      case .denied: .impaired(.denied)
      case .notDetermined: .impaired(.notDetermined)
      case .whenInUse: .impaired(.whenInUse)
      case .always: .clear
      }
    case .services:
      switch services {
      case .unknown: .unknown(.servicesUnknown)
      case .off: .impaired(.servicesOff)
      case .on: .clear
      }
    case .accuracy:
      switch accuracy {
      case .unknown: .unknown(nil)
      case .reduced: .impaired(.accuracyReduced)
      case .full: .clear
      }
    case .mock:
      switch conditions.mockLocation {
      case .unknown: .unknown(nil)
      case .on: .impaired(.mockLocation)
      case .off: .clear
      }
    case .contact, .fix, .app: .absent
    }
  }

  mutating func take(_ dimension: Dimension, from other: PermissionState) {
    switch dimension {
    case .authorization: authorization = other.authorization
    case .services: services = other.services
    case .accuracy: accuracy = other.accuracy
    case .mock: conditions.mockLocation = other.conditions.mockLocation
    case .contact, .fix, .app: break
    }
  }
}

/// What the rules know of a kind of incident: its row of the table.
public struct IncidentKindRow: Hashable, Sendable {
  public let dimension: Dimension
  /// Its place among all kinds, the worst first: what prevents locating in the order of remedy,
  /// then what else prevents positions, then what only makes them worse.
  public let place: Int
  /// The finding behind it; `nil` if no decision at clock-in has one.
  public let finding: Finding?
  /// The reason it gives for time that was not tracked; `nil` if it gives none by itself.
  public let reason: CoverageReason?
  /// Whether the phone cannot be located at all while it lasts.
  public let cannotLocate: Bool
  public let isRisk: Bool
  /// Whether it is the probable cause of a silence while it lasts.
  public let isLikelyCause: Bool

  init(
    _ dimension: Dimension, place: Int, finding: Finding? = nil, reason: CoverageReason? = nil,
    cannotLocate: Bool = false, isRisk: Bool = false, isLikelyCause: Bool = false
  ) {
    self.dimension = dimension
    self.place = place
    self.finding = finding
    self.reason = reason
    self.cannotLocate = cannotLocate
    self.isRisk = isRisk
    self.isLikelyCause = isLikelyCause
  }
}

extension IncidentKind {
  public var row: IncidentKindRow {
    switch self {
    case .restricted:
      IncidentKindRow(
        .authorization, place: 0, finding: .restricted, reason: .restricted, cannotLocate: true)
    case .servicesOff:
      IncidentKindRow(
        .services, place: 1, finding: .servicesOff, reason: .servicesOff, cannotLocate: true)
    case .denied:
      IncidentKindRow(
        .authorization, place: 2, finding: .denied, reason: .denied, cannotLocate: true)
    case .notDetermined:
      IncidentKindRow(
        .authorization, place: 3, finding: .notDetermined, reason: .notDetermined,
        cannotLocate: true)
    case .noContact: IncidentKindRow(.contact, place: 4)
    case .noFix: IncidentKindRow(.fix, place: 5)
    case .appTerminated: IncidentKindRow(.app, place: 6, reason: .appTerminated)
    case .mockLocation: IncidentKindRow(.mock, place: 7, finding: .mockLocation)
    case .accuracyReduced:
      IncidentKindRow(.accuracy, place: 8, finding: .accuracyReduced, isRisk: true)
    case .whenInUse:
      IncidentKindRow(
        .authorization, place: 9, finding: .whenInUse, isRisk: true, isLikelyCause: true)
    }
  }
}

// What is read from the table.

/// The dimensions of a permission report, by raw value. No array, so no heap is needed.
public struct ReportedDimensions: Sequence, IteratorProtocol, Sendable {
  private var raw: UInt8 = 0

  public mutating func next() -> Dimension? {
    while let dimension = Dimension(rawValue: raw) {
      raw += 1
      if dimension.isReported { return dimension }
    }
    return nil
  }
}

extension Dimension {
  public static var reported: ReportedDimensions { ReportedDimensions() }

  /// Whether reports say it; others show by requests, or their absence.
  public var isReported: Bool {
    PermissionState(authorization: .unknown).reading(of: self) != .absent
  }
}

extension IncidentKind {
  public var dimension: Dimension { row.dimension }

  public var finding: Finding? { row.finding }

  public var cannotLocate: Bool { row.cannotLocate }

  public var leavesPositions: Bool { dimension.isReported && !cannotLocate }

  public func isWorse(than other: IncidentKind) -> Bool {
    dimension == other.dimension && precedes(other)
  }

  func precedes(_ other: IncidentKind) -> Bool { row.place < other.row.place }
}

extension [IncidentKind] {
  var worst: IncidentKind? { self.min { $0.precedes($1) } }
}

extension PermissionState {
  var impairments: [IncidentKind] {
    Dimension.reported.compactMap { dimension in
      guard case .impaired(let kind) = reading(of: dimension) else { return nil }
      return kind
    }
  }

  var worstLoss: IncidentKind? { impairments.filter { $0.cannotLocate }.worst }

  var cannotLocate: Bool { impairments.contains { $0.cannotLocate } }

  /// Takes the known values of `newer`; where that is unknown, the value stays.
  mutating func learn(from newer: PermissionState) {
    for dimension in Dimension.reported {
      if case .unknown = newer.reading(of: dimension) { continue }
      take(dimension, from: newer)
    }
  }
}
