import DeviceOperations
import GuardRules
import ReadModels
import ShiftDomain
import Telemetry

/// Measures what phones send.
struct DeviceMeter: Sendable {
  private let detection: Histogram
  let rawValues: CounterTable<RawSource, RawQuality>
  private let stored, duplicate, refused: Counter

  init(_ metrics: Metrics) {
    detection = metrics.histogram(
      "shiftguard_detection_seconds",
      "Time from the last byte of a report to COMMIT of the incident it opened or worsened.",
      bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])
    rawValues = CounterTable(
      "shiftguard_raw_values_total",
      "Reports in raw values of a platform or library, by reliability of the values.",
      labels: ("source", "quality"), metrics)
    func pings(_ result: String) -> Counter {
      metrics.counter("shiftguard_pings_total", "Pings answered, by result.", ["result": result])
    }
    (stored, duplicate, refused) = (pings("stored"), pings("duplicate"), pings("refused"))
  }

  /// Measures detections by reports, whatever request carried them.
  func measureDetections(of operations: DeviceOperations) {
    let detection = detection
    operations.tellDetections { detection.observe($0) }
  }

  /// Counts raw values that were stored, by how reliable they are on the sender's platform.
  func note(_ report: IncomingReport?, on platform: Platform) {
    guard case .raw(let permission, let stated, _) = report?.permission else { return }
    let values = permission.values(osMajor: nil)
    rawValues.add(values.source, values.reading(on: platform, given: stated).quality)
  }

  /// Counts the pings of an upload.
  /// - Returns: The number of those that were refused, by reason.
  func note(_ results: [PingResult]) -> [String: Int] {
    var counts: (stored: UInt64, duplicate: UInt64, refused: UInt64) = (0, 0, 0)
    var reasons: [String: Int] = [:]
    for result in results {
      switch result {
      case .stored: counts.stored += 1
      case .duplicate: counts.duplicate += 1
      case .refused(let reason): reasons[reason.code, default: 0] += 1
      }
    }
    counts.refused = UInt64(reasons.values.reduce(0, +))
    stored.add(counts.stored)
    if counts.duplicate > 0 { duplicate.add(counts.duplicate) }
    if counts.refused > 0 { refused.add(counts.refused) }
    return reasons
  }
}
