import APIJSON
import CommandParsing
import GuardRules
import JSONText
import ManagerOperations
import PolicyOperations
import ReadModels
import ShiftDomain

let policyCommands = Group(
  "policy", "the rules of a team, version by version", brief: "a team's rules",
  Leaf(
    listCommand(
      "list a team's policy versions, newest first", options: [limitOption],
      arguments: [teamArgument]),
    .operations(listPolicies)),
  Leaf(
    Command(
      "changes", "list what each version of a team's policy changed",
      options: [
        .integer(
          "limit", "maximum number of versions, each with all its changes", in: 1...10_000,
          default: 50)
      ],
      arguments: [teamArgument]),
    .operations(listPolicyChanges)),
  Leaf(
    Command(
      "show", "show a team's policy",
      arguments: [
        teamArgument,
        .integer(
          "version", "the version; by default the one in force", in: numbers, required: false),
      ]),
    .operations(showPolicy)),
  Leaf(
    Command(
      "set", "change a team's policy, now or later; other settings stay",
      options: [presetOption("preset", "preset"), findingOption]
        + PolicySpan.allCases.filter { !alertSpans.contains($0) }.map(\.option)
        + [accuracyMaxOption, selfOverrideOption, plannedOpeningOption, validFromOption],
      arguments: [teamArgument]),
    .operations(setPolicy)),
  Leaf(
    Command(
      "alerts", "change when and how often notifications are sent",
      options: alertSpans.map(\.option), arguments: [teamArgument],
      footer: """
        Late and no-show count from the planned start; 0s means never. The wait counts from the \
        opening of a silence; 0s means none. Away counts in shifts that begin after the change; \
        0s means never.
        """),
    .operations(setPolicy)),
  Leaf(
    Command(
      "planned", "show the planned policy", arguments: [teamArgument]),
    .operations(showPlannedPolicy)),
  Leaf(
    Command(
      "discard", "discard the planned policy", options: [byOption],
      arguments: [teamArgument]),
    .operations(discardPlannedPolicy)),
  Leaf(
    Command(
      "restore", "restore an earlier version as a new one",
      arguments: [teamArgument, .integer("version", "the version", in: numbers)]),
    .operations(restorePolicy)))

/// In a command of their own: the help of `policy set` fills the screen.
private let alertSpans: [PolicySpan] = [
  .cooldown, .lateAfter, .noShowAfter, .massSilenceWait, .hiddenReminderAfter, .awayAfter,
]

private let findingOption = Option.texts(
  "finding", "block, warn, advice or ignore", placeholder: "FINDING=SEVERITY")

private let selfOverrideOption = Option.choice(
  "self-override", "employees may override blocks", among: SelfOverride.allCases.map(\.code))

private let plannedOpeningOption = Option.choice(
  "open-planned", "planned shifts open by themselves", among: ["off", "on"])

private let validFromOption = Option.text(
  "valid-from", "later time, such as `2026-12-01T00:00:00+01:00`", placeholder: "TIME")

private let accuracyMaxOption = Option.text(
  "accuracy-max", "worst accepted accuracy (1 to 100000, none)",
  placeholder: "METERS")

extension PolicySpan {
  /// `fresh-for`: the name of the option that sets it.
  fileprivate var optionName: String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
  }

  fileprivate var option: Option {
    .text(optionName, "\(meaning) (\(bounds))", placeholder: "TIME")
  }

  private var meaning: String {
    switch self {
    case .freshFor: "age at which a report is stale"
    case .debounce: "delay before notifying"
    case .pingInterval: "interval between pings"
    case .maxRest: "longest rest a phone may announce"
    case .breakMax: "break length before a reminder"
    case .shiftMax: "longest shift"
    case .reminderAfter: "clock-out reminder in unplanned shifts"
    case .emailAfter: "time until an e-mail is sent"
    case .managersAfter: "time until managers are notified"
    case .cooldown: "minimum time between notifications"
    case .massSilenceWait: "wait while most phones are silent"
    case .hiddenReminderAfter: "time out of view until a reminder"
    case .lateAfter: "time without a clock-in until late"
    case .noShowAfter: "time without a clock-in until no-show"
    case .earlyWindow: "how early before a planned shift"
    case .awayAfter: "time off all sites until away"
    }
  }

  fileprivate var bounds: String { bounds(\.typed) }
}

