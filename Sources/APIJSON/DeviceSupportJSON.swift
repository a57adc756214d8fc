import GuardRules
import Guidance
import JSONText
import ReadModels
import ShiftDomain

extension DeviceRow {
  /// `Device`.
  package var json: JSONObject {
    [
      "employee": JSONValue(device.employee.rawValue),
      "device": JSONValue(device.number),
      "platform": JSONValue(word: platform),
      "osVersion": osVersion.map { .string($0) },
      "model": model.map { .string($0) },
      "app": app.map { .string($0) },
      "enrolledAt": JSONValue(enrolledAt),
      "phoneApp": phoneApp.map { JSONValue(word: $0) },
      "revokedAt": revokedAt.map { JSONValue($0) },
      "lastContactAt": lastContactAt.map { JSONValue($0) },
    ]
  }
}

extension DeviceSupport {
  /// `DeviceSupport`.
  package var json: JSONObject {
    let skew = (history.reports.first?.report ?? row.newestReport)?.skew
    return [
      "asOf": JSONValue(asOf),
      "device": .object(row.json),
      "appName": row.appName.map { .string($0) },
      "language": row.language.map { .string($0) },
      "lastFixAt": row.lastFixAt.map { JSONValue($0) },
      "skewMs": skew.map { JSONValue($0.milliseconds) },
      "push": .object(pushAddress),
      "shift": history.shift.map { .object($0.json) },
      "clockIn": .object(clockIn.json),
      "reports": JSONValue(history.reports) { $0.json(on: row.platform) },
      "reportCount": JSONValue(history.reportCount),
      "clockActions": JSONValue(history.clockActions) { $0.json },
      "pingUploads": JSONValue(history.pingUploads) { $0.json },
      "quarantine": JSONValue(history.quarantine) { $0.json },
      "pingUploadCount": JSONValue(history.pingUploadCount),
      "pingCount": JSONValue(history.pingCount),
      "deliveries": JSONValue(deliveries) { $0.json },
      "hasMoreDeliveries": .bool(hasMoreDeliveries),
      "refused": refusals.map { .object($0.json) },
    ]
  }

  /// Its kind and whether it is set; never the address.
  private var pushAddress: JSONObject {
    [
      "isSet": .bool(push != nil && row.revokedAt == nil),
      "channel": push.map { JSONValue(word: $0.channel) },
      "sandbox": push.map { .bool($0.isSandbox) },
      "registeredAt": push.map { JSONValue($0.registeredAt) },
    ]
  }
}

extension ClockInPreview {
  fileprivate var json: JSONObject {
    switch self {
    case .revoked: ["answer": "revoked"]
    case .alreadyOpen(let shift): ["answer": "already_open", "shift": JSONValue(shift)]
    case .openElsewhere(let shift, let device):
      ["answer": "open_elsewhere", "shift": JSONValue(shift), "device": JSONValue(device)]
    case .decided(let decision, let guidance, let version, let override):
      [
        "answer": "decided",
        "decision": .object(JSONObject(decision)),
        "guidance": .object(JSONObject(guidance)),
        "policyVersion": JSONValue(version),
        "override": override.map { JSONValue($0.number) },
      ]
    }
  }
}

extension DeviceShift {
  fileprivate var json: JSONObject {
    [
      "number": JSONValue(number),
      "startedAt": JSONValue(startedAt),
      "endedAt": endedAt.map { JSONValue($0) },
      "device": device.map { JSONValue($0) },
    ]
  }
}

extension DeviceReport {
  fileprivate func json(on platform: Platform) -> JSONObject {
    [
      "receivedAt": JSONValue(receivedAt),
      "shift": shift.map { JSONValue($0) },
      "trigger": trigger.map { .string($0) },
      "source": source.map { .string($0) },
      "raw": raw.flatMap { try? JSONValue(parsing: Array($0.utf8)) },
      "report": .object(JSONObject(report)),
      "skewMs": report.skew.map { JSONValue($0.milliseconds) },
      "findings": .array(
        GuardRules.findings(in: report.state, platform: platform).ranked.map {
          JSONValue(word: $0)
        }),
    ]
  }
}

extension DeviceClockAction {
  fileprivate var json: JSONObject {
    [
      "number": number.map { JSONValue($0) },
      "at": JSONValue(at),
      "receivedAt": JSONValue(receivedAt),
      "outcome": JSONValue(word: outcome),
      "shift": shift.map { JSONValue($0) },
      "decision": outcome.kind == .clockIn ? .object(JSONObject(decision)) : nil,
      "policyVersion": JSONValue(policyVersion),
      "reason": kept.map { JSONValue(word: $0) },
      "review": kept.map { _ in review.map { JSONValue(word: $0) } ?? "pending" },
    ]
  }
}

extension PingUploadRow {
  fileprivate var json: JSONObject {
    [
      "receivedAt": JSONValue(receivedAt),
      "pings": JSONValue(pings),
      "positions": JSONValue(positions),
      "first": JSONValue(first),
      "last": JSONValue(last),
    ]
  }
}

extension DeliveryAttempt {
  package var json: JSONObject {
    [
      "notification": .string(id.key),
      "topic": JSONValue(word: id.topic),
      "kind": kind.map { JSONValue(word: $0) },
      "step": JSONValue(word: step),
      "at": JSONValue(begunAt),
      "outcome": outcome.map { JSONValue(word: $0) },
      "reason": reason.map { .string($0) },
    ]
  }
}

extension RememberedRefusals {
  fileprivate var json: JSONObject {
    [
      "instance": .string(instance),
      "since": JSONValue(since),
      "requests": JSONValue(requests) { request in
        [
          "at": JSONValue(request.at),
          "route": .string(request.route),
          "status": JSONValue(request.status),
          "code": .string(request.code),
          "items": request.items.map { JSONValue($0) },
        ]
      },
    ]
  }
}
