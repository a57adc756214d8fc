import ShiftDomain

// Every way to write a duration for people, shown by its examples.

extension TimeSpan {
  /// `3 h 12 min`, `12 min`, `40 s`: at most two units, to the nearest minute from a minute on.
  package var words: String {
    let minutes = nearestMinutes
    if seconds < 60 { return "\(max(0, seconds)) s" }
    if minutes < 60 { return "\(minutes) min" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }

  /// `12 ms`, `2.5 s`, `1 min 5 s`: short spans to the tenth of a second, for statistics.
  package var exactWords: String {
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if seconds < 60 {
      let tenth = milliseconds / 100 % 10
      return tenth == 0 ? "\(seconds) s" : "\(seconds).\(tenth) s"
    }
    return seconds < 3_600 && seconds % 60 != 0
      ? "\(seconds / 60) min \(seconds % 60) s" : words
  }

  /// `1 h 30 min`, `1 min 40 s`, `0 s`: every unit that is not zero.
  package var unrounded: String {
    let parts: [(Int64, String)] = [
      (seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
      (milliseconds % 1_000, "ms"),
    ]
    let words = parts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? "0 s" : words.joined(separator: " ")
  }

  /// The span in the largest unit of which it holds at least two, rounded down: `90 s`, `3 min`,
  /// `47 h`, `5 d`. For spans of at least a second.
  package var roughly: String { "\(milliseconds / roughUnit.milliseconds) \(roughUnit.name)" }

  /// The largest unit of which the span holds at least two, or seconds.
  package var roughUnit: (name: String, milliseconds: Int64) {
    switch seconds {
    case ..<120: ("s", 1_000)
    case ..<7_200: ("min", 60_000)
    case ..<172_800: ("h", 3_600_000)
    default: ("d", 86_400_000)
    }
  }

  /// `5m`: whole seconds as written for an option, in the largest exact unit up to hours.
  package var typed: String {
    if seconds != 0, seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
    return seconds != 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }

  /// The span to the minute, `3 h 12 min`; to the second below an hour, `4 min 10 s`; to the
  /// millisecond below a second.
  package var exactly: String {
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if seconds >= 3_600 { return "\(nearestMinutes / 60) h \(nearestMinutes % 60) min" }
    return seconds >= 60 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds) s"
  }

  /// `128:05`, rounded to the nearest minute.
  package var hoursAndMinutes: String {
    let minute = nearestMinutes % 60
    return "\(nearestMinutes / 60):\(minute < 10 ? "0" : "")\(minute)"
  }
}
