public import ShiftDomain

/// Which device tracks from when on.
public struct TrackingSpan: Hashable, Sendable {
  /// The device's number.
  public var device: Int16
  /// From when; until the next span begins, or the shift ends.
  public var since: Instant
  /// How long a fix speaks while it tracks; `nil`: as fixed at clock-in.
  public var fixAgeMax: TimeSpan?
  /// How old a report may have been that it brought along; `nil`: however old.
  public var freshFor: TimeSpan?

  /// `device` from `since` on.
  public init(
    device: Int16, since: Instant, fixAgeMax: TimeSpan? = nil, freshFor: TimeSpan? = nil
  ) {
    self.device = device
    self.since = since
    self.fixAgeMax = fixAgeMax
    self.freshFor = freshFor
  }
}

extension [TrackingSpan] {
  /// Whether another device than `device` took over after `instant`: a clock action of `device`
  /// from then comes out of order.
  public func areAhead(of instant: Instant, by device: Int16) -> Bool {
    contains { $0.device != device && $0.since > instant }
  }
}

/// A shift as far as a ping needs it: when, on which device, and when not.
public struct TrackedShift: Hashable, Sendable {
  /// The shift's number within its employee.
  public var number: Int32
  /// When it was, half-open; an open shift's end is `nil`.
  public var start: Instant
  /// When it ended; `nil` while it is open.
  public var end: Instant?
  /// The device that tracked first.
  public var firstDevice: Int16
  /// The devices that took over, in order of time.
  public var takeOvers: [TrackingSpan]
  /// Its breaks, half-open; the one that is on ends in the future.
  public var breaks: IntervalSet
  /// What was fixed at its clock-in.
  public var settings: TrackingSettings

  /// A shift from `start` to `end`, or still open.
  public init(
    number: Int32, start: Instant, end: Instant?, device: Int16, takeOvers: [TrackingSpan] = [],
    breaks: IntervalSet = IntervalSet(),
    settings: TrackingSettings = TrackingSettings(of: .policy(of: .standard), version: 1)
  ) {
    self.number = number
    self.start = start
    self.end = end
    firstDevice = device
    self.takeOvers = takeOvers
    self.breaks = breaks
    self.settings = settings
  }

  /// Whether `instant` lies in the shift, breaks included.
  public func contains(_ instant: Instant) -> Bool {
    guard instant >= start else { return false }
    guard let end else { return true }
    return instant < end
  }

  /// The device that tracks at `instant`: before the first take-over, the first.
  public func device(at instant: Instant) -> Int16 {
    takeOvers.last { $0.since <= instant }?.device ?? firstDevice
  }

  /// What the device that tracks at `instant` is to go by.
  public func settings(at instant: Instant) -> TrackingSettings {
    var settings = settings
    settings.fixAgeMax =
      takeOvers.last { $0.since <= instant }?.fixAgeMax ?? settings.fixAgeMax
    return settings
  }
}

/// Two requests of one phone are each placed on our time line by their own receipt, and so by their
/// own delay on the way: the first fix of a backlog can come to lie a moment before the clock-in it
/// was recorded after. Up to this long before a shift, a fix counts as the shift's first instant.
public let arrivalJitterMax = TimeSpan.seconds(1)

/// Where a ping belongs.
public enum PingPlacement: Hashable, Sendable {
  /// It is stored with this shift, as of its start when it lies a moment before.
  case shift(Int32)
  /// It is not stored.
  case refused(PingRefusal)
}

/// How long pings are kept.
public let pingRetention = TimeSpan.hours(60 * 24)

/// Places a ping by its effective time. Location is kept only within a shift, outside breaks, and
/// only from the device that tracks: the first reason that applies refuses it.
/// - Parameters:
///   - effectiveAt: When the ping was recorded, by the server's clock.
///   - device: The sending device's number.
///   - shifts: The employee's shifts around that time, open or closed.
///   - now: When the ping was received.
public func place(
  effectiveAt: Instant, device: Int16, among shifts: [TrackedShift], now: Instant
) -> PingPlacement {
  if now - effectiveAt > recordAgeMax { return .refused(.tooLate) }
  for shift in shifts where shift.contains(effectiveAt) {
    if shift.breaks.contains(effectiveAt) { return .refused(.onBreak) }
    return shift.device(at: effectiveAt) == device
      ? .shift(shift.number)
      : .refused(.notTrackingDevice)
  }
  for shift in shifts where shift.firstDevice == device {
    let lead = shift.start - effectiveAt
    guard lead > .zero, lead <= arrivalJitterMax else { continue }
    if shift.breaks.contains(shift.start) { return .refused(.onBreak) }
    return .shift(shift.number)
  }
  return .refused(.noShift)
}
