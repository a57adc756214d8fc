import ShiftDomain

extension CivilTime {
  /// When the quiet hours end in which `now` is; `nil` outside them.
  package func end(of quiet: QuietHours, at now: Instant) -> Instant? {
    let today = date(of: now)
    for day in [today.advanced(by: -1), today] {
      let last = quiet.until < quiet.from ? day.advanced(by: 1) : day
      let end = instant(of: last, minute: quiet.until)
      if instant(of: day, minute: quiet.from) <= now, now < end { return end }
    }
    return nil
  }

  private func instant(of date: CivilDate, minute: Int16) -> Instant {
    instant(of: date, hour: Int(minute) / 60, minute: Int(minute) % 60)
  }
}

extension QuietHours {
  /// Reads times such as `22:00` and `6:30`; `nil` if one is invalid, or both are the same.
  package init?(from: String, until: String, letsUrgentPass: Bool) {
    guard let from = minuteOfDay(from), let until = minuteOfDay(until) else { return nil }
    self.init(from: from, until: until, letsUrgentPass: letsUrgentPass)
  }

  /// `22:00`
  package var fromText: String { timeText(from) }
  package var untilText: String { timeText(until) }
}

private func minuteOfDay(_ text: String) -> Int16? {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
    parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
    let hour = Int16(parts[0]), let minute = Int16(parts[1]), hour < 24, minute < 60
  else { return nil }
  return hour * 60 + minute
}

private func timeText(_ minutes: Int16) -> String {
  func padded(_ number: Int16) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(padded(minutes / 60)):\(padded(minutes % 60))"
}
