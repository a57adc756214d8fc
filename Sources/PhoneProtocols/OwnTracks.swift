import JSONText
import ShiftDomain

/// OwnTracks in HTTP mode, iOS and Android: one message a request.
///
/// Pitfalls: a body may be empty. A 4xx deletes the message on iOS. The permission is sent only
/// when it is asked for, and an answer to that must not ask again. Builds from Android 2.6 on leave
/// out every field that is zero. Overland has a mode in which it speaks this protocol, with seconds
/// since 2001.
package enum OwnTracks: PhoneProtocol {
  package static let app = PhoneApp.ownTracks
  package static let permissionReports = PermissionReporting.onRequest

  package static func token(in request: PhoneRequest) -> String? { request.authorization }

  package static func read(_ request: PhoneRequest) -> PhoneReading {
    guard let json = LazyJSON(repairing: request.body) else {
      var reading =
        request.body.isEmpty
        ? .ignored : PhoneReading(quarantining: request.body, QuarantineReason(.syntax))
      reading.mayCommand = false
      return reading
    }
    var reading = PhoneReading(request.body) { () throws(QuarantineReason) in
      try records(of: LooseFields(json), receivedAt: request.receivedAt)
    }
    let fields = (try? LooseFields(json)) ?? .none
    // A position that was asked for must not be answered by asking again. An arrival may have to
    // wait for the permission.
    reading.mayCommand =
      fields.text("_type") == "location" && fields.text("t") != "r"
      || reading.events.contains { !$0.shiftRegions.isEmpty && $0.kind == .regionEntered }
    reading.isFromOverland = OwnTracksTime(fields, receivedAt: request.receivedAt).isSince2001
    return reading
  }

  private static func records(
    of fields: LooseFields, receivedAt: Instant
  ) throws(QuarantineReason) -> [PhoneRecord] {
    switch fields.text("_type") {
    case "location": return try location(fields, receivedAt: receivedAt)
    case "transition": return try transition(fields, receivedAt: receivedAt)
    case "status": return [.report(try status(fields))]
    case "encrypted": throw QuarantineReason(.encrypted)
    // Places, persons and settings say nothing about the phone, and a last will has the time at
    // which it was made. A configuration has a password in it.
    case "waypoint", "waypoints", "card", "lwt", "cmd", "dump", "configuration", "steps", "beacon",
      "beacons", "request":
      return []
    case nil: throw QuarantineReason(.missing, "_type")
    case .some: throw QuarantineReason(.unknownKind, "_type")
    }
  }

  package static func answer(to reading: PhoneReading, _ commands: [PhoneCommand]) -> PhoneAnswer {
    if reading.isFromOverland { return .json(Overland.success) }
    // The position that follows a permission is answered with nothing.
    let mayAskForFix = reading.mayCommand || !reading.reports.isEmpty
    return .json(
      .array(
        commands.compactMap { command in
          switch command {
          case .reportPermission:
            reading.mayCommand ? ["_type": "cmd", "action": "status"] : nil
          case .sendFix: mayAskForFix ? ["_type": "cmd", "action": "reportLocation"] : nil
          // Only `setConfiguration` could, which employees must allow first.
          case .startTracking, .stopTracking, .sendEvery: nil
          }
        }))
  }
}

extension OwnTracks {
  /// The user and device that a message names. The token alone says whose it is; these help support
  /// to see that a phone is set up for somebody else.
  package struct Claim: Hashable, Sendable {
    package var user: String
    package var device: String
  }

  /// The different claims of headers, query and topic, in this order.
  package static func claims(in request: PhoneRequest) -> [Claim] {
    var claims: [Claim] = []
    func note(_ user: String?, _ device: String?) {
      guard let user, let device else { return }
      let claim = Claim(user: user, device: device)
      if !claims.contains(claim) { claims.append(claim) }
    }
    note(request.header("x-limit-u"), request.header("x-limit-d"))
    note(request.queryValue("u"), request.queryValue("d"))
    if let json = LazyJSON(repairing: request.body), let body = try? LooseFields(json),
      let topic = body.text("topic")?.split(separator: "/"), topic.count >= 3,
      topic[0] == "owntracks"
    {
      note(String(topic[1]), String(topic[2]))
    }
    return claims
  }
}

extension OwnTracks {
  /// The hash of the name of a region that is named for shifts: `Shift`, `Shift Depot`,
  /// `shift: Depot`; `nil` for all others, such as `Shifts`.
  static func shiftRegion(named name: String) -> Int64? {
    let name = name.drop { $0.isWhitespace }.lowercased()
    guard name.hasPrefix("shift"),
      name.dropFirst(5).first.map({ !$0.isLetter && !$0.isNumber }) ?? true
    else { return nil }
    // FNV-1a, which is the same in every instance.
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}
