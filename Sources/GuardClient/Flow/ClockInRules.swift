import GuardRules
import JSONText
public import ShiftDomain

/// The part of the team's policy that a phone needs to decide on a clock-in as the server would.
public struct ClockInRules: Hashable, Sendable {
  public let policyVersion: Int64
  /// A report older than this is stale.
  public let freshFor: TimeSpan
  public let severities: SeverityTable
  public let selfOverride: SelfOverride

  /// Reads `rules` of the API. Findings that are newer than the app are left out.
  init(_ fields: JSONFields) throws(BodyFault) {
    func findings(_ name: String) throws(BodyFault) -> FindingSet {
      _ = try fields.required(name, fields[name])
      return try fields.texts(name).reduce(into: []) { findings, code in
        if let finding = Finding(code: code) { findings.insert(finding) }
      }
    }
    let seconds = try fields.integer("freshFor", in: 1...Int64(Int32.max))
    policyVersion = try fields.integer("policyVersion", in: 0...Int64.max) ?? 0
    freshFor = .seconds(try fields.required("freshFor", seconds))
    severities = SeverityTable(
      blocking: try findings("blocking"), warning: try findings("warning"))
    selfOverride = try fields.word("selfOverride", unknown: .off) ?? .off
  }

  var json: JSONValue {
    func codes(_ findings: FindingSet) -> JSONValue {
      .array(findings.ranked.map { JSONValue(word: $0) })
    }
    return [
      "policyVersion": JSONValue(policyVersion), "freshFor": JSONValue(freshFor.seconds),
      "blocking": codes(severities.blocking), "warning": codes(severities.warning),
      "selfOverride": JSONValue(word: selfOverride),
    ]
  }

  /// As a policy. Where nothing blocks or warns, it is one that only advises.
  var policy: Policy {
    let onlyAdvises = severities.blocking.isEmpty && severities.warning.isEmpty
    return Policy(
      preset: onlyAdvises ? .advisory : .standard, severities: severities, freshFor: freshFor,
      selfOverride: selfOverride)
  }
}
