import APIMessages
import GuardRules
import ShiftDomain
import ShiftOperations

/// What the guard knows of its own work: how fast it detects, and whether it reaches its goals.
struct FiguresView: Sendable {
  var clock: TeamClock
  var detection: DetectionFigures
  var figures: GuardFigures

  /// More misses than anybody reads.
  static let missesMax = 50
}

/// One of the guard's goals, and what became of it.
struct GuardGoal: Sendable {
  enum Result: Sendable {
    /// No app reports what would be counted.
    case unmeasured
    /// These spans, of which so many of a thousand are within the goal, and what was left out.
    case measured(SpanFigures, kept: Int?, missing: Missing?)
  }

  /// What should have been measured and was not.
  struct Missing: Sendable {
    var count: Int
    /// What they are, said of one and of many.
    var words: HTML
  }

  enum Verdict: Sendable {
    case kept, missed, unknown
  }

  var name: HTML
  var goal: HTML
  var result: Result

  var verdict: Verdict {
    switch result {
    case .measured(_, let kept?, let missing):
      kept == 1_000 && (missing?.count ?? 0) == 0 ? .kept : .missed
    case .measured, .unmeasured: .unknown
    }
  }
}

extension GuardFigures {
  /// Every goal, in the order in which an employee meets them.
  var goals: [GuardGoal] {
    [
      GuardGoal(
        name: "Saw within 3 s that permission is missing", goal: "95 of 100 people",
        result: .unmeasured),
      GuardGoal(
        name: "Granted permission at the first guided try", goal: "80 of 100 people",
        result: .unmeasured),
      GuardGoal(
        name: "Chose “always” after the explanation", goal: "as many as can be",
        result: .unmeasured),
      GuardGoal(
        name: "Clock-ins that failed without a word", goal: "none", result: .unmeasured),
      goal(
        "Restored a refused permission", "within \(restorationMax.exactWords)", restoration,
        within: restorationMax),
      goal(
        "Detected a downgrade", "within \(detectionMax.exactWords)", detection,
        within: detectionMax,
        missing: GuardGoal.Missing(count: unmeasured, words: "not measured")),
      goal(
        "Tracked again after a restoration", "within \(resumptionMax.exactWords)", resumption,
        within: resumptionMax,
        missing: GuardGoal.Missing(count: notResumed, words: "without a position after it")),
    ]
  }

  private func goal(
    _ name: HTML, _ goal: HTML, _ spans: SpanFigures, within bound: TimeSpan,
    missing: GuardGoal.Missing? = nil
  ) -> GuardGoal {
    GuardGoal(
      name: name, goal: goal,
      result: .measured(spans, kept: spans.permille(within: bound), missing: missing))
  }
}

extension TimeSpan {
  /// `12 ms`, `2.5 s`, `1 min 5 s`: short spans to the tenth of a second, for figures.
  var exactWords: String {
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if seconds < 60 {
      let tenth = milliseconds / 100 % 10
      return tenth == 0 ? "\(seconds) s" : "\(seconds).\(tenth) s"
    }
    return seconds < 3_600 && seconds % 60 != 0
      ? "\(seconds / 60) min \(seconds % 60) s" : words
  }
}

extension PageDesk {
  /// The guard's own figures, of the people whose coverage the viewer may see.
  var figuresRoutes: [Route] {
    [
      page("/figures") { _, viewer in
        let team = try await operations.teams().first { viewer.may(.coverage, of: $0.team) }
        return .page(
          FiguresView(
            clock: try TeamClock(zone: team?.timeZone ?? "UTC", now: settings.now()),
            detection: try await operations.detectionFigures(for: viewer),
            figures: try await operations.guardFigures(for: viewer)
          ).page)
      }
    ]
  }
}
