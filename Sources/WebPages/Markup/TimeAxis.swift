import ShiftDomain

struct TimeAxis: Hashable, Sendable {
  var start: Instant
  var end: Instant

  /// The position of `instant` in thousandths of the axis, clamped to it.
  func permille(_ instant: Instant) -> Int64 {
    let length = max(1, (end - start).milliseconds)
    let place = min(max(0, (instant - start).milliseconds), length)
    return place.multipliedReportingOverflow(by: 1_000).partialValue / length
  }

  /// The hours above the bars, with a mark at the current time. Hours at the ends, whose text would
  /// not fit, are left out.
  /// - Parameter id: By which the script of the board finds them.
  func hours(_ clock: TeamClock, now: Instant?, id: HTML? = nil) -> HTML {
    let labels = fullHours(clock).map { hour -> HTML in
      "<text x=\(percent(hour)) y=12>\(clock.shown(hour))</text>"
    }
    let present = now.map { "<rect x=\(percent($0)) />" as HTML }
    return """
      <svg class="hours"\(id.map { " id=\"\($0)\"" as HTML }) aria-hidden="true">\
      \(labels)\(present)</svg>
      """
  }

  /// At most six, at hours that the step divides in local time.
  private func fullHours(_ clock: TeamClock) -> [Instant] {
    let step =
      switch (end - start).seconds / 3_600 {
      case ...6: 1
      case ...12: 2
      case ...18: 3
      case ...24: 4
      default: 6
      }
    var hours: [Instant] = []
    var hour = clock.hourBegin(start)
    while hour < end {
      if clock.hour(hour) % step == 0, (75...925).contains(permille(hour)) { hours.append(hour) }
      hour = hour + .hours(1)
    }
    return hours
  }

  private func percent(_ instant: Instant) -> HTML {
    "\(permille(instant) / 10).\(permille(instant) % 10)%"
  }
}
