import APIMessages
import GuardRules
import HTTPServing
import ShiftDomain
import ShiftOperations

extension PageDesk {
  private static let versionsMax = 20

  /// Teams and their policies: managers read, administrators change.
  var settingsRoutes: [Route] {
    [
      page("/settings") { _, viewer in
        let teams = try await operations.teams().filter { viewer.may(.coverage, of: $0.team) }
        return .page(SettingsView(teams: teams, mayAdminister: viewer.role == .administrator).page)
      },
      page("/settings/teams/{team}") { request, viewer in
        var view = try await policyView(in: request, for: viewer)
        switch request.queryValue("done") {
        case "changed": view.done = "The policy is in force from now on."
        case "nothing": view.done = "Nothing was changed."
        default: break
        }
        return .page(view.page)
      },
      form("/settings/teams/{team}") { request, fields, viewer in
        var view = try await policyView(in: request, for: viewer)
        view.typed = fields
        guard let changes = PolicyChanges(fields, from: view.inForce?.policy) else {
          return view.refused(
            "A time is no whole number of seconds, or a choice is none of these.")
        }
        if let span = changes.outOfRange {
          return view.refused(
            """
            “\(span.title)” must be \(span.range.lowerBound.seconds) to \
            \(span.range.upperBound.seconds) seconds.
            """)
        }
        switch try await operations.setPolicy(
          of: view.team.team, changes, matching: [fields["tag"]], by: viewer)
        {
        case .made:
          return .seeOther("/settings/teams/\(view.team.team.rawValue)?done=changed")
        case .unchanged:
          return .seeOther("/settings/teams/\(view.team.team.rawValue)?done=nothing")
        case .changedMeanwhile:
          return try await policyView(in: request, for: viewer)
            .refused("Somebody else changed the policy meanwhile; this is how it is now.")
        }
      },
    ]
  }

  private func policyView(in request: HTTPRequest, for viewer: Viewer) async throws -> PolicyView {
    let team = try await operations.team(TeamID(in: request.parameters))
    return PolicyView(
      team: team, clock: try TeamClock(zone: team.timeZone, now: settings.now()),
      versions: try await operations.policies(of: team.team, limit: Self.versionsMax),
      mayChange: viewer.role == .administrator)
  }
}

extension PolicyChanges {
  /// All that the form says; `nil` for what is no policy at all. Another preset brings its own
  /// table of findings, and what was changed in the form besides is changed in that table.
  fileprivate init?(_ fields: FormFields, from former: Policy?) {
    guard let preset = Preset(code: fields["preset"]) else { return nil }
    self.init(
      preset: preset, selfOverride: fields["selfOverride"] == "with_reason" ? .withReason : .off)
    for finding in Finding.allCases {
      guard let severity = Severity(code: fields[finding.code]) else { return nil }
      if preset == former?.preset || severity != former?.severities[finding] {
        severities[finding] = severity
      }
    }
    for span in PolicySpan.allCases {
      guard let seconds = Int64(fields[span.name]) else { return nil }
      spans[span] = .seconds(seconds)
    }
    // A form from before this setting has no such field, and changes nothing.
    guard let typed = fields.text("accuracyMax") else { return }
    if typed.isEmpty {
      accuracyMax = .off
    } else {
      guard let meters = Int32(typed), Policy.accuracyRange.contains(meters) else { return nil }
      accuracyMax = .meters(meters)
    }
  }
}
