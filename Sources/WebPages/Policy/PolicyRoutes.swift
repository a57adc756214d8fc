import GuardRules
import Guidance
import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain

extension PageController {
  private static let versionsMax = 20

  /// Managers can read the policies of teams, administrators can change them.
  var policyRoutes: [AccessRoute] {
    [
      page("/settings/teams/{team}", .team(.coverage)) { request, principal in
        var view = try await policyView(in: request, for: principal)
        view.done = view.done(
          request.queryValue("done"),
          request.queryValue("clock").flatMap { ClockRemark(rawValue: $0) })
        return .page(view.page)
      },
      form("/settings/teams/{team}", .administrator) { request, fields, principal in
        var view = try await policyView(in: request, for: principal)
        view.typed = fields
        let changes: PolicyChanges
        switch view.draft {
        case .changes(let typed): changes = typed
        case .refused(let fault): return view.refused(fault)
        }
        do {
          return try await save(changes, fields, view, principal)
        } catch {
          return try await policyView(in: request, for: principal).refused(by: error)
        }
      },
      form("/settings/teams/{team}/planned/discard", .administrator) {
        request, fields, principal in
        try await discardPlannedPolicy(request, fields, principal)
      },
      form("/settings/teams/{team}/versions/{version}/restore", .administrator) {
        request, fields, principal in
        try await restorePolicy(request, fields, principal)
      },
    ]
  }

  /// Saves what was typed: now, or for the time that was typed too.
  private func save(
    _ changes: PolicyChanges, _ fields: FormFields, _ view: PolicyView, _ principal: Principal
  ) async throws -> PageAnswer {
    let team = view.team.team
    switch TypedValidFrom(fields, by: view.clock) {
    case .invalid:
      return view.refused("Enter the day and the time from which the policy is valid.")
    case .later(let validFrom, let remark):
      do {
        _ = try await operations.policies.planPolicy(
          of: team, changes, validFrom: validFrom, matching: [fields["tag"]], by: principal
        ).get()
      } catch let refusal as Refusal where refusal.kind == .conflict {
        return try view.refused(by: refusal)
      }
      let clock = remark.map { "&clock=\($0.rawValue)" } ?? ""
      return .seeOther("\(view.path)?done=planned\(clock)")
    case .now:
      let isNew = try await operations.policies.setPolicy(
        of: team, changes, matching: [fields["tag"]], by: principal
      ).get().isNew
      return .seeOther("\(view.path)?done=\(isNew ? "changed" : "nothing")")
    }
  }

  /// The first request asks; the second one, which confirms it, discards.
  private func discardPlannedPolicy(
    _ request: HTTPRequest, _ fields: FormFields, _ principal: Principal
  ) async throws -> PageAnswer {
    var view = try await policyView(in: request, for: principal)
    guard let planned = view.planned, !fields.isSure || fields.names(planned) else {
      return view.refused("That policy is not planned any more: it is in force, or was discarded.")
    }
    guard fields.isSure else {
      view.isDiscarding = true
      return .page(view.page)
    }
    do {
      try await operations.policies.discardPlannedPolicy(
        of: view.team.team, plannedAt: planned.createdAt, by: principal
      ).get()
    } catch let refusal as Refusal where refusal.kind == .conflict {
      return try await policyView(in: request, for: principal).refused(by: refusal)
    }
    return .seeOther("\(view.path)?done=discarded")
  }

  /// The first request shows what would change; the second one, which confirms it, restores.
  private func restorePolicy(
    _ request: HTTPRequest, _ fields: FormFields, _ principal: Principal
  ) async throws -> PageAnswer {
    var view = try await policyView(in: request, for: principal)
    let version: Int32 = try request.pathNumber("version", of: "policy version")
    let former = try await operations.policies.policy(of: view.team.team, version: version)
    guard let inForce = view.inForce else { throw PageNotFound() }
    guard former.policy != inForce.policy else {
      return view.refused("Version \(version) has the settings that are in force.")
    }
    guard fields.isSure else {
      view.restoring = former
      return .page(view.page)
    }
    do {
      _ = try await operations.policies.restorePolicy(
        of: view.team.team, version: version, matching: [fields["tag"]], by: principal
      ).get()
      return .seeOther("/settings/teams/\(view.team.team.rawValue)?done=restored")
    } catch {
      return try view.refused(by: error)
    }
  }

