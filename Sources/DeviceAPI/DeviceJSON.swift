import APIJSON
import DeviceOperations
import GuardRules
import Guidance
import HTTPAPI
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

/// A request to a phone to do something at once. Phones ignore unknown commands.
enum Command: String {
  case sendFixNow = "send_fix_now"
}

extension TrackingAdvice {
  /// `Tracking` and `Commands`, which are in every response, and `Clock` if the phone's clock is
  /// off.
  func json(commands: [Command] = []) -> JSONObject {
    [
      "tracking": .object([
        "track": .bool(isTracking),
        "pingInterval": JSONValue(settings.pingInterval.seconds),
        "maxFixAge": JSONValue(settings.fixAgeMax.seconds),
        // A sign of life replaces a missing fix.
        "heartbeat": JSONValue(settings.pingInterval.seconds),
        "policyVersion": JSONValue(settings.policyVersion),
      ]),
      "commands": .array(commands.map { .string($0.rawValue) }),
      "clock": clock.map { clock in
        .object([
          "skewMs": clock.skew.map { JSONValue($0.milliseconds) },
          "trust": JSONValue(word: clock.trust),
        ])
      },
    ]
  }
}

extension Snapshot {
  func texts(for decision: Decision, in language: Language) -> Guidance {
    guidance(
      for: decision, report: report?.state,
      on: DeviceDescription(self),
      under: policy.severities, naming: named, in: language)
  }

  /// The members that every response carries.
  func settings(commands: [Command] = []) -> JSONObject {
    advice.json(commands: commands).adding([
      "sitesVersion": sitesVersion.map { .string($0) },
      "plan": heldPlan.map { .object($0.heldJSON) },
    ])
  }

  /// `decision` with its guidance and the open incidents.
  private func judgement(_ decision: Decision, in language: Language) -> JSONObject {
    [
      "decision": .object(JSONObject(decision)),
      "guidance": .object(
        JSONObject(texts(for: decision, in: language))
          .adding(["acknowledged": isAcknowledged.map { .bool($0) }])),
      "incidents": JSONValue(incidents) { JSONObject($0) },
    ]
  }

  /// `CurrentStatus`.
  func json(in language: Language, commands: [Command] = []) -> JSONObject {
    judgement(decision, in: language)
      .adding([
        "overriddenBy": availableOverride.map { .object(JSONObject(givenAs: $0)) },
        "position": leavesOutPlace ? .string("checked_at_clock_in") : nil,
        "report": report.map { .object(JSONObject($0)) },
        "trackingState": .object(JSONObject(trackingState)),
        "shift": shift.map { .object(json(of: $0)) },
      ])
      .adding(settings(commands: commands))
  }

  /// `ClockActionResponse`: a shift that has begun or ended under `decision`.
  func json(
    of shift: ShiftID, _ decision: Decision, in language: Language, commands: [Command] = []
  ) -> JSONObject {
    let open = self.shift.flatMap { $0.number == shift.number ? $0 : nil }
    let head: JSONObject = [
      "shift": .object(open.map { json(of: $0) } ?? JSONObject(shift).adding(excuse))
    ]
    return head.adding(judgement(decision, in: language))
      .adding(["trackingState": .object(JSONObject(trackingState))])
      .adding(settings(commands: commands))
  }

  /// `OpenShift`.
  private func json(of shift: OpenShift) -> JSONObject {
    JSONObject(ShiftID(employee: device.employee, number: shift.number))
      .adding([
        "startedAt": JSONValue(shift.startedAt),
        "device": shift.device.map { JSONValue($0) },
        "phoneApp": otherTracker?.phoneApp.map { JSONValue(word: $0) },
        "deviceRevoked": otherTracker?.isRevoked == true ? .bool(true) : nil,
        "openedBy": JSONValue(word: shift.openedBy),
        "waitsForConfirmation": .bool(shift.waitsForConfirmation),
        "onBreakSince": shift.isOnBreak
          ? shift.latestBreak.map { JSONValue($0.startedAt) } : nil,
        "awaySince": awaySince.map { JSONValue($0) },
      ])
      .adding(excuse)
  }

  /// The findings in spite of which the shift began, who allowed it, and why.
  private var excuse: JSONObject {
    guard let override else { return [:] }
    return [
      "overridden": .array(override.overridden.ranked.map { JSONValue(word: $0) }),
      "overriddenBy": .object(JSONObject(givenAs: override)),
    ]
  }

  /// The members that `Me` has in addition to `CurrentStatus`.
  var whoAmI: JSONObject {
    [
      "employee": .object([
        "number": JSONValue(device.employee.rawValue), "name": .string(employeeName),
      ]),
      "device": .object([
        "number": JSONValue(device.number),
        "platform": JSONValue(word: platform),
        "osVersion": osVersion.map { .string($0) },
        "model": model.map { .string($0) },
        "app": app.map { .string($0) },
        "appName": appName.map { .string($0) },
      ]),
      "rules": .object(rules),
    ]
  }

  /// `ClockInRules`: what a device needs to decide as the server would.
  private var rules: JSONObject {
    func codes(_ findings: FindingSet) -> JSONValue {
      .array(findings.ranked.map { JSONValue(word: $0) })
    }
    return [
      "policyVersion": JSONValue(policyVersion), "freshFor": JSONValue(policy.freshFor.seconds),
      "blocking": codes(policy.severities.blocking), "warning": codes(policy.severities.warning),
      "ignored": codes(policy.severities.ignored),
      "earlyWindow": JSONValue(policy.earlyWindow.seconds),
      "selfOverride": JSONValue(word: policy.selfOverride),
    ]
  }
}

extension ClockInPlan {
  /// `HeldPlan`.
  fileprivate var heldJSON: JSONObject {
    [
      "shifts": JSONValue(planned) {
        $0.span.json.adding([
          "sites": $0.sites.isEmpty ? nil : .array($0.sites.map { JSONValue($0) })
        ])
      },
      "absences": absences.isEmpty ? nil : JSONValue(absences) { $0.json },
      "until": knownUntil.map { JSONValue($0) },
    ]
  }
}

extension Interval {
  /// `HeldSpan`.
  fileprivate var json: JSONObject { ["start": JSONValue(start), "end": JSONValue(end)] }
}

extension HeldSites {
  /// `HeldSites`.
  var json: JSONObject {
    ["version": .string(version), "sites": JSONValue(sites) { $0.json }]
  }
}

extension Enrolment {
  var json: JSONObject {
    [
      "token": .string(token), "employee": JSONValue(device.employee.rawValue),
      "employeeSince": JSONValue(employeeSince),
      "device": JSONValue(device.number),
      "replacedDevice": replaced.map { JSONValue($0.number) },
      "privacyNotice": privacyNotice.map { .object($0.json) },
    ]
  }
}

extension OwnPrivacyNotice {
  /// `PrivacyNotice`, with the time it was read.
  var json: JSONObject {
    privacyNotice.json.adding(["readAt": readAt.map { JSONValue($0) }])
  }
}

extension ShiftID {
  var coveragePath: String { "/v1/employees/\(employee.rawValue)/shifts/\(number)/coverage" }
}

extension Duration {
  /// Milliseconds with three decimals.
  var millisecondsText: String {
    let microseconds = max(0, self / .microseconds(1))
    let fraction = String(Int(microseconds) % 1_000)
    return "\(Int(microseconds) / 1_000).\(String(repeating: "0", count: 3 - fraction.count))"
      + fraction
  }
}
