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
    guard let json = LazyJSON(repairing: body) else {
      return PhoneReading(rescuing: body) { (item) throws(QuarantineReason) in
        try records(of: item, beside: LooseFields.none, source: source)
      }
    }
    guard json.isArray || json.isObject else {
      return PhoneReading(quarantining: body, QuarantineReason(.notAnObject))
    }
    guard let items = json.isArray ? json.children : items(ofBody: json) else {
      return PhoneReading(quarantining: body, QuarantineReason(.missing, "location"))
    }
    let beside = (try? LooseFields(json)) ?? .none
    guard items.count <= PhoneReading.itemsMax else {
      return PhoneReading(quarantining: body, QuarantineReason(.tooMany, "location"))
    }
    guard !items.isEmpty else { return .ignored }
    return PhoneReading(items) { (item) throws(QuarantineReason) in
      try records(of: item, beside: beside, source: source)
    }
  }

  /// The records of a body: an app chooses their name, or puts the record in the body itself.
  private static func items(ofBody body: LazyJSON) -> [LazyJSON]? {
    if let location = body["location"], !location.isNull {
      return items(of: location) ?? [location]
    }
    if TransistorsoftRecord.isLikely(body) { return [body] }
    return body.children.lazy.compactMap { items(of: $0) }.first
  }

  private static func items(of json: LazyJSON) -> [LazyJSON]? {
    guard json.isArray else { return TransistorsoftRecord.isLikely(json) ? [json] : nil }
    let elements = json.children
    return elements.isEmpty || elements.contains(where: TransistorsoftRecord.isLikely)
      ? elements : nil
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
