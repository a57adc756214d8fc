import JSONText
import ShiftDomain

/// Apps with Transistorsoft's background-geolocation: one record or a batch, under `location`,
/// another name or none.
///
/// Pitfalls: the newest may come first. A record without `provider` says nothing about the
/// permission. The position of a record may be old; `age` says how old.
package enum Transistorsoft: PhoneProtocol {
  package static let app = PhoneApp.transistorsoft
  package static let permissionReports = PermissionReporting.onChange

  package static func token(in request: PhoneRequest) -> String? { request.authorization }

  package static func read(_ request: PhoneRequest) -> PhoneReading {
    guard !request.body.isEmpty else { return .ignored }
    return read(request.body, source: app.code)
  }

  /// - Parameter source: What sends it, for its reports.
  static func read(_ body: [UInt8], source: String) -> PhoneReading {
    guard let value = try? JSONValue(parsing: body) else {
      return PhoneReading(rescuing: body) { (item) throws(QuarantineReason) in
        try records(of: item, beside: LooseFields.none, source: source)
      }
    }
    let beside: LooseFields
    let items: [JSONValue]
    switch value {
    case .array(let elements): (items, beside) = (elements, LooseFields.none)
    case .object(let object):
      beside = LooseFields(object)
      guard let found = Self.items(of: object) else {
        return PhoneReading(quarantining: body, QuarantineReason(.missing, "location"))
      }
      items = found
    default: return PhoneReading(quarantining: body, QuarantineReason(.notAnObject))
    }
    guard items.count <= PhoneReading.itemsMax else {
      return PhoneReading(quarantining: body, QuarantineReason(.tooMany, "location"))
    }
    guard !items.isEmpty else { return .ignored }
    return PhoneReading(items) { (item) throws(QuarantineReason) in
      try records(of: item, beside: beside, source: source)
    }
  }

  /// The records of a body: an app chooses their name, or puts the record in the body itself.
  private static func items(of body: JSONObject) -> [JSONValue]? {
    if let location = LooseFields(body)["location"] { return items(of: location) ?? [location] }
    if TransistorsoftRecord.isLikely(.object(body)) { return [.object(body)] }
    return body.members.lazy.compactMap { items(of: $0.value) }.first
  }

  private static func items(of value: JSONValue) -> [JSONValue]? {
    switch value {
    case .array(let elements):
      elements.isEmpty || elements.contains(where: TransistorsoftRecord.isLikely) ? elements : nil
    default: TransistorsoftRecord.isLikely(value) ? [value] : nil
    }
  }

  private static func records(
    of item: LooseFields, beside: LooseFields, source: String
  ) throws(QuarantineReason) -> [PhoneRecord] {
    // An item of a list of bodies.
    if let record = item.fields("location") {
      return try TransistorsoftRecord(record, beside: item).records(source: source)
    }
    return try TransistorsoftRecord(item, beside: beside).records(source: source)
  }

  package static func answer(to reading: PhoneReading, _ commands: [PhoneCommand]) -> PhoneAnswer {
    let calls: [JSONValue] = commands.compactMap { command in
      switch command {
      case .startTracking: ["start"]
      case .stopTracking: ["stop"]
      case .reportPermission, .sendFix, .sendEvery: nil
      }
    }
    return .json(calls.isEmpty ? [:] : ["background_geolocation": .array(calls)])
  }

  /// Only the app's makers can set these. Once the SDK has stopped, it sends nothing and cannot
  /// be told to start.
  package static func setup(for account: PhoneAccount) -> PhoneSetup {
    PhoneSetup(
      fields: [
        .init("url", account.address(of: app)),
        .init("headers.Authorization", "Bearer \(account.token)"),
      ],
      after: "The app itself calls `start` when it is opened: off shift it is told to stop, and "
        + "then sends nothing.")
  }
}
