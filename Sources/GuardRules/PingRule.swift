public import ShiftDomain

/// Which device tracks from when on.
public struct TrackingSpan: Hashable, Sendable {
  /// The device's number.
  public var device: Int16
  /// From when; until the next span begins, or the shift ends.
  public var since: Instant

  /// `device` from `since` on.
  public init(device: Int16, since: Instant) {
    self.device = device
    self.since = since
  }
}

extension [TrackingSpan] {
  /// Whether another device than `device` took over after `instant`: a clock action of `device` from
  /// then comes out of order.
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

  /// A shift from `start` to `end`, or still open.
  public init(
    number: Int32, start: Instant, end: Instant?, device: Int16, takeOvers: [TrackingSpan] = [],
    breaks: IntervalSet = IntervalSet()
  ) {
    self.number = number
    self.start = start
    self.end = end
    firstDevice = device
    self.takeOvers = takeOvers
    self.breaks = breaks
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

/// Fixes are taken up to this late.
public let pingAgeMax = TimeSpan.hours(7 * 24)

/// How long pings are kept.
public let pingRetention = TimeSpan.hours(60 * 24)

/// Places a ping by its effective time. Location is kept only within a shift, outside breaks, and
/// only from the device that tracks: the first reason that applies refuses it.
/// - Parameters:
///   - effectiveAt: When the ping was recorded, by the server's clock.
///   - device: The sending device's number.
///   - shifts: The employee's shifts around that time, open or closed.
///   - retention: How long pings are kept.
public func place(
  effectiveAt: Instant, device: Int16, among shifts: [TrackedShift], retention: TimeSpan,
  now: Instant
) -> PingPlacement {
  let age = now - effectiveAt
  if age > pingAgeMax { return .refused(.tooLate) }
  if age > retention { return .refused(.retention) }
  for shift in shifts where shift.contains(effectiveAt) {
    if shift.breaks.contains(effectiveAt) { return .refused(.onBreak) }
    return shift.device(at: effectiveAt) == device
      ? .shift(shift.number)
      : .refused(.notTrackingDevice)
  }
  for shift in shifts where shift.firstDevice == device {
    let lead = shift.start - effectiveAt
    if lead > .zero, lead <= arrivalJitterMax { return .shift(shift.number) }
  }
  return .refused(.noShift)
}
