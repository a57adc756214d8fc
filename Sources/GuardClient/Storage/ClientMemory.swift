import JSONText
import ShiftDomain
import SystemCalls

/// What the app must still know after its end, besides the queue: no token and no position.
struct ClientMemory: Hashable, Sendable {
  /// The id of this installation of the app: the server orders reports within it.
  let installation: String
  /// The sequence number of the next report.
  var nextSequence: Int64 = 0
  var askedForBackground = false
  /// The rules of the team, as the server sent them last.
  var rules: ClockInRules?
  /// How to track, as the server said last.
  var order: TrackingOrder?
  /// Whether the newest clock action begins tracking; `nil` before the first one.
  var tracksLocally: Bool?
  /// What the last reading of the permission said: the system may end an app whose permission is
  /// changed in the settings.
  var sufficiency: Sufficiency?

  /// The last reports, in order, that say what all later ones leave unknown: the server judges a
  /// clock-in by them too.
  var lastReports: [PermissionReport] = []

  /// A new installation.
  init(installation: String, nextSequence: Int64) {
    self.installation = installation
    self.nextSequence = nextSequence
  }

  /// Reads the file; `nil` if it is missing or damaged.
  init?(reading path: String) throws(FileError) {
    let file = try File(path)
    let bytes = try file.read(at: 0, count: Swift.min(file.size(), 16_384))
    guard let fields = JSONFields(ofBody: bytes),
      let installation = try? fields.text("installation", min: 1, max: 64),
      let sequence = try? fields.integer("nextSequence", in: 0...Int64.max - 1)
    else { return nil }
    self.init(installation: installation, nextSequence: sequence)
    askedForBackground = (try? fields.flag("askedForBackground")) == true
    rules = (try? fields.object("rules")).flatMap { try? ClockInRules($0) }
    tracksLocally = try? fields.flag("tracksLocally")
    sufficiency = (try? fields.object("sufficiency")).flatMap { try? Sufficiency($0) }
    order = (try? fields.object("tracking")).flatMap { try? TrackingOrder($0) }
    let reports = (try? fields.objects("lastReports")) ?? []
    lastReports = reports.compactMap { try? PermissionReport(remembered: $0) }
  }

  /// Replaces the file in one step.
  func write(to path: String) throws(FileError) {
    let object: JSONObject = [
      "installation": .string(installation), "nextSequence": JSONValue(nextSequence),
      "askedForBackground": .bool(askedForBackground), "rules": rules?.json,
      "tracking": order?.json, "tracksLocally": tracksLocally.map { .bool($0) },
      "sufficiency": sufficiency?.json, "lastReports": JSONValue(lastReports) { $0.remembered },
    ]
    try File.replace(path, with: JSONValue.object(object).bytes)
  }
}

extension File {
  /// Replaces a file in one step, which also survives a loss of power.
  static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let file = try File(path + ".new", emptied: true)
    try file.write(bytes, at: 0)
    try file.sync()
    try File.rename(path + ".new", to: path)
    try File.syncFolder(of: path)
  }
}

extension Sufficiency {
  fileprivate init(_ fields: JSONFields) throws(BodyFault) {
    verdict = try fields.required("verdict", fields.knownWord("verdict"))
    canLocate = try fields.required("canLocate", fields.flag("canLocate"))
    wasAsked = try fields.required("wasAsked", fields.flag("wasAsked"))
  }

  fileprivate var json: JSONValue {
    [
      "verdict": JSONValue(word: verdict), "canLocate": .bool(canLocate),
      "wasAsked": .bool(wasAsked),
    ]
  }
}

extension PermissionReport {
  fileprivate init(remembered fields: JSONFields) throws(BodyFault) {
    let sequence = try fields.required(
      "sequence", fields.integer("sequence", in: 0...Int64.max - 1))
    self.init(
      id: ReportID(sequence),
      state: PermissionState(
        authorization: try fields.word("authorization", unknown: .unknown) ?? .unknown,
        accuracy: try fields.word("accuracy", unknown: .unknown) ?? .unknown,
        services: try fields.word("services", unknown: .unknown) ?? .unknown,
        conditions: DeviceConditions(
          mockLocation: try fields.word("mockLocation", unknown: .unknown) ?? .unknown)),
      effectiveAt: try fields.required("recordedAt", fields.instant("recordedAt")),
      sequence: sequence)
  }

  fileprivate var remembered: JSONObject {
    [
      "sequence": sequence.map { JSONValue($0) }, "recordedAt": JSONValue(effectiveAt),
      "authorization": JSONValue(word: state.authorization),
      "accuracy": JSONValue(word: state.accuracy), "services": JSONValue(word: state.services),
      "mockLocation": JSONValue(word: state.conditions.mockLocation),
    ]
  }
}

/// 128 random bits in hexadecimal, for ids that nobody else may have.
func randomID() -> String {
  var generator = SystemRandomNumberGenerator()
  return (0..<2).map { _ in
    let text = String(generator.next(), radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }.joined()
}
