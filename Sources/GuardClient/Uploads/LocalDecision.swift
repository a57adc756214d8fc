import GuardRules
import JSONText
import ShiftDomain

/// What the phone decided when the employee tapped, by the team's rules as it knew them.
struct LocalDecision: Hashable, Sendable {
  let decision: Decision
  let policyVersion: Int64
  private let severities: SeverityTable
  /// The version of the sites that it was made by; `nil`: by none.
  private let sitesVersion: String?
  /// What the rules were called with, as `shiftguard_decide` of `GuardRulesWasm` takes it: so the
  /// decision can be repeated. No position.
  let arguments: [Int64]

  /// `nil` if the rules have no version that the server could know.
  /// - Parameters:
  ///   - state: As it was just read, so that the report of it is not stale.
  ///   - skew: The server's clock minus the phone's; `nil` if the server has not said that the
  ///     phone's is wrong.
  ///   - found: What the place and the plan of the clock-in come to.
  init?(
    on state: PermissionState, of platform: Platform, at now: Instant, skew: TimeSpan?,
    under rules: ClockInRules, adding found: FindingSet = [], sitesVersion: String? = nil
  ) {
    guard (1...Int64(Int32.max)).contains(rules.policyVersion) else { return nil }
    let report = PermissionReport(id: ReportID(0), state: state, effectiveAt: now, skew: skew)
    decision = decideClockIn(
      .report(report, platform), adding: found, policy: rules.policy, now: now)
    policyVersion = rules.policyVersion
    severities = rules.severities
    self.sitesVersion = sitesVersion
    arguments = [
      Int64(state.phoneWord(on: platform, tellsSkew: skew != nil)), now.milliseconds,
      now.milliseconds, skew?.milliseconds ?? 0, rules.freshFor.milliseconds,
      Int64(rules.severities.blocking.rawValue), Int64(rules.severities.warning.rawValue),
      Int64(rules.severities.ignored.rawValue), Int64(found.rawValue),
    ]
  }

  /// `LocalDecision` of the API.
  var json: JSONObject {
    [
      "findings": JSONValue(decision.findings.ranked) { finding in
        ["code": JSONValue(word: finding), "severity": JSONValue(word: severities[finding])]
      }, "policyVersion": JSONValue(policyVersion),
      "sitesVersion": sitesVersion.map { .string($0) },
    ]
  }
}

extension PermissionState {
  /// The phone word of a report, as `GuardRulesWasm` defines it.
  fileprivate func phoneWord(on platform: Platform, tellsSkew: Bool) -> UInt32 {
    let fields: [(value: UInt8, place: UInt32)] = [
      (authorization.rawValue, 0), (grantPath.rawValue, 4), (accuracy.rawValue, 8),
      (services.rawValue, 10), (conditions.notifications.rawValue, 12),
      (conditions.batteryOptimisation.rawValue, 14), (conditions.backgroundRefresh.rawValue, 16),
      (conditions.powerSave.rawValue, 18), (conditions.foregroundService.rawValue, 20),
      (conditions.backgroundFix.rawValue, 22), (platform.rawValue, 24), (1, 28),
      (tellsSkew ? 1 : 0, 30),
    ]
    return fields.reduce(0) { $0 | UInt32($1.value) << $1.place }
  }
}

/// A clock-in that the server decided otherwise than the phone, under the same policy and without
/// an override: it should never happen.
enum RuleDifference {
  /// The body of `POST /v1/me/rule-differences`; `nil` if there is nothing to report.
  /// - Parameter answer: A 201, or the problem `clock_in_blocked`.
  static func json(
    of action: QueuedClockAction, in answer: JSONFields, rulesVersion: String?
  ) -> JSONObject? {
    guard action.kind == .clockIn, let body = JSONFields(ofBody: action.body),
      let local = try? body.object("localDecision"), let decision = try? answer.object("decision"),
      let version = try? local.integer("policyVersion", in: 1...Int64.max),
      version == (try? answer.object("tracking")?.integer("policyVersion", in: 0...Int64.max)),
      (try? decision.texts("overridden"))?.isEmpty != false,
      let ours = try? findings(in: local), let theirs = try? findings(in: decision),
      differ(ours, theirs, onOtherSites: haveSitesChanged(local, answer))
    else { return nil }
    return [
      "actionId": .string(action.id), "rulesVersion": rulesVersion.map { .string($0) },
      "local": body["localDecision"],
      "server": [
        "findings": JSONValue(theirs) {
          ["code": .string($0.code), "severity": .string($0.severity)]
        }
      ],
      "arguments": action.arguments.isEmpty
        ? nil : .array(action.arguments.map { JSONValue($0) }),
    ]
  }

  private struct Item: Hashable {
    let code: String
    let severity: String
  }

  /// With the codes that are newer than the app.
  private static func findings(in fields: JSONFields) throws(BodyFault) -> [Item] {
    try fields.objects("findings").map { (item) throws(BodyFault) in
      Item(code: try item.shown("code"), severity: try item.shown("severity"))
    }
  }

  /// Whether the sites that the server judges by are not those of the phone.
  private static func haveSitesChanged(_ local: JSONFields, _ answer: JSONFields) -> Bool {
    let ours = try? local.text("sitesVersion", max: 64)
    return ours != (try? answer.text("sitesVersion", max: 64))
  }

  /// A phone may not know the error of its own clock, or it was set since the tap: `clock_wrong` on
  /// one side only comes from what was decided on, not from the rules. So do findings about a plan,
  /// which may have changed since, or begin in the seconds between, and about other sites.
  private static func differ(_ ours: [Item], _ theirs: [Item], onOtherSites: Bool) -> Bool {
    var left = [Finding.notPlanned.code, Finding.tooEarly.code]
    if onOtherSites { left += [Finding.offSite.code, Finding.siteUnknown.code] }
    let differing = Set(ours).symmetricDifference(theirs).filter { !left.contains($0.code) }
    guard !differing.isEmpty else { return false }
    return differing.count > 1 || differing.first?.code != Finding.clockWrong.code
  }
}
