/// A device's request bodies, as `openapi.yaml` has them.

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

/// `POST /v1/permission-reports`, and `report` in a tap.
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

/// A tap: `POST /v1/clock-in` and the like.
struct TapBody: Encodable {
  var attemptId: String
  var sentAt: String?
  var occurredAt: String?
  var report: ReportBody?
}

/// `POST /v1/pings`.
struct PingsBody: Encodable {
  var sentAt: String?
  var pings: [PingBody]
}

/// One of them.
struct PingBody: Encodable {
  var recordedAt: String
  var latitude: Double?
  var longitude: Double?
  var accuracy: Double?
  var altitude: Double?
  var stationary: Bool?
}

/// A body that every sending stamps anew.
protocol Stamped: Encodable, Sendable {
  /// The phone's clock at sending.
  var sentAt: String? { get set }
}

extension ReportBody: Stamped {}
extension TapBody: Stamped {}
extension PingsBody: Stamped {}
