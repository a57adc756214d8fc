import APIMessages
import GuardRules
import JSONText
import ShiftDomain
import ShiftOperations

/// Whose raw values a report had, and how far they could be relied on.
typealias RawOutcome = (source: RawSource, quality: RawQuality)

extension DeviceDesk {
  /// Reads reports of the phone that calls. A library's values may mean one thing on iOS and
  /// another on Android: then it counts as what the phone was enrolled. In our own words nothing is
  /// raw.
  func read(
    _ bodies: [ReportBody], of call: DeviceCall
  ) async throws -> [(report: IncomingReport, raw: RawOutcome?)] {
    let platform =
      bodies.contains(where: \.dependsOnPlatform)
      ? try await operations.snapshot(for: call.credential).platform : .unknown
    return bodies.map { body in
      switch body.permission {
      case .state(let state): return (body.report(state), nil)
      case .raw(let values, let told):
        let reading = values.reading(on: platform, told: told)
        return (body.report(reading.state), (values.source, reading.quality))
      }
    }
  }

  /// Reads the tap of the phone that calls, with its report.
  func read(
    _ body: TapBody, of call: DeviceCall
  ) async throws -> (tap: Tap, raw: RawOutcome?, fixFault: BodyFault?) {
    let read = try await read(body.report.map { [$0] } ?? [], of: call).first
    var tap = body.tap
    tap.report = read?.report
    tap.language = call.language
    return (tap, read?.raw, body.fixFault)
  }

  /// Tells the observer of raw values that were taken.
  func note(_ raw: RawOutcome?) {
    if let raw { observer.rawValues(raw.source, raw.quality) }
  }
}

extension ReportBody {
  /// Whether what it says depends on what the phone was enrolled.
  fileprivate var dependsOnPlatform: Bool {
    guard case .raw(let values, _) = permission else { return false }
    return values.source.dependsOnPlatform
  }
}
