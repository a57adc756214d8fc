import ShiftDomain

/// Compares the sent notifications with the expected ones.
struct NotificationCheck {
  let differences: [Difference]

  /// A notification is sent within this time from its earliest moment.
  private static let patience = TimeSpan.seconds(5)

  /// - Parameter until: Notifications sent later are not part of the scenario.
  init(
    _ scenario: Scenario, _ sent: [SentNotification],
    _ expected: [(line: Int, at: Instant, NotificationWords)], until: Instant
  ) {
    var differences: [Difference] = []
    var rest = sent
    for (line, at, words) in expected {
      if let index = rest.firstIndex(where: {
        $0.isWhat(words) && $0.at >= at && $0.at <= at + Self.patience
      }) {
        rest.remove(at: index)
      } else {
        let near = sent.filter { $0.at >= at - .seconds(60) && $0.at <= at + .minutes(5) }
          .map { "\(scenario.words(of: $0.at)) \($0.text)" }
        let found = near.isEmpty ? "nothing near" : near.joined(separator: "; ")
        differences.append(
          Difference(
            line: line,
            text: "expected told \(words.text) from \(scenario.words(of: at)) on, found \(found)"))
      }
    }
    if !scenario.isUnchecked {
      differences += rest.filter { $0.at <= until }.map { notification in
        let line = scenario.lines.last { scenario.instant($0.at) <= notification.at }?.number
        return Difference(
          line: line ?? scenario.line,
          text: "not expected: told \(notification.text) at \(scenario.words(of: notification.at))")
      }
    }
    self.differences = differences
  }
}
