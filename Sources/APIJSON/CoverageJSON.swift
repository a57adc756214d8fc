import GuardRules
import JSONText
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
        segment.json.adding(["milliseconds": JSONValue(segment.interval.length.milliseconds)])
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

extension CoverageSegment {
  var json: JSONObject {
    [
      "from": JSONValue(interval.start),
      "to": JSONValue(interval.end),
      "reason": JSONValue(word: reason),
      "atRisk": .bool(isAtRisk),
      "likely": likely.map { JSONValue(word: $0) },
      "evidence": isInferred ? "inferred" : nil,
    ]
  }
}

extension JSONValue {
  /// A tracking rate in percent.
  package init(permille: Int) { self = .number(Double(permille) / 10) }
}

extension DayCoverage {
  package var json: JSONObject {
    let head: JSONObject = [
      "team": JSONValue(team.rawValue),
      "date": .string(date.text),
      "timeZone": .string(timeZone),
      "from": JSONValue(span.start),
      "to": JSONValue(span.end),
      "asOf": JSONValue(asOf),
    ]
    return head.adding(totals.json(of: employees.flatMap(\.shifts)))
      .adding([
        "employees": JSONValue(employees) { employee in
          let head: JSONObject = [
            "employee": JSONValue(employee.employee.rawValue), "name": .string(employee.name),
          ]
          return head.adding(employee.totals.json(of: employee.shifts))
            .adding(["shifts": JSONValue(employee.shifts) { $0.line }])
        }
      ])
  }
}

extension TrackingTotals {
  /// `CoverageTotals` of these shifts.
  fileprivate func json(of shifts: [ShiftCoverage]) -> JSONObject {
    [
      "provisional": .bool(shifts.contains { $0.isProvisional }),
      "trackingRate": permille.map { JSONValue(permille: $0) },
      "totals": .object(JSONObject(durationsOf: shifts.flatMap(\.segments))),
    ]
  }
}

extension ShiftCoverage {
  /// One line per shift, without the segments, which are in the shift's own coverage.
  fileprivate var line: JSONObject {
    [
      "shift": .object(JSONObject(shift)),
      "startedAt": JSONValue(startedAt),
      "endedAt": endedAt.map { JSONValue($0) },
      "provisional": .bool(isProvisional),
      "trackingRate": trackingPermille.map { JSONValue(permille: $0) },
      "totals": .object(JSONObject(durationsOf: segments)),
    ]
  }
}

extension CoverageReport {
  package var json: JSONObject {
    let head: JSONObject = [
      "from": .string(from.text), "to": .string(to.text), "asOf": JSONValue(asOf),
    ]
    return head.adding(total.json)
      .adding([
        "causes": JSONValue(total.durations.causes) { cause in
          [
            "reason": JSONValue(word: cause),
            "milliseconds": JSONValue(total.durations[cause].milliseconds),
          ]
        },
        "lines": JSONValue(lines) { line in
          line.key.json(called: line.name).adding(line.tally.json)
        },
      ])
  }
}

extension CoverageSummary {
  fileprivate var json: JSONObject {
    [
      "shifts": JSONValue(shifts),
      "provisional": .bool(openShifts > 0),
      "trackingRate": durations.totals.permille.map { JSONValue(permille: $0) },
      "totals": .object(
        JSONObject(
          CoverageReason.allCases.compactMap { reason in
            durations[reason] == .zero
              ? nil : .init(name: reason.code, value: JSONValue(durations[reason].milliseconds))
          })),
    ]
  }
}

extension ReportKey {
  fileprivate func json(called name: String) -> JSONObject {
    switch self {
    case .team(let team): ["team": JSONValue(team.rawValue), "name": .string(name)]
    case .employee(let employee): ["employee": JSONValue(employee.rawValue), "name": .string(name)]
    case .day(let day): ["day": .string(day.text)]
    case .week(let monday): ["week": .string(monday.text)]
    }
  }
}
