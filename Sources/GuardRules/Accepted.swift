public import ShiftDomain

/// What an employee was shown at the clock-in, the confirmation or the acceptance, and went on
/// with: the worst kind of each reported dimension. Of this or less, nobody is told. It outlives
/// breaks and take-overs. Under a policy that ignores simulated positions, those are accepted too.
public struct AcceptedKinds: Hashable, Sendable {
  /// One of each dimension at most.
  public var kinds: IncidentKindSet
  /// The device on which they were accepted: only its reports lower them.
  public var device: Int16?
  /// Since when that device reports each dimension better, in a row; without those that it does
  /// not.
  public var betterSince: [Dimension: Instant]
  /// Whether simulated positions are accepted for the whole shift.
  public var isMockIgnored: Bool

  public init(
    kinds: IncidentKindSet = [], device: Int16? = nil, betterSince: [Dimension: Instant] = [:],
    isMockIgnored: Bool = false
  ) {
    self.kinds = kinds
    self.device = device
    self.betterSince = betterSince
    self.isMockIgnored = isMockIgnored
  }

  /// What `permission` says is accepted from now on, and nothing else.
  mutating func begin(with permission: PermissionState, on device: Int16?) {
    kinds = IncidentKindSet(permission.impairments)
    (self.device, betterSince) = (device, [:])
  }

  /// The position of the clock-in was simulated, whatever its report said.
  mutating func acceptMock(on device: Int16?) {
    kinds.insert(IncidentKindSet(.mockLocation))
    self.device = device
  }

  func covers(_ kind: IncidentKind) -> Bool {
    if isMockIgnored, kind == .mockLocation { return true }
    return kinds.kind(of: kind.dimension).map { !kind.isWorse(than: $0) } ?? false
  }

  /// `permission` holds from `instant` on. What `incidents`, open until then, have been better than
  /// for long enough is not accepted any more.
  mutating func follow(
    _ permission: PermissionState, at instant: Instant, after incidents: [OpenIncident]
  ) {
    fall(at: instant, after: incidents)
    for dimension in Dimension.reported {
      guard let kind = kinds.kind(of: dimension) else { continue }
      switch permission.reading(of: dimension) {
      case .absent, .unknown: continue
      case .impaired(let present) where !kind.isWorse(than: present): betterSince[dimension] = nil
      case .impaired, .clear: betterSince[dimension] = betterSince[dimension] ?? instant
      }
    }
  }

  /// The device rests, or another one tracks: its minute begins again after that.
  mutating func pause(at instant: Instant, after incidents: [OpenIncident]) {
    fall(at: instant, after: incidents)
    betterSince = [:]
  }

  private mutating func fall(at instant: Instant, after incidents: [OpenIncident]) {
    for (dimension, since) in betterSince where since + betterFor <= instant {
      betterSince[dimension] = nil
      guard let kind = kinds.kind(of: dimension) else { continue }
      kinds.remove(IncidentKindSet(kind))
      if let present = incidents.first(where: { $0.kind.dimension == dimension }) {
        kinds.insert(IncidentKindSet(present.kind))
      }
    }
  }
}

/// How long a device must have reported a dimension better before what was accepted is news again.
private let betterFor = TimeSpan.seconds(60)

extension IncidentKindSet {
  public init(_ kinds: [IncidentKind]) {
    self = []
    for kind in kinds { insert(IncidentKindSet(kind)) }
  }

  public var kinds: [IncidentKind] {
    IncidentKind.allCases.filter { contains(IncidentKindSet($0)) }
  }

  func kind(of dimension: Dimension) -> IncidentKind? { kinds.first { $0.dimension == dimension } }
}
