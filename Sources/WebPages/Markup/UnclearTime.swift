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
    switch clock.typedTime(fieldText: self[name]) {
    case nil: throw UnclearTime(reason: "Enter the \(name) as a date and time.")
    case .once(let instant): return instant
    case .never(let before, let after):
      throw UnclearTime(
        reason: """
          The clock is set forward over the \(name): enter \(clock.hourAndMinute(before)) or \
          \(clock.hourAndMinute(after)).
          """)
    case .twice(let first, let second):
      switch self[name + "Again"] {
      case "first": return first
      case "second": return second
      default: throw UnclearTime(reason: Self.question(name, clock.shown(first)))
      }
    }
  }

  private static func question(_ name: String, _ time: String) -> HTML {
    func choice(_ value: String, _ label: String) -> HTML {
      """
      <label><input type="radio" name="\(name)Again" value="\(value)"> \(label)</label>
      """
    }
    return """
      <fieldset><legend>The clock shows \(time) twice on the day of the \(name). Which is meant?\
      </legend>\(choice("first", "The first, before it is set back"))
      \(choice("second", "The second, after it was set back"))</fieldset>
      """
  }
}
