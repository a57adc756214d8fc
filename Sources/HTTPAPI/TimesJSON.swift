import JSONText
import OperationCore
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
      "breakMinutes": JSONValue(times.breakMinutes),
      "workedMinutes": times.workedMinutes.map { JSONValue($0) },
      "corrections": times.corrections.map { JSONValue($0) },
      "state": JSONValue(word: times.state),
      "approval": times.approval.map { .object(JSONObject($0)) },
      "timesConfirmedAt": times.confirmedAt.map { JSONValue($0) },
      "revision": .string(times.revision),
    ]
  }
}
