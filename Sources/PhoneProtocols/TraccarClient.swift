import JSONText
import ShiftDomain

/// Traccar Client: one record a request, in the query (up to version 8), as JSON (9, built on
/// Transistorsoft's library) or as a form (10).
///
/// Pitfalls: it has no password, so its device identifier is the token. Query and form have the
/// speed in knots, JSON in meters per second. A form without a position is a sign of life. It has
/// no field for the permission.
package enum TraccarClient: PhoneProtocol {
  package static let app = PhoneApp.traccar
  package static let permissionReports = PermissionReporting.never

  package static func token(in request: PhoneRequest) -> String? {
    if let token = request.authorization ?? request.query.value("token", "id", "deviceid") {
      return token
    }
    guard isJSON(request.body) else {
      return formPairs(request.body).value("id", "deviceid")
    }
    guard let json = LazyJSON(repairing: request.body),
      let fields = (json.isArray ? json.children.first : json).flatMap({ try? LooseFields($0) })
    else { return nil }
    return ["device_id", "id", "deviceid", "imei"].lazy.compactMap { fields.text($0) }.first
  }

  package static func read(_ request: PhoneRequest) -> PhoneReading {
    let isInQuery = request.query.contains { recordNames.contains($0.name) }
    if isInQuery || request.body.isEmpty {
      guard !request.query.isEmpty else { return .ignored }
      return read(request.query, from: request.query.encoded, receivedAt: request.receivedAt)
    }
    if isJSON(request.body) { return readJSON(request) }
    return read(formPairs(request.body), from: request.body, receivedAt: request.receivedAt)
  }

  private static let idNames: Set = ["id", "deviceid"]
  /// What only a record has in its query: an address may have an identifier in it.
  private static let recordNames: Set = ["timestamp", "lat", "lon", "location", "batt"]

  private static func isJSON(_ body: [UInt8]) -> Bool {
    let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func read(
    _ pairs: [NamedValue], from content: [UInt8], receivedAt: Instant
  ) -> PhoneReading {
    guard pairs.contains(where: { idNames.contains($0.name) || recordNames.contains($0.name) })
    else { return PhoneReading(quarantining: content, QuarantineReason(.missing, "id")) }
    return PhoneReading(content) { () throws(QuarantineReason) in
      [.ping(try ping(LooseFields(pairs), receivedAt: receivedAt))]
    }
  }

  /// Of a record in the query or the form, or of the same fields as JSON.
  private static func ping(
    _ fields: LooseFields, receivedAt: Instant
  ) throws(QuarantineReason) -> PhonePing {
    PhonePing(
      recordedAt: try fields.instant("timestamp") ?? receivedAt, fix: try fix(fields),
      isMock: fields.flag("mock"), batteryPercent: batteryPercent(fields.number("batt")))
  }

  /// The position; `nil` if it has none, or one that is not valid.
  private static func fix(_ fields: LooseFields) throws(QuarantineReason) -> Fix? {
    if fields.has("valid"), !fields.flag("valid") { return nil }
    var latitude = fields.number("lat")
    var longitude = fields.number("lon")
    if let location = fields.text("location")?.split(separator: ",") {
      latitude = location.first.flatMap { decimalNumber(String($0)) }
      longitude = location.dropFirst().first.flatMap { decimalNumber(String($0)) }
    } else if !fields.has("lat"), !fields.has("lon") {
      if fields.isGiven("location") { throw QuarantineReason(.unreadable, "location") }
      return nil
    }
    return Fix(
      measuredAt: try Coordinate(latitude, named: "lat", longitude, named: "lon", of: fields),
      accuracyMeters: fields.number("accuracy"),
      speedMetersPerSecond: fields.number("speed").map { $0 * metersPerSecondInKnot },
      headingDegrees: fields.number("bearing") ?? fields.number("heading"),
      altitudeMeters: fields.number("altitude"))
  }

  private static func readJSON(_ request: PhoneRequest) -> PhoneReading {
    guard let json = LazyJSON(repairing: request.body) else {
      return PhoneReading(rescuing: request.body) { (item) throws(QuarantineReason) in
        try records(of: item, receivedAt: request.receivedAt)
      }
    }
    // As the library behind version 9 sends a batch.
    if json.isObject, json["location"]?.isArray ?? false {
      return Transistorsoft.read(request.body, source: app.code)
    }
    let items = json.isArray ? json.children : [json]
    guard items.count <= PhoneReading.itemsMax else {
      return PhoneReading(quarantining: request.body, QuarantineReason(.tooMany))
    }
    guard !items.isEmpty else { return .ignored }
    return PhoneReading(items) { (item) throws(QuarantineReason) in
      try records(of: item, receivedAt: request.receivedAt)
    }
  }

  private static func records(
    of item: LooseFields, receivedAt: Instant
  ) throws(QuarantineReason) -> [PhoneRecord] {
    if let record = item.fields("location") {
      return try TransistorsoftRecord(record, beside: item).records(source: app.code)
    }
    guard recordNames.contains(where: item.has) else {
      throw QuarantineReason(.missing, "location")
    }
    return [.ping(try ping(item, receivedAt: receivedAt))]
  }

  package static func answer(to reading: PhoneReading, _ commands: [PhoneCommand]) -> PhoneAnswer {
    .empty
  }

  /// Versions from 9.6 on take a link, opened or scanned in their settings. With a distance, the
  /// app sends a phone that rests nothing at all; with none, it goes by the interval, and by the
  /// heartbeat while it rests.
  package static func setup(for account: PhoneAccount) -> PhoneSetup {
    let address = account.address(of: app)
    let interval = account.intervalSeconds
    let heartbeat = max(interval, heartbeatSecondsMin)
    return PhoneSetup(
      link: "org.traccar.client://config?url=\(address.percentEncoded)"
        + "&id=\(account.token.percentEncoded)&accuracy=high&distance=0&interval=\(interval)"
        + "&heartbeat=\(heartbeat)",
      before: "Versions before 9.6 take no link: enter the fields by hand. Newer ones can also "
        + "scan the QR code themselves, with the symbol in their Settings.",
      fields: [
        .init("Device identifier", account.token), .init("Server URL", address),
        .init("Location accuracy", "High"), .init("Distance", "0"),
        .init("Interval", String(interval)), .init("Stationary heartbeat", String(heartbeat)),
      ],
      after: "Switch on “Continuous tracking”.")
  }

  /// The app makes a shorter one as long.
  private static let heartbeatSecondsMin: Int64 = 60
}

extension [NamedValue] {
  /// As the text of a query.
  fileprivate var encoded: [UInt8] {
    let pairs = map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
    return [UInt8](pairs.joined(separator: "&").utf8)
  }
}