extension Invocation {
  fileprivate func policyChanges() throws(Complaint) -> PolicyChanges {
    var changes = PolicyChanges(preset: try preset("preset"))
    for text in parsed.strings("finding") {
      let (finding, severity) = try move(text)
      guard changes.severities.updateValue(severity, forKey: finding) == nil else {
        throw .usage("`--finding \(finding.code)=…` is given twice")
      }
    }
    for span in PolicySpan.allCases where parsed.string(span.optionName) != nil {
      changes.spans[span] = try time(for: span)
    }
    if let text = parsed.string(accuracyMaxOption.name) {
      changes.accuracyMax = try accuracyChange(text)
    }
    if parsed.string(selfOverrideOption.name) != nil {
      changes.selfOverride = try coded(selfOverrideOption.name, SelfOverride.self)
    }
    changes.opensPlannedShifts = parsed.string(plannedOpeningOption.name).map { $0 == "on" }
    guard !changes.isEmpty else {
      throw .usage("nothing to change: see `--help`")
    }
    return changes
  }

  private func accuracyChange(_ text: String) throws(Complaint) -> AccuracyChange {
    if text == "none" { return .off }
    guard let meters = Int32(text), Policy.accuracyRange.contains(meters) else {
      throw .usage("`--accuracy-max` cannot be `\(text)`: it must be from 1 to 100000, or `none`")
    }
    return .meters(meters)
  }

  /// `when_in_use=block`
  private func move(_ text: String) throws(Complaint) -> (Finding, Severity) {
    let words = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 2 else {
      throw .usage(
        "`--finding` cannot be `\(text)`: write finding and severity, such as `denied=warn`")
    }
    let finding = try finding(words[0])
    guard let severity = Severity(code: words[1]), finding.severities.contains(severity) else {
      let known = finding.severities.map(\.code).joined(separator: ", ")
      throw .usage(
        "`\(words[1])` is not a severity of `\(finding.code)`: it must be one of \(known)")
    }
    return (finding, severity)
  }

  private func time(for span: PolicySpan) throws(Complaint) -> TimeSpan {
    let text = try text(span.optionName)
    guard let time = TimeSpan(text) else {
      throw .usage(
        "`--\(span.optionName)` cannot be `\(text)`: write a number with a unit, such as `5m`")
    }
    guard span.allows(time) else {
      throw .usage("`--\(span.optionName)` cannot be `\(text)`: it must be from \(span.bounds)")
    }
    return time
  }
}

private func listPolicies(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let policies = try await operations.policies.policyVersions(of: call.team, limit: call.limit)
  return Listing(policies, whenEmpty: "No policies.")
}

private func listPolicyChanges(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let versions = try await operations.policies.policyVersions(of: call.team, limit: call.limit)
  return Listing(
    rows: versions.flatMap(\.changes), json: versions.map(\.json),
    whenEmpty: "The policy has not been changed yet.")
}

private func showPolicy(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let version = call.optionalNumber("version")
  return Card(try await operations.policies.policy(of: call.team, version: version))
}

private func setPolicy(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let changes = try call.policyChanges()
  if let validFrom = try call.instant(validFromOption.name) {
    return try await plan(changes, call, operations, from: validFrom)
  }
  let (row, isNew) = try await operations.policies.setPolicy(
    of: call.team, changes, by: call.principal
  )
  .get()
  return inForce(row, isNew: isNew)
}

private func restorePolicy(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let version = try call.number("version")
  let (row, isNew) = try await operations.policies.restorePolicy(
    of: call.team, version: version, by: call.principal
  ).get()
  return inForce(row, isNew: isNew)
}

private func inForce(_ row: PolicyRow, isNew: Bool) -> any Answer {
  let team = row.team.rawValue
  return Made(
    value: "\(row.version)",
    explanation: isNew
      ? [
        "Version \(row.version) of the policy of team \(team) is now in force.",
        "To go back: `guardctl policy restore \(team) \(row.version - 1)`",
      ] : ["Version \(row.version), already in force, is identical: nothing was changed."],
    object: row.json.adding(["new": .bool(isNew)]))
}
