import JSONText
import ShiftDomain

/// Overland on iOS: batches of GeoJSON features, each a position or an event.
///
/// Pitfalls: coordinates begin with the longitude. An event's geometry is the last position that
/// was known, at the time of the event. Anything but `{"result":"ok"}` as JSON makes the app send
/// the batch again, for ever. It has no field for the permission.
package enum Overland: PhoneProtocol {
  package static let app = PhoneApp.overland
  package static let permissionReports = PermissionReporting.never

  static let success: JSONValue = ["result": "ok"]

  package static func token(in request: PhoneRequest) -> String? { request.authorization }

  package static func read(_ request: PhoneRequest) -> PhoneReading {
    guard !request.body.isEmpty else { return .ignored }
    guard let json = LazyJSON(repairing: request.body) else {
      return PhoneReading(rescuing: request.body, each: records)
    }
    guard let body = try? LooseFields(json) else {
      return PhoneReading(quarantining: request.body, QuarantineReason(.notAnObject))
    }
    guard let locations = body.elements("locations") else {
      let fault: QuarantineReason.Fault = body["locations"] == nil ? .missing : .unreadable
      return PhoneReading(quarantining: request.body, QuarantineReason(fault, "locations"))
    }
    guard locations.count <= PhoneReading.itemsMax else {
      return PhoneReading(quarantining: request.body, QuarantineReason(.tooMany, "locations"))
    }
    guard !locations.isEmpty || body.has("current") else { return .ignored }
    var reading = PhoneReading(locations, each: records)
    // Where the phone is now, while a long queue still goes out.
    if let now = body.fields("current").flatMap({ try? ping($0, at: time(of: $0)) }) {
      reading.note(inAdvance: now)
    } else if locations.isEmpty {
      return PhoneReading(quarantining: request.body, QuarantineReason(.unreadable, "current"))
    }
    return reading
  }

  /// A feature is quarantined without the list around it.
  package static func read(quarantined content: [UInt8], receivedAt: Instant) -> PhoneReading {
    if let feature = LazyJSON(repairing: content), let fields = try? LooseFields(feature),
      !fields.has("locations"), fields.has("properties") || fields.has("geometry")
    {
      return PhoneReading([feature], each: records)
    }
    return read(PhoneRequest(body: content, receivedAt: receivedAt))
  }

  private static func records(
    of feature: LooseFields
  ) throws(QuarantineReason) -> [PhoneRecord] {
    guard let properties = feature.fields("properties") else {
      throw QuarantineReason(feature["properties"] == nil ? .missing : .unreadable, "properties")
    }
    // A summary of positions that were sent before.
    if properties.text("type") == "trip" { return [] }
    let recordedAt = try time(of: feature)
    guard properties.isGiven("action"), properties["action"] != "" else {
      return [.ping(try ping(feature, at: recordedAt))]
    }
    return event(properties, at: recordedAt)
  }

  private static func time(of feature: LooseFields) throws(QuarantineReason) -> Instant {
    guard let time = try feature.fields("properties")?.instant("timestamp") else {
      throw QuarantineReason(.missing, "timestamp")
    }
    return time
  }

  private static func ping(
    _ feature: LooseFields, at recordedAt: Instant
  ) throws(QuarantineReason) -> PhonePing {
    guard let position = feature.fields("geometry")?.elements("coordinates") else {
      throw QuarantineReason(feature["geometry"] == nil ? .missing : .unreadable, "geometry")
    }
    let longitude = position.first?.value.looseNumber
    let latitude = position.dropFirst().first?.value.looseNumber
    let properties = feature.fields("properties") ?? LooseFields.none
    let isAltitudeValid = properties.number("vertical_accuracy").map { $0 >= 0 } ?? true
    return PhonePing(
      recordedAt: recordedAt,
      fix: Fix(
        measuredAt: try Coordinate(
          latitude, named: "latitude", longitude, named: "longitude", of: .none),
        accuracyMeters: properties.number("horizontal_accuracy"),
        speedMetersPerSecond: properties.number("speed"),
        headingDegrees: properties.number("course"),
        altitudeMeters: isAltitudeValid ? properties.number("altitude") : nil),
      isStationary: properties.isOnly("stationary", in: "motion"),
      speed: properties.number("speed"),
      batteryPercent: batteryPercent(ofLevel: properties.number("battery_level")))
  }

  /// An event proves that the app runs, but no position.
  private static func event(_ properties: LooseFields, at recordedAt: Instant) -> [PhoneRecord] {
    let kind: PhoneEvent.Kind? =
      switch properties.text("action") {
      case "will_terminate": .appTerminates
      case "paused_location_updates": .paused
      case "resumed_location_updates", "exited_pause_region": .resumed
      case "visit": .visited
      // `deferred`, `significant_change` and whatever is new.
      default: nil
      }
    let sign = PhonePing(
      recordedAt: recordedAt, isResting: kind == .paused, speed: properties.number("speed"),
      batteryPercent: batteryPercent(ofLevel: properties.number("battery_level")))
    return [.ping(sign)] + (kind.map { [.event(PhoneEvent($0, at: recordedAt))] } ?? [])
  }

  /// Settings are part of the answer. Switching the app off is never one of them: it would not ask
  /// again.
  package static func answer(to reading: PhoneReading, _ commands: [PhoneCommand]) -> PhoneAnswer {
    var settings: [JSONObject.Member] = []
    for command in commands {
      switch command {
      case .startTracking:
        settings.append(.init(name: "main", value: ["tracking_mode": "both"]))
      case .sendEvery(let interval):
        settings.append(.init(name: "send_interval", value: .string(step(upTo: interval))))
      case .reportPermission, .sendFix, .stopTracking: break
      }
    }
    guard !settings.isEmpty else { return .json(success) }
    return .json(["result": "ok", "set": .object(JSONObject(settings))])
  }

  /// The intervals that its slider has. It passes over any other.
  private static let steps: [(seconds: Int64, name: String)] = [
    (1, "1s"), (5, "5s"), (10, "10s"), (15, "15s"), (30, "30s"), (60, "1m"), (120, "2m"),
    (300, "5m"), (600, "10m"), (1_800, "30m"),
  ]

  /// The longest that is not longer than `interval`.
  private static func step(upTo interval: TimeSpan) -> String {
    (steps.last { $0.seconds <= interval.seconds } ?? steps[0]).name
  }

  /// The app forgets a link by which it was started, and adds `Bearer` to its token by itself.
  package static func setup(for account: PhoneAccount) -> PhoneSetup {
    let device = "\(account.device.employee.rawValue)-\(account.device.number)"
    let (address, interval) = (account.address(of: app), step(upTo: account.interval))
    return PhoneSetup(
      link: "overland://setup?url=\(address.percentEncoded)"
        + "&token=\(account.token.percentEncoded)&device_id=\(device.percentEncoded)",
      before: "Open Overland first: it takes the link only while it runs.",
      fields: [
        .init("Receiver Endpoint URL", address), .init("Device ID", device),
        .init("Access Token", account.token),
      ],
      after: "In its Settings, press “Request Permission” until it says “Always”, and switch on "
        + "“Tracking Enabled”. On “Tracker”, set “Send Interval” to \(interval).")
  }
}
