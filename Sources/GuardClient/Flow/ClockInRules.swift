import GuardRules
import JSONText
public import ShiftDomain

/// The part of the team's policy that a phone needs to decide on a clock-in as the server would.
public struct ClockInRules: Hashable, Sendable {
  public let policyVersion: Int64
  /// A report older than this is stale.
  public let freshFor: TimeSpan
  public let severities: SeverityTable
  /// How long before a planned start a clock-in is not too early.
  public let earlyWindow: TimeSpan
  public let selfOverride: SelfOverride

  /// Reads `rules` of the API. Findings that are newer than the app are left out.
  init(_ fields: JSONFields) throws(BodyFault) {
    func findings(_ name: String) throws(BodyFault) -> FindingSet {
      try fields.texts(name).reduce(into: []) { findings, code in
        if let finding = Finding(code: code) { findings.insert(finding) }
      }
    }
    for name in ["blocking", "warning"] { _ = try fields.required(name, fields[name]) }
    let seconds = try fields.integer("freshFor", in: 1...Int64(Int32.max))
    policyVersion = try fields.integer("policyVersion", in: 0...Int64.max) ?? 0
    freshFor = .seconds(try fields.required("freshFor", seconds))
    severities = SeverityTable(
      blocking: try findings("blocking"), warning: try findings("warning"),
      ignored: try findings("ignored"))
    earlyWindow =
      try fields.integer("earlyWindow", in: 0...86_400).map { .seconds($0) }
      ?? Policy.policy(of: .standard).earlyWindow
    selfOverride = try fields.word("selfOverride", unknown: .off) ?? .off
  }

  var json: JSONValue {
    func codes(_ findings: FindingSet) -> JSONValue {
      .array(findings.ranked.map { JSONValue(word: $0) })
    }
    return [
      "policyVersion": JSONValue(policyVersion), "freshFor": JSONValue(freshFor.seconds),
      "blocking": codes(severities.blocking), "warning": codes(severities.warning),
      "ignored": codes(severities.ignored), "earlyWindow": JSONValue(earlyWindow.seconds),
      "selfOverride": JSONValue(word: selfOverride),
    ]
  }

  /// As a policy. Where nothing blocks or warns, it is one that only advises.
  var policy: Policy {
    let onlyAdvises = severities.blocking.isEmpty && severities.warning.isEmpty
    return Policy(
      preset: onlyAdvises ? .advisory : .standard, severities: severities, freshFor: freshFor,
      selfOverride: selfOverride, earlyWindow: earlyWindow)
  }
}
