import APIMessages
import HTTPServing
import JSONText
import ShiftOperations

extension DeviceDesk {
  /// `GET /v1/me/notice`
  func notice(_ call: DeviceCall) async throws -> HTTPResponse {
    guard let own = try await operations.ownNotice(for: call.credential) else {
      return HTTPResponse(status: 204)
    }
    return .object(own.message)
  }

  /// `POST /v1/me/notice`
  func acknowledgeNotice(_ call: DeviceCall) async throws -> HTTPResponse {
    let fields = try JSONFields(call.body())
    let version = try fields.required(
      "version", fields.integer("version", in: 1...Int64(Int32.max)))
    try await operations.acknowledgeNotice(Int32(version), for: call.credential)
    return HTTPResponse(status: 204)
  }
}
