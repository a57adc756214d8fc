import APIJSON
import GuardRules
import Guidance
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

extension CheckAnswer {
  /// The parts are those of the API: `Decision`, `StoredReport`, `Incident`, `Override`.
  var json: JSONValue {
    let snapshot = check.snapshot
    let head: JSONObject = [
      "employee": JSONValue(check.employee.rawValue),
      "name": .string(check.name),
      "teamName": .string(check.teamName),
      "asOf": JSONValue(check.asOf),
      "trackingState": .object(JSONObject(check.trackingState)),
      "decision": .object(JSONObject(check.decision)),
      "guidance": .object(JSONObject(advice)),
      "checkDue": .bool(isCheckDue),
      "exitBy": .string(goesByTracking ? "tracking" : "decision"),
      "lastContactAt": check.lastContactAt.map { JSONValue($0) },
      "missedShift": check.missed.map { .object($0.json) },
    ]
    guard let snapshot else { return .object(head.adding(["incidents": .array([])])) }
    return .object(
      head.adding([
        "position": snapshot.leavesOutPlace ? .string("checked_at_clock_in") : nil,
        "override": snapshot.availableOverride.map { .object($0.json) },
        "policy": .object(policy(snapshot)),
        "device": .object(device(snapshot)),
        "report": snapshot.report.map { .object(JSONObject($0)) },
        "shift": snapshot.shift.map { .object(shift($0)) },
        "incidents": JSONValue(snapshot.incidents) { incident in
          JSONObject(incident).adding([
            "notificationDueAt": incident.notificationDueAt.map { JSONValue($0) }
          ])
        },
      ]))
  }

  private func policy(_ snapshot: Snapshot) -> JSONObject {
    [
      "preset": JSONValue(word: tried ?? snapshot.policy.preset),
      "version": tried == nil ? JSONValue(snapshot.policyVersion) : nil,
      "tried": .bool(tried != nil),
    ]
  }

  private func device(_ snapshot: Snapshot) -> JSONObject {
    [
      "device": JSONValue(snapshot.device.number),
      "platform": JSONValue(word: snapshot.platform),
      "osVersion": snapshot.osVersion.map { .string($0) },
      "model": snapshot.model.map { .string($0) },
      "tracking": .bool(snapshot.isTracking),
    ]
  }

  private func shift(_ shift: OpenShift) -> JSONObject {
    JSONObject(ShiftID(employee: check.employee, number: shift.number)).adding([
      "startedAt": JSONValue(shift.startedAt),
      "device": shift.device.map { JSONValue($0) },
      "openedBy": JSONValue(word: shift.openedBy),
      "waitsForConfirmation": .bool(shift.waitsForConfirmation),
    ])
  }
}
