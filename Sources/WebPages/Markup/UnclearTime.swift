import CivilTime
import HTTPServing
import ShiftDomain

/// Why a typed time is not taken, for the form in which it was typed.
struct UnclearTime: Error {
  let reason: HTML
}

extension FormFields {
  /// The time that was typed as the field `name`. Where it occurs twice, the form asks which one is
  /// meant.
  func time(_ name: String, by clock: TeamClock) throws(UnclearTime) -> Instant {
    try meant(self[name], of: name, name, "a date and time", clock)
  }

  /// The same of a time of day, on that day.
  func time(_ name: String, _ label: String, on day: CivilDate, by clock: TeamClock)
    throws(UnclearTime) -> Instant
  {
    try meant("\(day.text)T\(self[name])", of: name, label, "a time such as 12:30", clock)
  }

  /// The first such time of day from `start` on.
  func time(_ name: String, _ label: String, after start: Instant, by clock: TeamClock)
    throws(UnclearTime) -> Instant
  {
    let day = clock.time.date(of: start)
    var isLater = self[name] >= clock.shown(start)
    // Perhaps the clock was set back since.
    if case .twice(_, let second) = clock.typedTime(fieldText: "\(day.text)T\(self[name])") {
      isLater = isLater || second >= start
    }
    return try time(name, label, on: isLater ? day : day.advanced(by: 1), by: clock)
  }

  private func meant(
    _ typed: String, of name: String, _ label: String, _ form: String, _ clock: TeamClock
  ) throws(UnclearTime) -> Instant {
    switch clock.typedTime(fieldText: typed) {
    case nil: throw UnclearTime(reason: "Enter the \(label) as \(form).")
    case .once(let instant): return instant
    case .never(let before, let after):
      throw UnclearTime(
        reason: """
          The clock is set forward over the \(label): enter \(clock.hourAndMinute(before)) or \
          \(clock.hourAndMinute(after)).
          """)
    case .twice(let first, let second):
      switch self[name + "Again"] {
      case "first": return first
      case "second": return second
      default: throw UnclearTime(reason: Self.question(name, label, clock.shown(first)))
      }
    }
  }

  private static func question(_ name: String, _ label: String, _ time: String) -> HTML {
    func choice(_ value: String, _ label: String) -> HTML {
      """
      <label><input type="radio" name="\(name)Again" value="\(value)"> \(label)</label>
      """
    }
    return """
      <fieldset><legend>The clock shows \(time) twice on the day of the \(label). Which is meant?\
      </legend>\(choice("first", "The first, before it is set back"))
      \(choice("second", "The second, after it was set back"))</fieldset>
      """
  }
}
