import DeviceOperations
import GuardRules
import HTTPAPI
import JSONText
import ShiftDomain

typealias RawOutcome = (source: RawSource, quality: RawQuality)

extension DeviceController {
  /// Reads reports of the phone that sent the request. A library's values may differ in meaning
  /// between iOS and Android: then the platform of the phone's enrolment decides. A report in our
  /// own codes has no raw values.
  func read(
    _ bodies: [ReportBody], of request: DeviceRequest
  ) async throws -> [(report: IncomingReport, raw: RawOutcome?)] {
    let platform =
      bodies.contains(where: \.dependsOnPlatform)
      ? try await operations.snapshot(for: request.credential).platform : .unknown
    return bodies.map { body in
      switch body.permission {
      case .state(let state): return (body.report(state), nil)
      case .raw(let values, let given):
        let reading = values.reading(on: platform, given: given)
        return (body.report(reading.state), (values.source, reading.quality))
      }
    }
  }

  func read(
    _ body: ClockActionBody, of request: DeviceRequest
  ) async throws -> (action: ClockAction, raw: RawOutcome?, fixFault: BodyFault?) {
    let read = try await read(body.report.map { [$0] } ?? [], of: request).first
    var action = body.action
    action.report = read?.report
    action.language = request.language
    return (action, read?.raw, body.fixFault)
  }

  /// Counts raw values that were stored.
  func note(_ raw: RawOutcome?) {
    if let raw { meter.rawValues.add(raw.source, raw.quality) }
  }
}

extension ReportBody {
  /// Whether the meaning of its values depends on the platform of the phone's enrolment.
  fileprivate var dependsOnPlatform: Bool {
    guard case .raw(let values, _) = permission else { return false }
    return values.source.dependsOnPlatform
  }
}
