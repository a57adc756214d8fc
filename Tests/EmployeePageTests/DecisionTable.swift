import GuardRules
import JSONText
import ShiftDomain

/// Every decision that a page can come to, as the server's rules make it.
enum DecisionTable {
  /// Milliseconds since 1970, and the age at which a report is stale.
  private static let now: Int64 = 1_800_000_000_000
  private static let freshFor: Int64 = 300

  /// The presets, and each of them with one finding moved to another severity.
  static let tables: [SeverityTable] = Preset.allCases.map(SeverityTable.table).flatMap { table in
    [table]
      + Finding.allCases.flatMap { finding in
        Severity.allCases.filter { $0 != table[finding] }.map { table.moving(finding, to: $0) }
      }
  }

  private static let states: [PermissionState] = Authorization.allCases.flatMap { authorization in
    GrantPath.allCases.flatMap { path in
      LocationAccuracy.allCases.flatMap { accuracy in
        Switch.allCases.map {
          PermissionState(
            authorization: authorization, grantPath: path, accuracy: accuracy, services: $0)
        }
      }
    }
  }

  /// `{now, tables: [{freshFor, blocking, warning}], cases: [[report, age, skew, answers]]}`, where
  /// `answers` has an index into `decisions` for each table. Ages and skews are milliseconds.
  static var json: String {
    var decisions: [String: Int64] = [:]
    var cases: [JSONValue] = []
    for state in states {
      for age in [0, 300_000, 300_001] as [Int64] {
        for skew in [nil, 600_000, -600_001] as [Int64?] {
          let answers = tables.map { table -> JSONValue in
            let text = words(decision(about: state, age: age, skew: skew, under: table))
            let index = decisions[text] ?? Int64(decisions.count)
            decisions[text] = index
            return .integer(index)
          }
          cases.append(
            .array([
              report(state), .integer(age), skew.map { .integer($0) } ?? .null, .array(answers),
            ]))
        }
      }
    }
    let texts = decisions.sorted { $0.value < $1.value }.map { JSONValue.string($0.key) }
    let value = JSONValue.object([
      "now": .integer(now), "tables": .array(tables.map(policy)), "cases": .array(cases),
      "decisions": .array(texts),
    ])
    return String(decoding: value.bytes, as: UTF8.self)
  }

  private static func decision(
    about state: PermissionState, age: Int64, skew: Int64?, under table: SeverityTable
  ) -> Decision {
    let report = PermissionReport(
      id: ReportID(1), state: state, effectiveAt: Instant(milliseconds: now - age),
      skew: skew.map { .milliseconds($0) })
    let policy = Policy(
      preset: .standard, severities: table, freshFor: .seconds(freshFor))
    return decideClockIn(.report(report, .web), policy: policy, now: Instant(milliseconds: now))
  }

  /// The verdict and every finding with its severity, in the order of their remedies.
  private static func words(_ decision: Decision) -> String {
    let severities: [(FindingSet, Severity)] = [
      (decision.blocking, .block), (decision.warning, .warn), (decision.informing, .advice),
    ]
    let all = severities.reduce(FindingSet()) { $0.union($1.0) }
    let findings = all.ranked.map { finding in
      let severity = severities.first { $0.0.contains(finding) }?.1
      return "\(finding.code) \(severity?.code ?? "")"
    }
    return ([decision.verdict.code] + findings).joined(separator: ",")
  }

  private static func report(_ state: PermissionState) -> JSONValue {
    .object([
      "authorization": .string(state.authorization.code),
      "grantPath": .string(state.grantPath.code), "accuracy": .string(state.accuracy.code),
      "services": .string(state.services.code),
    ])
  }

  private static func policy(_ table: SeverityTable) -> JSONValue {
    func codes(_ findings: FindingSet) -> JSONValue {
      .array(findings.ranked.map { .string($0.code) })
    }
    return .object([
      "freshFor": .integer(freshFor), "blocking": codes(table.blocking),
      "warning": codes(table.warning),
    ])
  }
}
