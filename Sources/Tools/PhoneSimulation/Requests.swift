/// The request bodies of a device, as in `openapi.yaml`.

/// `POST /v1/enrolments`.
struct EnrolmentBody: Encodable {
  var code: String
  var phone: NewPhone

  func encode(to encoder: any Encoder) throws {
    try phone.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
  }

  private enum CodingKeys: CodingKey { case code }
}

/// `POST /v1/permission-reports`, and `report` in a clock-in.
struct ReportBody: Encodable {
  var sentAt: String?
  var recordedAt: String
  var sequence: Int
  var trigger: String?
  var permission: Permission

  func encode(to encoder: any Encoder) throws {
    try permission.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(sentAt, forKey: .sentAt)
    try container.encode(recordedAt, forKey: .recordedAt)
    try container.encode(sequence, forKey: .sequence)
    try container.encodeIfPresent(trigger, forKey: .trigger)
  }

  private enum CodingKeys: CodingKey { case sentAt, recordedAt, sequence, trigger }
}

/// A clock action: `POST /v1/clock-in` and others.
struct ClockActionBody: Encodable {
  var actionId: String
  var sentAt: String?
  var occurredAt: String?
  var report: ReportBody?
}

/// `POST /v1/pings`.
struct PingsBody: Encodable {
  var sentAt: String?
  var pings: [PingBody]
}

/// One ping.
struct PingBody: Encodable {
  var recordedAt: String
  var latitude: Double?
  var longitude: Double?
  var accuracy: Double?
  var altitude: Double?
  var stationary: Bool?
}

/// A body that gets a new time stamp at every sending.
protocol Stamped: Encodable, Sendable {
  /// The phone's clock at sending.
  var sentAt: String? { get set }
}

extension ReportBody: Stamped {}
extension ClockActionBody: Stamped {}
extension PingsBody: Stamped {}
