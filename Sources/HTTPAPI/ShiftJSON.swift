import GuardRules
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

// Shift data for employees and managers, in the shape of openapi.yaml's schemas.

extension JSONObject {
  package init(_ note: ShiftNote) {
    self = [
      "number": JSONValue(note.number),
      "from": JSONValue(note.from),
      "to": JSONValue(note.to),
      "text": .string(note.text),
      "createdAt": JSONValue(note.createdAt),
    ]
  }
}

extension JSONObject {
  package init(_ state: TrackingState) {
    self = [
      "state": JSONValue(word: state.value),
      "reason": state.reason.map { JSONValue(word: $0) },
      "asOf": JSONValue(state.asOf),
    ]
  }

  package init(_ coverage: ShiftCoverage) {
    self = [
      "shift": .object(JSONObject(coverage.shift)),
      "startedAt": JSONValue(coverage.startedAt),
      "endedAt": coverage.endedAt.map { JSONValue($0) },
      "asOf": JSONValue(coverage.asOf),
      "provisional": .bool(coverage.isProvisional),
      "trackingRate": coverage.trackingPermille.map { JSONValue(permille: $0) },
      "segments": JSONValue(coverage.segments) { segment in
        [
          "from": JSONValue(segment.interval.start),
          "to": JSONValue(segment.interval.end),
          "reason": JSONValue(word: segment.reason),
          "atRisk": .bool(segment.isAtRisk),
          "likely": segment.likely.map { JSONValue(word: $0) },
          "evidence": segment.isInferred ? "inferred" : nil,
          "milliseconds": JSONValue(segment.interval.length.milliseconds),
        ]
      },
      "totals": .object(JSONObject(durationsOf: coverage.segments)),
      "milliseconds": JSONValue((coverage.asOf - coverage.startedAt).milliseconds),
    ]
  }

  /// Milliseconds by reason, in the order of the list of reasons.
  package init(durationsOf segments: [CoverageSegment]) {
    var totals: [CoverageReason: TimeSpan] = [:]
    for segment in segments {
      totals[segment.reason, default: .zero] =
        totals[segment.reason, default: .zero] + segment.interval.length
    }
    self.init(
      CoverageReason.allCases.compactMap { reason in
        totals[reason].map { .init(name: reason.code, value: JSONValue($0.milliseconds)) }
      })
  }
}

extension JSONValue {
  /// A tracking rate in percent.
  package init(permille: Int) { self = .number(Double(permille) / 10) }
}
