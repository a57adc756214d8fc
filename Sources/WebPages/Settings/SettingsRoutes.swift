import GuardRules
import Guidance
import HTTPAPI
import HTTPServing
import ManagerOperations
import ShiftDomain

extension PageController {
  private static let versionsMax = 20

  /// Teams and their policies: managers can read them, administrators can change them.
  var settingsRoutes: [AccessRoute] {
    [
      page("/settings", .listing(.coverage)) { _, principal in
        let teams = try await operations.teams().filter { principal.may(.coverage, of: $0.team) }
        return .page(
          SettingsView(teams: teams, mayAdminister: principal.role == .administrator).page)
      },
      page("/settings/teams/{team}", .team(.coverage)) { request, principal in
        var view = try await policyView(in: request, for: principal)
        switch request.queryValue("done") {
        case "changed": view.done = "Policy saved and applied."
        case "nothing": view.done = "The policy is unchanged."
        case "restored": view.done = "Earlier version restored and applied."
        default: break
        }
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
          let isNew = try await operations.setPolicy(
            of: view.team.team, changes, matching: [fields["tag"]], by: principal
          ).get().isNew
          let done = isNew ? "changed" : "nothing"
          return .seeOther("/settings/teams/\(view.team.team.rawValue)?done=\(done)")
        } catch {
          return try await policyView(in: request, for: principal).refused(by: error)
        }
      },
      form("/settings/teams/{team}/versions/{version}/restore", .administrator) {
        request, fields, principal in
        try await restorePolicy(request, fields, principal)
      },
    ]
  }

  /// The first request shows what would change; the second one, which confirms it, restores.
  private func restorePolicy(
    _ request: HTTPRequest, _ fields: FormFields, _ principal: Principal
  ) async throws -> PageAnswer {
    var view = try await policyView(in: request, for: principal)
    let version: Int32 = try request.pathNumber("version", of: "policy version")
    let former = try await operations.policy(of: view.team.team, version: version)
    guard let inForce = view.inForce else { throw PageNotFound() }
    guard former.policy != inForce.policy else {
      return view.refused("Version \(version) has the settings that are in force.")
    }
    guard fields.isSure else {
      view.restoring = former
      return .page(view.page)
    }
    do {
      _ = try await operations.restorePolicy(
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
    let team = try await operations.team(request.pathTeam)
    return PolicyView(
      team: team, clock: try TeamClock(zone: team.timeZone, now: settings.now()),
      versions: try await operations.policyVersions(of: team.team, limit: Self.versionsMax),
      mayChange: principal.role == .administrator)
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
    return .refused(
      """
      “\(span.label)” must be from \(span.range.lowerBound.unrounded) to \
      \(span.range.upperBound.unrounded).
      """)
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
      guard let severity = Severity(code: fields[finding.code]) else { return nil }
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
