import GuardRules
import Guidance
import JSONText
import ShiftDomain

extension JSONFields {
  /// The codes in the list `findings`; `nil` when absent.
  package func findings() throws(BodyFault) -> FindingSet? {
    guard let codes = try elements("findings") else { return nil }
    var findings: FindingSet = []
    for (index, value) in codes.enumerated() {
      guard case .string(let code) = value, let finding = Finding(code: code) else {
        throw BodyFault(at: place("findings", index), "must be the code of a finding")
      }
      findings.insert(finding)
    }
    return findings
  }
}

extension Decision {
  /// The decision with the findings of `Decision`; the verdict follows from them. A finding with an
  /// unknown code is one of newer rules, and is left out.
  package init(_ fields: JSONFields) throws(BodyFault) {
    let listed = try fields.required("findings", fields.elements("findings"))
    guard listed.count <= 64 else {
      throw BodyFault(at: fields.place("findings"), "must have at most 64 items")
    }
    var found: [Severity: FindingSet] = [:]
    for (index, value) in listed.enumerated() {
      let item = try JSONFields(value, at: fields.place("findings", index))
      let code = try item.required("code", item.text("code", max: 64))
      let severity: Severity = try item.required("severity", item.knownWord("severity"))
      if let finding = Finding(code: code) { found[severity, default: []].insert(finding) }
    }
    self.init(
      blocking: found[.block] ?? [], warning: found[.warn] ?? [], informing: found[.advice] ?? [])
  }
}

// The guard's answers, in the shape of openapi.yaml's schemas of the same names.

extension JSONObject {
  /// `Decision`: the verdict, every finding with its severity in the order of remedy, and the
  /// findings that an override allows.
  package init(_ decision: Decision) {
    self = [
      "verdict": JSONValue(word: decision.verdict),
      "findings": JSONValue(decision.findings.ranked) { finding in
        ["code": JSONValue(word: finding), "severity": JSONValue(word: decision[finding])]
      },
      "overridden": decision.overridden.isEmpty
        ? nil : .array(decision.overridden.ranked.map { JSONValue(word: $0) }),
    ]
  }

  /// `Guidance`: what to show.
  package init(_ guidance: Guidance) {
    self = [
      "banner": guidance.banner.map { .object(JSONObject($0)) },
      "remedies": JSONValue(guidance.remedies) { remedy in
        [
          "finding": JSONValue(word: remedy.finding),
          "severity": JSONValue(word: remedy.severity),
          "title": .string(remedy.title),
          "why": .string(remedy.why),
          "steps": .array(remedy.steps.map { .string($0) }),
          "action": JSONValue(word: remedy.action),
          "site": remedy.nearest.map { nearest in
            .object([
              "number": JSONValue(nearest.site.number), "name": .string(nearest.site.name),
              "meters": JSONValue(nearest.roundedMeters),
            ])
          },
          "from": remedy.allowedFrom.map { JSONValue($0) },
        ]
      },
      "explanation": guidance.explanation.map { .object(JSONObject($0)) },
    ]
  }

  private init(_ explanation: Explanation) {
    self = [
      "title": .string(explanation.title),
      "why": .string(explanation.why),
      "benefits": .array(explanation.benefits.map { .string($0) }),
      "platformNotes": .array(explanation.platformNotes.map { .string($0) }),
      "proceed": .string(explanation.proceed),
      "later": .string(explanation.later),
    ]
  }

  private init(_ banner: Banner) {
    self = [
      "level": JSONValue(word: banner.level),
      "title": .string(banner.title),
      "body": .string(banner.body),
    ]
  }

  /// `StoredReport`: what a device reported, with server times.
  package init(_ report: PermissionReport) {
    let state = report.state
    self = [
      "id": JSONValue(report.id),
      "effectiveAt": JSONValue(report.effectiveAt),
      "sequence": report.sequence.map { JSONValue($0) },
      "authorization": JSONValue(word: state.authorization),
      "grantPath": JSONValue(word: state.grantPath),
      "accuracy": JSONValue(word: state.accuracy),
      "services": JSONValue(word: state.services),
      "conditions": .object(JSONObject(state.conditions)),
      "lastExit": report.appExit.map { exit in
        .object(["cause": JSONValue(word: exit.cause), "at": JSONValue(exit.at)])
      },
    ]
  }

  private init(_ conditions: DeviceConditions) {
    self.init(
      DeviceCondition.allCases.map { condition in
        Member(name: condition.name, value: JSONValue(word: conditions[condition]))
      })
  }

  /// `Incident`: an open incident.
  package init(_ incident: OpenIncident) {
    self = [
      "number": JSONValue(incident.number),
      "kind": JSONValue(word: incident.kind),
      "origin": JSONValue(word: incident.origin),
      "accepted": .bool(incident.isAccepted),
      "openedAt": JSONValue(incident.openedAt),
    ]
  }

  package init(_ shift: ShiftID) {
    self = [
      "employee": JSONValue(shift.employee.rawValue), "number": JSONValue(shift.number),
    ]
  }
}

extension JSONValue {
  /// A report's id: 63 bits are more than a JavaScript number holds, so a string.
  package init(_ report: ReportID) { self = .string(String(report.rawValue)) }
}

extension Decision {
  fileprivate subscript(finding: Finding) -> Severity {
    if blocking.contains(finding) { return .block }
    return warning.contains(finding) ? .warn : .advice
  }
}
