public import ShiftDomain

public struct ReceivedPing: Hashable, Sendable {
  public var device: Int16
  public var effectiveAt: Instant
  /// What its position proves; `nil` for a sign of life.
  public var fix: FixProof?
  public var isStationary: Bool
  /// Until when the phone announced a rest, within what the shift allows; `nil`: it did not.
  public var restsUntil: Instant?
  /// Whether it came from a page that went into the background.
  public var isHidden: Bool

  /// A ping; by default a plain sign of life.
  public init(
    device: Int16, effectiveAt: Instant, fix: FixProof? = nil, isStationary: Bool = false,
    restsUntil: Instant? = nil, isHidden: Bool = false
  ) {
    self.device = device
    self.effectiveAt = effectiveAt
    self.fix = fix
    self.isStationary = isStationary
    self.restsUntil = restsUntil
    self.isHidden = isHidden
  }

  /// When the rest that it announced ends; `nil`: it announced none, or proves no position.
  var restEnd: Instant? {
    guard let restsUntil, fix == nil || fix == .position && restsUntil > effectiveAt else {
      return nil
    }
    return max(restsUntil, effectiveAt)
  }
}

public enum FixProof: Hashable, Sendable {
  case position
  /// Contact only: another app mocked the position.
  case mock
  /// Contact only: it is less accurate than the policy requires.
  case coarse
}

public struct ReceivedReport: Hashable, Sendable {
  public var device: Int16
  public var report: PermissionReport
  public var receivedAt: Instant

  public init(_ report: PermissionReport, from device: Int16, receivedAt: Instant) {
    self.device = device
    self.report = report
    self.receivedAt = receivedAt
  }
}

/// Everything that coverage is computed from. Order and duplicates do not matter.
public struct CoverageFacts: Hashable, Sendable {
  public var frame: CoverageFrame
  /// The shift's pings, single or rolled up; must fit the frame.
  public var contactRuns: ContactRuns

  public init(_ frame: CoverageFrame, contactRuns: ContactRuns) {
    self.frame = frame
    self.contactRuns = contactRuns
  }
}
