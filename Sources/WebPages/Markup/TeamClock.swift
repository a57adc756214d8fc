import CivilTime
import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

struct TeamClock: Sendable {
  let time: CivilTime
  let today: CivilDate
  let day: Interval
  /// Seconds since midnight at the day's first instant; `nil` if the clock changes on that day.
  private let steadyStart: Int?

  /// - Throws: `.broken` for an unknown zone.
  init(zone: String, now: Instant) throws(OperationError) {
    guard let time = CivilTime(zone: zone) else {
      throw .broken(detail: "a team has an unknown time zone")
    }
    self.time = time
    today = time.date(of: now)
    day = time.span(of: today)
    let isSteady = day.length == .hours(24)
    steadyStart = isSteady ? time.secondsOfDay(at: day.start) : nil
  }

  /// `14:05`, or `02:05+01:00` if the clock shows that twice.
  func hourAndMinute(_ instant: Instant) -> String { shown(instant) + offset(at: instant) }

  /// `14:05:09`, or `02:05:09+01:00`.
  func toTheSecond(_ instant: Instant) -> String {
    shownToTheSecond(instant) + offset(at: instant)
  }

  /// `14:05`, as the clock shows it.
  func shown(_ instant: Instant) -> String {
    let minutes = seconds(at: instant) / 60
    return "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }

  private func shownToTheSecond(_ instant: Instant) -> String {
    "\(shown(instant)):\(twoDigits(seconds(at: instant) % 60))"
  }

  private func offset(at instant: Instant) -> String {
    steadyStart != nil && isToday(instant) ? "" : time.offsetText(at: instant) ?? ""
  }

  /// `14:05` today, `Thu 19 Nov, 22:10` on another day, `Thu 20 Nov 2025, 22:10` in another year.
  func short(_ instant: Instant) -> String {
    isToday(instant) ? hourAndMinute(instant) : "\(shortDay(instant)), \(hourAndMinute(instant))"
  }

  /// `Thu 19 Nov, 22:10–23:05`: the day of the end only if it is another one.
  func span(_ start: Instant, _ end: Instant) -> String {
    "\(short(start))–\(self.end(end, after: start))"
  }

  /// `23:05`, or `Fri 20 Nov, 00:40` if it is on another day than `start`.
  func end(_ end: Instant, after start: Instant) -> String {
    time.date(of: start) == time.date(of: end) ? hourAndMinute(end) : short(end)
  }

  /// `Thu 19 Nov`, with the year if it is not the current one.
  func shortDay(_ instant: Instant) -> String { time.date(of: instant).short(asOf: today) }

  /// `Thursday 19 November`, with the year if it is not the current one.
  func longDay(_ instant: Instant) -> String { time.date(of: instant).long(asOf: today) }

  /// `2026-11-20T14:05`, the format of a form field. Nobody types seconds.
  func fieldText(_ instant: Instant) -> String {
    "\(time.date(of: instant).text)T\(shown(instant))"
  }

  /// Of a time that occurs twice the first; one that is skipped moves forward.
  func instant(fieldText text: String) -> Instant? {
    fields(of: text).map { date, hour, minute, second in
      time.instant(of: date, hour: hour, minute: minute) + .seconds(Int64(second))
    }
  }

  func typedTime(fieldText text: String) -> TypedTime? {
    fields(of: text).map { time.typed($0, hour: $1, minute: $2, second: $3) }
  }

  private func fields(of text: String) -> (CivilDate, hour: Int, minute: Int, second: Int)? {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let date = CivilDate(String(parts[0])) else { return nil }
    let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 2 || clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 }),
      let hour = Int(clock[0]), (0...23).contains(hour),
      let minute = Int(clock[1]), (0...59).contains(minute),
      let second = clock.count == 3 ? Int(clock[2]) : 0, (0...59).contains(second)
    else { return nil }
    return (date, hour, minute, second)
  }

  func isToday(_ instant: Instant) -> Bool { day.start <= instant && instant < day.end }

  /// The last full hour at or before `instant`, in local time.
  func hourBegin(_ instant: Instant) -> Instant {
    let intoHour = Int64(seconds(at: instant) % 3_600) * 1_000 + instant.milliseconds % 1_000
    return instant - .milliseconds(intoHour)
  }

  /// The hour of the local time, 0…23.
  func hour(_ instant: Instant) -> Int { seconds(at: instant) / 3_600 }

  private func seconds(at instant: Instant) -> Int {
    guard let steadyStart, isToday(instant) else { return time.secondsOfDay(at: instant) }
    return (steadyStart + Int((instant - day.start).seconds)) % 86_400
  }
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

extension CivilDate {
  /// `Fri 20 Nov`, with the year if it is not the year of `today`.
  func short(asOf today: CivilDate) -> String {
    "\(weekdayName.prefix(3)) \(day) \(monthName.prefix(3))\(yearText(asOf: today))"
  }

  /// `Fri 20`
  var inWeek: String { "\(weekdayName.prefix(3)) \(day)" }

  /// `Friday 20 November`, with the year if it is not the year of `today`.
  func long(asOf today: CivilDate) -> String {
    "\(weekdayName) \(day) \(monthName)\(yearText(asOf: today))"
  }

  private func yearText(asOf today: CivilDate) -> String { year == today.year ? "" : " \(year)" }

  private var weekdayName: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][weekday - 1]
  }

  private var monthName: String {
    [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ][month - 1]
  }
}

/// `98.2 %`, rounded down already; `100 %` for all.
func percent(permille: Int) -> String {
  permille == 1_000 ? "100\u{202F}%" : "\(permille / 10).\(permille % 10)\u{202F}%"
}

/// The tracking rate among the figures of a card, green only if most of the time was tracked.
/// - Parameter permille: Tracked per thousand; `nil` if there was no time to track.
func trackedFigure(permille: Int?) -> HTML {
  let mark: HTML =
    switch permille {
    case .some(900...): " class=\"good\""
    case .some(..<500): " class=\"bad\""
    default: ""
    }
  return """
    <div\(mark)><dt>Tracked</dt><dd>\(permille.map { percent(permille: $0) } ?? "–")</dd></div>
    """
}
