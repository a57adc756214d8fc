import GuardRules
import JSONText
import ShiftDomain

/// A record of Transistorsoft's background-geolocation, which Traccar Client 9 sends too. Apps can
/// replace it by a template of their own, so its values may also stand without their groups, under
/// the usual short names.
struct TransistorsoftRecord {
  private let fields: LooseFields
  /// What is beside the record in the body: some templates put battery and activity there.
  private let beside: LooseFields

  init(_ fields: LooseFields, beside: LooseFields = LooseFields.none) {
    self.fields = fields
    self.beside = beside
  }

  /// Whether a value can be a record at all.
  static func isLikely(_ json: LazyJSON) -> Bool {
    ["coords", "provider", "timestamp", "latitude", "lat", "is_moving"]
      .contains { json[$0] != nil }
  }

  /// - Parameter source: What sends it, for its reports.
  func records(source: String) throws(QuarantineReason) -> [PhoneRecord] {
    // A test position: the library's makers ask not to store it.
    if fields.flag("sample") { return [] }
    guard let provider = fields.fields("provider") else {
      guard let recordedAt = try time() else { throw QuarantineReason(.missing, "timestamp") }
      return try ping(at: recordedAt, with: fix()).records(sentFrom: written(recordedAt))
        + event(at: recordedAt)
    }
    // The permission is what matters in such a record: an odd position or time does not cost it.
    var (recordedAt, fix, reason): (Instant?, Fix?, QuarantineReason?)
    do throws(QuarantineReason) {
      recordedAt = try time()
      fix = try self.fix()
      if fix != nil, recordedAt == nil { reason = QuarantineReason(.missing, "timestamp") }
    } catch { reason = error }
    var records = [
      PhoneRecord.report(report(provider, at: recordedAt.map(written), source: source))
    ]
    if let recordedAt {
      records = ping(at: recordedAt, with: fix).records(sentFrom: written(recordedAt)) + records
    }
    guard var reason else { return records }
    reason.understood = records
    throw reason
  }

  /// When the position was made.
  private func time() throws(QuarantineReason) -> Instant? {
    try fields.instant("timestamp", "recorded_at", "time")
  }

  /// In milliseconds, a year: a phone may not have moved for weeks.
  private static let ageMax = 31_622_400_000.0

  /// When the record was made: the position may be an old one.
  private func written(_ recordedAt: Instant) -> Instant {
    guard let age = fields.number("age"), (0.0...Self.ageMax).contains(age) else {
      return recordedAt
    }
    return recordedAt + .milliseconds(Int64(age))
  }

  private func ping(at recordedAt: Instant, with fix: Fix?) -> PhonePing {
    PhonePing(
      recordedAt: recordedAt,
      writtenAt: fields.has("timestamp") ? (try? fields.instant("recorded_at")) : nil, fix: fix,
      isMock: fields.flag("mock"), isResting: fields["is_moving"] == .bool(false),
      speed: (fields.fields("coords") ?? fields).number("speed"),
      batteryPercent: battery)
  }

  private var battery: Int? {
    for place in [fields, beside] {
      let level = place.fields("battery")?.number("level") ?? place.number("battery")
      if let percent = batteryPercent(ofLevel: level) { return percent }
    }
    return nil
  }

  /// The position; `nil` for a record without one. −1 means unknown for every quality.
  private func fix() throws(QuarantineReason) -> Fix? {
    let coords = fields.fields("coords")
    if coords == nil, fields.isGiven("coords") { throw QuarantineReason(.unreadable, "coords") }
    let place = coords ?? fields
    let names = ["latitude", "lat", "longitude", "lng", "lon"]
    if !fields.has("coords"), !names.contains(where: place.has) { return nil }
    return Fix(
      measuredAt: try Coordinate(
        place.number("latitude") ?? place.number("lat"), named: "latitude",
        place.number("longitude") ?? place.number("lng") ?? place.number("lon"),
        named: "longitude", of: place),
      accuracyMeters: place.number("accuracy"), speedMetersPerSecond: place.number("speed"),
      headingDegrees: place.number("heading"),
      altitudeMeters: place.number("altitude"))
  }

  private func event(at recordedAt: Instant) -> [PhoneRecord] {
    let kind: PhoneEvent.Kind? =
      switch fields.fields("geofence")?.text("action") {
      case "ENTER": .regionEntered
      case "EXIT": .regionLeft
      default: nil
      }
    return kind.map { [.event(PhoneEvent($0, at: recordedAt))] } ?? []
  }

  private func report(
    _ provider: LooseFields, at recordedAt: Instant?, source: String
  ) -> PhoneReport {
    PhoneReport(
      .raw(
        .transistorsoft(
          TransistorsoftValues(
            status: provider.raw("status", status),
            enabled: provider.raw("enabled") { $0.boolean },
            accuracyAuthorization: provider.raw("accuracyAuthorization") { $0.wholeNumber }))),
      recordedAt: recordedAt, messageID: fields.messageID("uuid"), trigger: "providerchange",
      source: source, raw: provider.stored(["status", "enabled", "accuracyAuthorization"]))
  }

  /// Clones of the library send the number as a string.
  private func status(_ value: JSONValue) -> TransistorsoftStatus? {
    if value == "DENIED_ALWAYS" { return .deniedAlways }
    return value.looseNumber.flatMap { Int64(exactly: $0) }
      .flatMap { TransistorsoftStatus(number: $0) }
  }
}
