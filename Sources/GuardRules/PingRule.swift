public import ShiftDomain

public struct TrackingSpan: Hashable, Sendable {
  public var device: Int16
  /// Its start; it ends when the next span begins, or the shift ends.
  public var since: Instant
  /// How long a fix counts as tracked on it; `nil`: as fixed at clock-in.
  public var fixAgeMax: TimeSpan?
  /// The maximum age of a report that it brought along; `nil`: any.
  public var freshFor: TimeSpan?
  /// The report that its take-over was decided on.
  public var evidence: ReportID?

  public init(
    device: Int16, since: Instant, fixAgeMax: TimeSpan? = nil, freshFor: TimeSpan? = nil,
    evidence: ReportID? = nil
  ) {
    self.device = device
    self.since = since
    self.fixAgeMax = fixAgeMax
    self.freshFor = freshFor
    self.evidence = evidence
  }
}

extension [TrackingSpan] {
  /// Whether another device took over after `instant`: a clock action then is out of order.
  public func areAhead(of instant: Instant, by device: Int16) -> Bool {
    contains { $0.device != device && $0.since > instant }
  }
}

/// A shift as far as pings need it: its span, devices and breaks.
public struct TrackedShift: Hashable, Sendable {
  public var number: Int32
  public var start: Instant
  public var end: Instant?
  /// `nil`: none until the employee confirmed the shift, which is the first take-over.
  public var firstDevice: Int16?
  /// The devices that took over, in order of time.
  public var takeOvers: [TrackingSpan]
  /// Its breaks, half-open; a current one ends in the future.
  public var breaks: IntervalSet
  /// What corrections brought into working time: no position of it is stored.
  public var added = IntervalSet()
  public var settings: TrackingSettings

  public init(
    number: Int32, start: Instant, end: Instant?, device: Int16?, takeOvers: [TrackingSpan] = [],
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

  public func contains(_ instant: Instant) -> Bool {
    guard instant >= start else { return false }
    guard let end else { return true }
    return instant < end
  }

  /// `nil` before the shift is confirmed.
  public func device(at instant: Instant) -> Int16? {
    takeOvers.last { $0.since <= instant }?.device ?? firstDevice
  }

  /// Whether a phone tracks it then.
  public func isTracked(at instant: Instant) -> Bool {
    contains(instant) && device(at: instant) != nil
  }

  /// The first device to track it, and from when; `nil` if none does yet.
  public var firstTracking: TrackingSpan? {
    if let firstDevice { return TrackingSpan(device: firstDevice, since: start) }
    return takeOvers.first.map { TrackingSpan(device: $0.device, since: max($0.since, start)) }
  }

  /// When a store app takes over from a page, by the times of positions of it that do not count: at
  /// the first after the page's last one. It happens once a shift, because the employee may go back
  /// to the page; an older position that comes later moves it back. `nil`: it takes over nothing.
  /// - Parameter pages: The last position of each page before the app took over; `nil`: none.
  public func takeOver(
    by app: Int16, fixedAt times: [Instant], from pages: [Int16: Instant?]
  ) -> Instant? {
    let earlier = takeOvers.first { $0.device == app }
    return times.filter { at in
      guard contains(at), let page = device(at: at), let last = pages[page],
        takeOvers.first(where: { $0.since > at }) == earlier
      else { return false }
      let since = takeOvers.last { $0.since <= at }?.since ?? start
      return at > max(since, last ?? since)
    }.min()
  }

  /// Adds a take-over; it replaces the next one if that is by the same device.
  public mutating func add(_ takeOver: TrackingSpan) {
    let place = takeOvers.firstIndex { $0.since > takeOver.since } ?? takeOvers.endIndex
    if place < takeOvers.endIndex, takeOvers[place].device == takeOver.device {
      takeOvers[place] = takeOver
    } else {
      takeOvers.insert(takeOver, at: place)
    }
  }

  public func settings(at instant: Instant) -> TrackingSettings {
    var settings = settings
    settings.fixAgeMax =
      takeOvers.last { $0.since <= instant }?.fixAgeMax ?? settings.fixAgeMax
    return settings
  }
}

/// Two requests of one phone are each dated by their own receipt, and so by their own delay: the
/// first fix of a backlog may appear a moment before the clock-in after which it was recorded. Up
/// to this long before a shift, a fix counts as the shift's first instant.
public let arrivalJitterMax = TimeSpan.seconds(1)

public enum PingPlacement: Hashable, Sendable {
  /// It is stored with this shift, at its start if it is a moment before.
  case shift(Int32)
  case refused(PingRefusal)
}

public let pingRetention = TimeSpan.hours(60 * 24)

/// Assigns a ping by its effective time. Positions are stored only within a shift, outside breaks,
/// and only from the tracking device: the first reason that applies refuses it. Before its
/// confirmation a shift is no shift for phones. `shifts` are the
/// employee's around that time, open or closed; `now` is the receipt of the ping.
public func place(
  effectiveAt: Instant, device: Int16, among shifts: [TrackedShift], now: Instant
) -> PingPlacement {
  if now - effectiveAt > recordAgeMax { return .refused(.tooLate) }
  for shift in shifts where shift.isTracked(at: effectiveAt) {
    if shift.breaks.contains(effectiveAt) { return .refused(.onBreak) }
    if shift.added.contains(effectiveAt) { return .refused(.noShift) }
    return shift.device(at: effectiveAt) == device
      ? .shift(shift.number)
      : .refused(.notTrackingDevice)
  }
  for shift in shifts {
    guard let first = shift.firstTracking, first.device == device else { continue }
    let lead = first.since - effectiveAt
    guard lead > .zero, lead <= arrivalJitterMax else { continue }
    if shift.breaks.contains(first.since) { return .refused(.onBreak) }
    return .shift(shift.number)
  }
  return .refused(.noShift)
}

extension Ping {
  /// The ping as its shift counts it: not before a phone tracks it, and with the settings of its
  /// clock-in.
  public func placed(in shift: TrackedShift) -> Ping {
    placed(
      at: max(effectiveAt, shift.firstTracking?.since ?? shift.start), under: shift.settings)
  }

  /// At `instant`, with a rest as long as the settings allow; one without length only says that the
  /// phone does not move.
  public func placed(at instant: Instant, under settings: TrackingSettings) -> Ping {
    var ping = self
    ping.effectiveAt = instant
    if let until = restsUntil.map({ min($0, instant + settings.maxRest) }) {
      ping.restsUntil = until > instant ? until : nil
      ping.isStationary = isStationary || until <= instant
    }
    if let most = settings.accuracyMaxMeters, let accuracy = fix?.accuracyMeters {
      ping.isCoarse = accuracy > Double(most)
    }
    return ping
  }
}
