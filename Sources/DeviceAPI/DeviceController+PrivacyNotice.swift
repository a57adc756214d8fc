import APIJSON
import DeviceOperations
import HTTPAPI
import HTTPServing
import JSONText

extension DeviceController {
  func privacyNotice(_ request: DeviceRequest) async throws -> HTTPResponse {
    guard let own = try await operations.ownPrivacyNotice(for: request.credential) else {
      return HTTPResponse(status: 204)
    }
    return .object(own.json)
  }

  func acknowledgePrivacyNotice(_ request: DeviceRequest) async throws -> HTTPResponse {
    let fields = try JSONFields(request.body())
    let version = try fields.required(
      "version", fields.integer("version", in: 1...Int64(Int32.max)))
    try await operations.acknowledgePrivacyNotice(Int32(version), for: request.credential)
    return HTTPResponse(status: 204)
  }
}
