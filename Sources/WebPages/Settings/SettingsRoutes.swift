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
        view.isDone = request.queryValue("done") == "changed"
        return .page(view.page)
      },
      form("/settings/teams/{team}") { request, fields, viewer in
        var view = try await policyView(in: request, for: viewer)
        guard view.mayChange else { throw PageNotFound() }
        view.typed = fields
        guard let changes = PolicyChanges(fields, from: view.policy?.preset) else {
          view.fault = "A time is no whole number of seconds, or a choice is none of these."
          return .page(view.page, status: 422)
        }
        if let span = changes.outOfRange {
          view.fault = """
            “\(span.title)” must be \(span.range.lowerBound.seconds) to \
            \(span.range.upperBound.seconds) seconds.
            """
          return .page(view.page, status: 422)
        }
        _ = try await operations.setPolicy(of: view.team.team, changes)
        return .seeOther("/settings/teams/\(view.team.team.rawValue)?done=changed")
      },
    ]
  }

  private func policyView(in request: HTTPRequest, for viewer: Viewer) async throws -> PolicyView {
    guard let number = request.parameters["team"].flatMap({ Int32($0) }),
      viewer.may(.coverage, of: TeamID(number))
    else { throw PageNotFound() }
    let team = try await operations.team(TeamID(number))
    return PolicyView(
      team: team, clock: try TeamClock(zone: team.timeZone, now: settings.now()),
      versions: try await operations.policies(of: team.team, limit: Self.versionsMax),
      mayChange: viewer.role == .administrator)
  }
}

extension PolicyChanges {
  /// All that the form says; `nil` for what is no policy at all. Another preset brings its own
  /// severities, whatever the form's others say.
  fileprivate init?(_ fields: FormFields, from former: Preset?) {
    guard let preset = Preset(code: fields["preset"]) else { return nil }
    self.init(
      preset: preset, selfOverride: fields["selfOverride"] == "with_reason" ? .withReason : .off)
    for finding in Finding.allCases {
      guard let severity = Severity(code: fields[finding.code]) else { return nil }
      if preset == former { severities[finding] = severity }
    }
    for span in PolicySpan.allCases {
      guard let seconds = Int64(fields[span.name]) else { return nil }
      spans[span] = .seconds(seconds)
    }
  }
}
