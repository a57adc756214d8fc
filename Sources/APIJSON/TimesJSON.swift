import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension JSONObject {
  package init(_ approval: ShiftApproval) {
    self = ["by": .string(approval.by), "at": JSONValue(approval.at)]
  }

  /// `RecordedTimes`.
  package init(_ times: RecordedTimes) {
    self = [
      "shift": .object(JSONObject(times.shift)),
      "startedAt": JSONValue(times.startedAt),
      "endedAt": times.endedAt.map { JSONValue($0) },
      "breakMinutes": JSONValue(times.breaks.nearestMinutes),
      "workedMinutes": times.worked.map { JSONValue($0.nearestMinutes) },
      "paidMinutes": times.paid.map { JSONValue($0.nearestMinutes) },
      "breakMilliseconds": JSONValue(times.breaks.milliseconds),
      "workedMilliseconds": times.worked.map { JSONValue($0.milliseconds) },
      "paidMilliseconds": times.paid.map { JSONValue($0.milliseconds) },
      "payRounding": JSONValue(word: times.payRule.rounding),
      "paysBreaks": .bool(times.payRule.paysBreaks),
      "corrections": times.corrections.map { JSONValue($0) },
      "state": JSONValue(word: times.state),
      "approval": times.approval.map { .object(JSONObject($0)) },
      "timesConfirmedAt": times.confirmedAt.map { JSONValue($0) },
      "revision": .string(times.revision),
    ]
  }
}

extension PlannedShift {
  package var json: JSONObject {
    [
      "plannedShift": .string(String(id)),
      "employee": JSONValue(employee.rawValue),
      "start": JSONValue(span.start),
      "end": JSONValue(span.end),
      "by": .string(createdBy),
      "sites": .array(sites.map { .integer(Int64($0)) }),
    ]
  }
}

extension PlannedShiftRow {
  package var json: JSONObject {
    plannedShift.json.adding(["attendance": attendance.map { .string($0.code) }])
  }
}

extension WeekCopy {
  package var json: JSONObject {
    [
      "dryRun": .bool(isTrial), "added": JSONValue(added), "unchanged": JSONValue(unchanged),
      "skipped": JSONValue(skipped) { skipped in
        [
          "employee": JSONValue(skipped.employee.rawValue), "name": .string(skipped.name),
          "start": JSONValue(skipped.span.start), "end": JSONValue(skipped.span.end),
          "reason": .string(skipped.reason.code),
        ]
      },
    ]
  }
}

extension Absence {
  package var json: JSONObject {
    [
      "absence": .string(String(id)),
      "employee": JSONValue(employee.rawValue),
      "start": JSONValue(span.start),
      "end": JSONValue(span.end),
      "note": note.map { .string($0) },
      "by": .string(createdBy),
    ]
  }
}

extension TimeSheetLine {
  package func json(with visits: [ShiftID: [SiteVisit]]) -> JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "name": .string(name),
      "team": JSONValue(team.rawValue),
      "shifts": JSONValue(entries) { $0.json(with: visits[$0.times.shift]) },
      "unreviewed": JSONValue(unreviewed) { clockAction in
        [
          "clockAction": JSONValue(clockAction.number), "at": JSONValue(clockAction.at),
          "claimedUntil": clockAction.claimed?.end.map { JSONValue($0) },
        ]
      },
      "totals": .object(totals.json),
    ]
  }
}

extension TimeSheetEntry {
  /// - Parameter visits: `nil`: they are not part of the answer.
  package func json(with visits: [SiteVisit]? = nil) -> JSONObject {
    JSONObject(times).adding([
      "date": .string(place.date.text),
      "team": JSONValue(place.team.rawValue),
      "timeZone": .string(place.timeZone),
      "trackingRate": permille.map { JSONValue(permille: $0) },
      "visits": visits.map { JSONValue($0) { JSONObject($0) } },
    ])
  }
}

extension TimeSheetTotals {
  package var json: JSONObject {
    [
      "shifts": JSONValue(shifts),
      "workedMinutes": JSONValue(worked.nearestMinutes),
      "paidMinutes": JSONValue(paid.nearestMinutes),
      "breakMinutes": JSONValue(breaks.nearestMinutes),
      "workedMilliseconds": JSONValue(worked.milliseconds),
      "paidMilliseconds": JSONValue(paid.milliseconds),
      "breakMilliseconds": JSONValue(breaks.milliseconds),
      "states": .object(
        JSONObject(
          TimesState.allCases.map { .init(name: $0.code, value: JSONValue(self[state: $0])) })),
    ]
  }
}
