import GuardRules
import JSONText
import ReadModels
import ShiftDomain

// A shift with everything known about it, for employees and managers. No coordinates.

extension ShiftDetails {
  /// As managers read it: with the name and, if they may see them, the visits to sites.
  package func json(visits: [SiteVisit]? = nil) -> JSONObject {
    JSONObject(self, visits: visits ?? []).adding([
      "name": .string(row.name),
      "visits": visits.map { JSONValue($0) { visit in JSONObject(visit) } },
    ])
  }
}

extension JSONObject {
  /// - Parameter visits: As far as the reader may know them.
  package init(_ details: ShiftDetails, visits: [SiteVisit]) {
    let (row, history) = (details.row, details.history)
    self = [
      "shift": .object(JSONObject(row.shift)),
      "startedAt": JSONValue(row.startedAt),
      "endedAt": row.endedAt.map { JSONValue($0) },
      "endedBy": row.ending.map { JSONValue(word: $0) },
      "endedOffSite": history.clockOut.map { JSONValue(word: $0.isOffSite) },
      "review": .bool(row.needsReview),
      "openedBy": JSONValue(word: row.openedBy),
      "opening": row.openedBecause.map { .object(JSONObject($0)) },
      "waitsForConfirmation": .bool(row.waitsForConfirmation),
      "confirmedAt": row.confirmedAt.map { JSONValue($0) },
      "approval": row.approval.map { .object(JSONObject($0)) },
      "timesConfirmedAt": row.timesConfirmedAt.map { JSONValue($0) },
      "objection": row.objection.map { .object(JSONObject($0)) },
      "added": .bool(row.isAdded),
      "plannedEnd": history.plannedEnd.map { JSONValue($0) },
      "device": row.device.map { JSONValue($0) },
      "verdict": JSONValue(word: row.verdict),
      "overridden": history.override.map {
        .array($0.overridden.ranked.map { JSONValue(word: $0) })
      },
      "overriddenBy": history.override.map { .object(JSONObject(givenAs: $0)) },
      "original": history.original.map { .object(JSONObject($0)) },
      "breaks": JSONValue(breaks: details.times.breaks),
      "takeOvers": JSONValue(history.takeOvers) { span in
        ["device": JSONValue(span.device), "at": JSONValue(span.since)]
      },
      "coverage": .object(JSONObject(details.coverage)),
      "trackingState": .object(JSONObject(details.trackingState)),
      "incidents": JSONValue(history.incidents) { JSONObject($0) },
      "away": JSONValue(history.away) { span in
        ["from": JSONValue(span.start), "to": span.end.map { JSONValue($0) }]
      },
      "corrections": JSONValue(history.corrections) { JSONObject($0) },
      "notes": JSONValue(history.notes) { JSONObject($0) },
      "story": details.storyJSON(visits: visits),
    ]
  }

  package init(_ objection: Objection) {
    self = ["at": JSONValue(objection.at), "reason": .string(objection.reason)]
  }

  package init(_ opening: OpeningReason) {
    self = ["by": .string(opening.by), "reason": .string(opening.reason)]
  }

  /// `IncidentDetails`: an incident, open or closed.
  package init(_ incident: IncidentRow) {
    self = [
      "number": JSONValue(incident.incident.number),
      "episode": JSONValue(incident.episode),
      "kind": JSONValue(word: incident.kind),
      "origin": JSONValue(word: incident.origin),
      "accepted": .bool(incident.isAccepted),
      "recomputed": .bool(incident.isRecomputed),
      "evidence": JSONValue(word: incident.evidence),
      "openedAt": JSONValue(incident.openedAt),
      "notificationDueAt": incident.notifiedAt.map { JSONValue($0) },
      "closedAt": incident.closedAt.map { JSONValue($0) },
      "closeReason": incident.closing.map { JSONValue(word: $0) },
      "explainedBy": incident.explainedBy.map { JSONValue(word: $0) },
    ]
  }

  package init(_ correction: CorrectionRow) {
    self = [
      "shift": .object(JSONObject(correction.shift)),
      "number": JSONValue(correction.number),
      "before": .object(JSONObject(correction.old)),
      "after": .object(JSONObject(correction.new)),
      "breaksBefore": correction.breaks.map { JSONValue(breaks: $0.old) },
      "breaksAfter": correction.breaks.map { JSONValue(breaks: $0.new) },
      "by": .string(correction.correctedBy),
      "at": JSONValue(correction.correctedAt),
      "reason": .string(correction.reason),
      "undoes": correction.undoes.map { JSONValue($0) },
      "undoneAt": correction.undoneAt.map { JSONValue($0) },
    ]
  }

  package init(_ span: ShiftSpan) {
    self = ["startedAt": JSONValue(span.start), "endedAt": span.end.map { JSONValue($0) }]
  }

  /// `SiteVisit`.
  package init(_ visit: SiteVisit) {
    self = [
      "site": JSONValue(visit.site),
      "name": .string(visit.name),
      "arrivedAt": JSONValue(visit.arrivedAt),
      "lastSeenAt": JSONValue(visit.lastSeenAt),
      "left": .bool(visit.hasLeft),
    ]
  }

  /// `OverriddenBy`.
  package init(givenAs override: OverrideRow) {
    self = [
      "author": JSONValue(word: override.author),
      "by": .string(override.givenBy),
      "reason": .string(override.reason),
    ]
  }
}

extension JSONValue {
  /// `Breaks`.
  fileprivate init(breaks: [ShiftSpan]) {
    self.init(breaks) { pause in
      ["from": JSONValue(pause.start), "to": pause.end.map { JSONValue($0) }]
    }
  }
}

extension ShiftRow {
  /// `ShiftSummary`.
  package var json: JSONObject {
    [
      "shift": .object(JSONObject(shift)),
      "name": .string(name),
      "startedAt": JSONValue(startedAt),
      "endedAt": endedAt.map { JSONValue($0) },
      "endedBy": ending.map { JSONValue(word: $0) },
      "openedBy": JSONValue(word: openedBy),
      "waitsForConfirmation": .bool(waitsForConfirmation),
      "added": .bool(isAdded),
      "device": device.map { JSONValue($0) },
      "verdict": JSONValue(word: verdict),
      "review": .bool(needsReview),
      "approval": approval.map { .object(JSONObject($0)) },
    ]
  }
}
