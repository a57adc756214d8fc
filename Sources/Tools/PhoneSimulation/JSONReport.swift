import Foundation

/// The report as one JSON object with `ok` and `steps`. Latencies are in milliseconds.
package func jsonReport(_ outcomes: [Outcome]) -> String {
  let report = Report(ok: outcomes.allSatisfy(\.isGood), steps: outcomes.map(ReportedStep.init))
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let bytes = try? encoder.encode(report) else { return "{\"ok\":false}\n" }
  return String(decoding: bytes, as: UTF8.self) + "\n"
}

private struct Report: Encodable {
  var ok: Bool
  var steps: [ReportedStep]
}

/// An outcome with the names and units of the JSON report.
private struct ReportedStep: Encodable {
  var phone: String
  var line: Int
  var step: String
  var status: Int?
  var failure: String?
  var words: [String: [String]]
  var shift: String?
  var pings: [String: Int]
  var refusals: [String: Int]
  var requests: Int
  var roundTrip: Double?
  var detections: [Detection]
  var fix: Double?
  var misses: [String]

  struct Detection: Encodable {
    var server: Double
    var roundTrip: Double
  }

  init(_ outcome: Outcome) {
    phone = outcome.phone
    line = outcome.line
    step = outcome.text
    status = outcome.status
    failure = outcome.failure
    words = Dictionary(uniqueKeysWithValues: outcome.words.map { ($0.key.rawValue, $0.value) })
      .filter { !$0.value.isEmpty }
    shift = outcome.shift
    pings = Dictionary(uniqueKeysWithValues: outcome.pings.map { ($0.key.rawValue, $0.value) })
    refusals = outcome.refusals
    requests = outcome.requests
    roundTrip = outcome.roundTrip?.inMilliseconds
    detections = outcome.detections.map {
      Detection(server: $0.server.inMilliseconds, roundTrip: $0.roundTrip.inMilliseconds)
    }
    fix = outcome.fix?.inMilliseconds
    misses = outcome.misses
  }
}
