import APIMessages
import GuardRules
import ShiftDomain
import ShiftOperations

/// Whose raw values a report had, and how far they could be relied on.
typealias RawOutcome = (source: RawSource, quality: RawQuality)

extension DeviceDesk {
  /// Reads the report of the phone that calls. A library's values may mean one thing on iOS and
  /// another on Android: then it counts as what the phone was enrolled. In our own words nothing is
  /// raw.
  func read(
    _ body: ReportBody, of call: DeviceCall
  ) async throws -> (report: IncomingReport, raw: RawOutcome?) {
    switch body.permission {
    case .state(let state): return (body.report(state), nil)
    case .raw(let values, let told):
      let platform =
        values.source.dependsOnPlatform
        ? try await operations.snapshot(for: call.credential).platform : .unknown
      let reading = values.reading(on: platform, told: told)
      return (body.report(reading.state), (values.source, reading.quality))
    }
  }

  /// Reads the tap of the phone that calls, with its report.
  func read(_ body: TapBody, of call: DeviceCall) async throws -> (tap: Tap, raw: RawOutcome?) {
    guard let sent = body.report else { return (body.tap, nil) }
    let (report, raw) = try await read(sent, of: call)
    var tap = body.tap
    tap.report = report
    return (tap, raw)
  }

  /// Tells the observer of raw values that were taken.
  func note(_ raw: RawOutcome?) {
    if let raw { observer.rawValues(raw.source, raw.quality) }
  }
}
