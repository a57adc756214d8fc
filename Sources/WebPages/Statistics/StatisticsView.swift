import GuardRules
import HTTPAPI
import InsightOperations
import ReadModels
import ShiftDomain

struct StatisticsView: Sendable {
  var clock: TeamClock
  var detection: DetectionStatistics
  var statistics: GuardStatistics

  static let missesMax = 50
}

struct GuardGoal: Sendable {
  enum Result: Sendable {
    /// Of these employees, those who met the goal. A share without a goal is only shown.
    case share(Share, goal: Int?)
    /// How many of so many failed; the goal is none.
    case failures(Int, of: Int)
    /// The measured spans, how many per thousand meet the goal, and what was not measured.
    case measured(DurationStatistics, met: Int?, missing: Missing?)
  }

  struct Missing: Sendable {
    var count: Int
    /// What they are, in words that fit one and many.
    var words: HTML
  }

  enum Verdict: Sendable {
    case met, missed, unknown
  }

  var name: HTML
  var goal: HTML
  var result: Result

  var verdict: Verdict {
    switch result {
    case .measured(_, let met?, let missing):
      met == 1_000 && (missing?.count ?? 0) == 0 ? .met : .missed
    case .share(let share, let goal?):
      share.permille.map { $0 >= goal ? .met : .missed } ?? .unknown
    case .failures(let failed, let count): count == 0 ? .unknown : failed == 0 ? .met : .missed
    case .measured, .share: .unknown
    }
  }
}

extension GuardStatistics {
  var goals: [GuardGoal] {
    [
      GuardGoal(
        name: "Saw within 3 s that permission is missing", goal: "95 of 100 employees",
        result: .share(apps.indicatorInTime, goal: indicatorGoal)),
      GuardGoal(
        name: "Granted permission at the first guided attempt", goal: "80 of 100 employees",
        result: .share(apps.grantedAtFirst, goal: grantGoal)),
      GuardGoal(
        name: "Chose “always” after the explanation", goal: "as many as possible",
        result: .share(apps.alwaysGranted, goal: nil)),
      GuardGoal(
        name: "Clock-ins that failed without a message", goal: "none",
        result: .failures(
          apps.refusalsShown.count - apps.refusalsShown.met, of: apps.refusalsShown.count)),
      goal(
        "Restored a denied permission", "within \(restorationMax.exactWords)", restoration,
        within: restorationMax),
      goal(
        "Detected a downgrade", "within \(detectionMax.exactWords)", detection,
        within: detectionMax,
        missing: GuardGoal.Missing(count: unmeasured, words: "not measured")),
      goal(
        "Tracked again after a restoration", "within \(resumptionMax.exactWords)", resumption,
        within: resumptionMax,
        missing: GuardGoal.Missing(count: notResumed, words: "without a later position")),
    ]
  }

  private func goal(
    _ name: HTML, _ goal: HTML, _ spans: DurationStatistics, within bound: TimeSpan,
    missing: GuardGoal.Missing? = nil
  ) -> GuardGoal {
    GuardGoal(
      name: name, goal: goal,
      result: .measured(spans, met: spans.permille(within: bound), missing: missing))
  }
}

extension PageController {
  var statisticsRoutes: [AccessRoute] {
    [
      page("/statistics", .listing(.coverage)) { _, principal in
        let team = try await teams(for: principal).first
        return .page(
          StatisticsView(
            clock: try TeamClock(zone: team?.timeZone ?? "UTC", now: settings.now()),
            detection: try await operations.insight.detectionStatistics(for: principal),
            statistics: try await operations.insight.guardStatistics(for: principal)
          ).page)
      }
    ]
  }
}
