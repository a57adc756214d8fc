import APIJSON
import DeviceOperations
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

extension DeviceController {
  /// What apps report about themselves.
  var selfReportRoutes: [AccessRoute] {
    [
      route(.post, "/v1/me/app-events", .device, noteAppEvents),
      route(.post, "/v1/me/rule-differences", .device, noteRuleDifference),
    ]
  }

  private func noteAppEvents(_ request: DeviceRequest) async throws -> HTTPResponse {
    let upload = try AppEventUpload(request.body())
    let results = try await operations.note(
      upload.events, sentAt: upload.sentAt, from: request.credential, receipt: request.receipt)
    return .object(["results": JSONValue(upload.results(results)) { $0 }])
  }

  /// Nothing is stored: a metric counts it, and the log says what differed.
  private func noteRuleDifference(_ request: DeviceRequest) async throws -> HTTPResponse {
    let difference = try RuleDifference(JSONFields(request.body()), of: request.credential.device)
    try await operations.authorize(request.credential)
    observer.decidedDifferently(difference)
    return HTTPResponse(status: 204)
  }
}

extension RuleDifference {
  static let argumentsMax = 16
  /// What a script can count with exactly.
  private static let argumentRange: ClosedRange<Int64> = -(1 << 53) + 1...(1 << 53) - 1

  fileprivate init(_ fields: JSONFields, of device: DeviceID) throws(BodyFault) {
    let local = try LocalDecision(fields.required("local", fields.object("local")))
    let server = try Decision(fields.required("server", fields.object("server")))
    guard local.decision != server else {
      throw BodyFault(at: fields.place("server"), "must differ from `local`")
    }
    let listed = try fields.elements("arguments") ?? []
    guard listed.count <= Self.argumentsMax else {
      throw BodyFault(
        at: fields.place("arguments"), "must have at most \(Self.argumentsMax) items")
    }
    var arguments: [Int64] = []
    for (index, value) in listed.enumerated() {
      guard let number = value.wholeNumber, Self.argumentRange.contains(number) else {
        throw BodyFault(
          at: fields.place("arguments", index),
          "must be a whole number from -9007199254740991 to 9007199254740991")
      }
      arguments.append(number)
    }
    self.init(
      of: device, actionID: try fields.text("actionId", min: 1, max: 64),
      rulesVersion: try fields.text("rulesVersion", min: 1, max: 50),
      policyVersion: local.policyVersion, local: local.decision, server: server,
      arguments: arguments)
  }
}
