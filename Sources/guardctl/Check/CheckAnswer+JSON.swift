import GuardRules
import Guidance
import JSONText
import OperationCore
import ShiftDomain

extension CheckAnswer {
  var json: JSONValue {
    let snapshot = check.snapshot
    let decision = check.decision
    return [
      "employee": .integer(Int64(check.employee.rawValue)),
      "name": .string(check.name),
      "team": .string(check.teamName),
      "asOf": .string(check.asOf.rfc3339),
      "trackingState": [
        "state": .string(check.trackingState.value.code),
        "reason": JSONValue(check.trackingState.reason?.code),
        "asOf": .string(check.trackingState.asOf.rfc3339),
      ],
      "verdict": .string(decision.verdict.code),
      "checkDue": .bool(isCheckDue),
      "blocking": codes(decision.blocking),
      "warning": codes(decision.warning),
      "advising": codes(decision.informing),
      "overridden": codes(decision.overridden),
      "override": snapshot?.availableOverride.map(\.fields.json) ?? .null,
      "policy": policy,
      "device": snapshot.map(device) ?? .null,
      "report": snapshot?.report.map(report) ?? .null,
      "lastContactAt": JSONValue(check.lastContactAt?.rfc3339),
      "shift": snapshot?.shift.map(shift) ?? .null,
      "incidents": .array((snapshot?.incidents ?? []).map(incident)),
      "remedies": .array(remedies.map(remedy)),
    ]
  }

  private func codes(_ findings: FindingSet) -> JSONValue {
    .array(findings.ranked.map { .string($0.code) })
  }

  private var policy: JSONValue {
    if let tried { return ["preset": .string(tried.code), "version": .null, "tried": .bool(true)] }
    guard let snapshot = check.snapshot else { return .null }
    return [
      "preset": .string(snapshot.policy.preset.code),
      "version": .integer(Int64(snapshot.policyVersion)), "tried": .bool(false),
    ]
  }

  private func device(_ snapshot: Snapshot) -> JSONValue {
    [
      "device": .string(snapshot.device.text),
      "platform": .string(snapshot.platform.code),
      "osVersion": JSONValue(snapshot.osVersion),
      "model": JSONValue(snapshot.model),
      "tracking": .bool(snapshot.isTracking),
    ]
  }

  private func report(_ report: PermissionReport) -> JSONValue {
    let conditions = report.state.conditions
    return [
      "report": .string("\(report.id.rawValue)"),
      "effectiveAt": .string(report.effectiveAt.rfc3339),
      "ageSeconds": .integer((check.asOf - report.effectiveAt).seconds),
      "authorization": .string(report.state.authorization.code),
      "grantPath": .string(report.state.grantPath.code),
      "accuracy": .string(report.state.accuracy.code),
      "services": .string(report.state.services.code),
      "conditions": .object(
        JSONObject(
          DeviceCondition.allCases.map { condition in
            JSONObject.Member(
              name: condition.name, value: .string(conditions[condition].code))
          })),
    ]
  }

  private func shift(_ shift: OpenShift) -> JSONValue {
    [
      "shift": .string(ShiftID(employee: check.employee, number: shift.number).text),
      "startedAt": .string(shift.startedAt.rfc3339),
      "device": JSONValue(
        shift.device.map { DeviceID(employee: check.employee, number: $0).text }),
      "openedBy": .string(shift.openedBy.code),
      "waitsForConfirmation": .bool(shift.waitsForConfirmation),
    ]
  }

  private func incident(_ incident: OpenIncident) -> JSONValue {
    [
      "incident": .string(IncidentID(employee: check.employee, number: incident.number).text),
      "kind": .string(incident.kind.code),
      "origin": .string(incident.origin.code),
      "openedAt": .string(incident.openedAt.rfc3339),
      "notificationDueAt": JSONValue(incident.notificationDueAt?.rfc3339),
    ]
  }

  private func remedy(_ remedy: Remedy) -> JSONValue {
    [
      "finding": .string(remedy.finding.code),
      "severity": .string(remedy.severity.code),
      "title": .string(remedy.title),
      "why": .string(remedy.why),
      "steps": .array(remedy.steps.map(JSONValue.string)),
      "action": .string(remedy.action.code),
    ]
  }
}