  func policyView(in request: HTTPRequest, for principal: Principal) async throws
    -> PolicyView
  {
    let team = try await operations.people.team(request.pathTeam)
    return PolicyView(
      team: team, clock: try TeamClock(zone: team.timeZone, now: settings.now()),
      versions: try await operations.policies.policyVersions(
        of: team.team, limit: Self.versionsMax),
      mayChange: principal.role == .administrator,
      planned: try await operations.policies.plannedPolicy(of: team.team))
  }
}

extension FormFields {
  /// Whether the question was about this planned policy.
  fileprivate func names(_ planned: PlannedPolicy) -> Bool {
    self["planned"] == String(planned.createdAt.milliseconds)
  }
}

extension PolicyView {
  fileprivate func done(_ completed: String?, _ remark: ClockRemark?) -> HTML? {
    let stays: HTML =
      planned == nil ? "" : " The planned policy stays, and replaces it at its time."
    return switch completed {
    case "changed": "Policy saved and applied.\(stays)"
    case "nothing": "The policy is unchanged."
    case "restored": "Earlier version restored and applied.\(stays)"
    case "planned": "Policy planned.\(remark.map { " \($0.text)" as HTML })"
    case "discarded": "The planned policy is discarded."
    default: nil
    }
  }
}

/// What was typed into the form of a policy.
enum PolicyDraft: Sendable {
  case changes(PolicyChanges)
  /// Why it is no policy.
  case refused(HTML)
}

extension PolicyView {
  var draft: PolicyDraft {
    guard let typed, let changes = PolicyChanges(typed, from: inForce?.policy) else {
      return .refused("Enter numbers in the units shown, and choose one of the listed values.")
    }
    guard let span = changes.outOfRange else { return .changes(changes) }
    return .refused("“\(span.label)” must be from \(span.bounds(\.unrounded)).")
  }
}

extension PolicyChanges {
  /// The values of the form; `nil` if they are invalid. Another preset brings its own table of
  /// findings: the script has filled the form with it, or else only the rows that were changed in
  /// the form are changed in that table.
  fileprivate init?(_ fields: FormFields, from former: Policy?) {
    guard let preset = Preset(code: fields["preset"]) else { return nil }
    self.init(
      preset: preset, selfOverride: fields["selfOverride"] == "with_reason" ? .withReason : .off,
      opensPlannedShifts: !fields["opensPlannedShifts"].isEmpty)
    let isShown = preset == former?.preset || fields["filled"] == preset.code
    for finding in Finding.allCases {
      guard let severity = Severity(code: fields[finding.code]),
        finding.severities.contains(severity)
      else { return nil }
      if isShown || severity != former?.severities[finding] {
        severities[finding] = severity
      }
    }
    for span in PolicySpan.allCases {
      guard let typed = fields.text(span.fieldName) else {
        guard fields.text(span.name) == nil else { return nil }
        continue
      }
      // What was not changed stays as it is, also if the form shows it rounded.
      if let former, typed == span.unit.text(of: former[span]) { continue }
      guard let value = span.unit.span(typed) else { return nil }
      spans[span] = value
    }
    // A form without this field, from an older version, does not change it.
    guard let typed = fields.text("accuracyMax") else { return }
    if typed.isEmpty {
      accuracyMax = .off
    } else {
      guard let meters = Int32(typed), Policy.accuracyRange.contains(meters) else { return nil }
      accuracyMax = .meters(meters)
    }
  }
}
