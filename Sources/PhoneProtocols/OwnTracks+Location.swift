import JSONText
import ShiftDomain

/// `tst`, the time of a message's fix.
struct OwnTracksTime {
  /// `nil` when absent or unreadable.
  let instant: Instant?
  /// Whether it was sent as seconds since 2001, as Overland does in its mode for OwnTracks.
  let isSince2001: Bool

  private static let from1970To2001 = TimeSpan.seconds(978_307_200)
  /// No app keeps a message for so long, and no phone's clock is by chance 31 years behind.
  private static let ageMax = TimeSpan.hours(366 * 24)

  init(_ fields: LooseFields, receivedAt: Instant) {
    let sent = fields["tst"].flatMap { Instant(loose: $0) }
    let moved = sent.map { $0 + Self.from1970To2001 }
    isSince2001 =
      moved.map { receivedAt - $0 < Self.ageMax && $0 - receivedAt < Self.ageMax } ?? false
    instant = isSince2001 ? moved : sent
  }
}

extension OwnTracks {
  /// `_type` `location`.
  static func location(
    _ fields: LooseFields, receivedAt: Instant
  ) throws(QuarantineReason) -> [PhoneRecord] {
    let ping = try ping(fields, receivedAt: receivedAt)
    let at = ping.at(receivedAt)
    var records = ping.records(sentFrom: ping.writtenAt)
    // −1 is quiet, 0 manual: the app sends nothing by itself.
    if let mode = fields.number("m"), mode <= 0 {
      records.append(.event(PhoneEvent(.trackingOff, at: at)))
    }
    if let regions = fields.texts("inregions") {
      let ofShifts = regions.compactMap { shiftRegion(named: $0) }
      records.append(.event(PhoneEvent(.inRegions, at: at, shiftRegions: ofShifts)))
    }
    return records
  }

  /// `_type` `transition`: the phone came into a region or left it. On iOS its position may be the
  /// one before, kilometers away: the location of the same second must not be lost for it.
  static func transition(
    _ fields: LooseFields, receivedAt: Instant
  ) throws(QuarantineReason) -> [PhoneRecord] {
    var ping = try ping(fields, receivedAt: receivedAt)
    ping.recordedAt = ping.at(receivedAt)
    let kind: PhoneEvent.Kind? =
      switch fields.text("event") {
      case "enter": .regionEntered
      case "leave": .regionLeft
      default: nil
      }
    let region = fields.text("desc").flatMap { shiftRegion(named: $0) }
    let event = kind.map {
      PhoneEvent(
        $0, at: ping.recordedAt, shiftRegions: region.map { [$0] } ?? [], fix: ping.fix)
    }
    ping.fix = nil
    return [.ping(ping)] + (event.map { [.event($0)] } ?? [])
  }

  private static func ping(
    _ fields: LooseFields, receivedAt: Instant
  ) throws(QuarantineReason) -> PhonePing {
    guard let recordedAt = OwnTracksTime(fields, receivedAt: receivedAt).instant else {
      throw QuarantineReason(fields["tst"] == nil ? .missing : .unreadable, "tst")
    }
    return PhonePing(
      recordedAt: recordedAt, writtenAt: fields["created_at"].flatMap { Instant(loose: $0) },
      fix: try fix(fields),
      isStationary: fields.isOnly("stationary", in: "motionactivities"), speed: speed(fields),
      batteryPercent: batteryPercent(fields.number("batt")))
  }

  /// The position; `nil` for a phone that does not know it.
  private static func fix(_ fields: LooseFields) throws(QuarantineReason) -> Fix? {
    var latitude = fields.number("lat")
    var longitude = fields.number("lon")
    // Only Android writes `_id`, and leaves out what is zero: on the equator, or in Greenwich.
    if fields.has("_id") {
      if !fields.has("lat") { latitude = 0 }
      if !fields.has("lon") { longitude = 0 }
    }
    return Fix(
      measuredAt: try Coordinate(latitude, named: "lat", longitude, named: "lon", of: fields),
      accuracyMeters: fields.number("acc"),
      speedMetersPerSecond: speed(fields), headingDegrees: fields.number("cog"),
      altitudeMeters: fields.number("alt"))
  }

  private static func speed(_ fields: LooseFields) -> Double? {
    fields.number("vel").map { $0 * metersPerSecondInKilometerPerHour }
  }
}
