import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension ShiftDetails {
  /// `Story`.
  package func storyJSON(visits: [SiteVisit]) -> JSONValue {
    JSONValue(story(visits: visits)) { entry in
      let head: JSONObject = [
        "at": JSONValue(entry.at),
        "until": entry.until.map { JSONValue($0) },
        "knownAt": entry.knownAt.map { JSONValue($0) },
        "entry": .string(entry.content.code),
      ]
      return head.adding(json(of: entry, visits: visits))
    }
  }

  private func json(of entry: StoryEntry, visits: [SiteVisit]) -> JSONObject {
    switch entry.content {
    case .opened(let opening): ["openedBy": JSONValue(word: opening)]
    case .ended(let ending):
      [
        "endedBy": ending.map { JSONValue(word: $0) },
        "confirmed": isConfirmed(ending) ? .bool(true) : nil,
        "endedOffSite": isOffSite(entry).map { JSONValue(word: $0) },
      ]
    case .confirmed(let device), .tookOver(let device): ["device": JSONValue(device)]
    case .spent(let segment, let incidents):
      [
        "reason": JSONValue(word: segment.reason),
        "atRisk": .bool(segment.isAtRisk),
        "likely": segment.likely.map { JSONValue(word: $0) },
        "evidence": segment.isInferred ? "inferred" : nil,
        "incidents": .array(incidents.map { JSONValue($0) }),
      ]
    case .impaired(let number), .offline(let number):
      [
        "incidents": .array([JSONValue(number)]),
        "kind": incident(number).map { JSONValue(word: $0.kind) },
      ]
    case .notified(let place): notifications[place].storyJSON
    case .visited(let place):
      ["site": JSONValue(visits[place].site), "name": .string(visits[place].name)]
    case .noted(let number): ["note": JSONValue(number)]
    case .corrected(let number): ["correction": JSONValue(number)]
    case .away, .timesConfirmed, .approved, .objected: [:]
    }
  }
}

extension NotificationEntry {
  /// By which ways it went and when, to nobody's address.
  fileprivate var storyJSON: JSONObject {
    [
      "topic": JSONValue(word: row.notification.presentedTopic),
      "kind": kind.map { JSONValue(word: $0) },
      "outcome": row.ending.map { JSONValue(word: $0) },
      "attempts": JSONValue(attempts) { attempt in
        [
          "step": JSONValue(word: attempt.step),
          "at": JSONValue(attempt.begunAt),
          "outcome": attempt.outcome.map { JSONValue(word: $0) },
        ]
      },
    ]
  }
}

extension StoryContent {
  fileprivate var code: String {
    switch self {
    case .opened: "opened"
    case .confirmed: "confirmed"
    case .tookOver: "took_over"
    case .spent: "spent"
    case .impaired: "impaired"
    case .offline: "offline"
    case .notified: "notified"
    case .visited: "visited"
    case .away: "away"
    case .noted: "noted"
    case .corrected: "corrected"
    case .timesConfirmed: "times_confirmed"
    case .approved: "approved"
    case .objected: "objected"
    case .ended: "ended"
    }
  }
}
