import CivilTime

/// Days that are paid together, both ends included.
package struct PayPeriod: Hashable, Sendable {
  package let from: CivilDate
  package let to: CivilDate

  package init(from: CivilDate, to: CivilDate) { (self.from, self.to) = (from, to) }

  /// The pay period that holds `day`.
  package init(of day: CivilDate, _ settings: PayrollSettings) {
    switch settings.period {
    case .week: self.init(of: day, days: 7, from: Int(settings.startsOn))
    case .twoWeeks: self.init(of: day, days: 14, from: Int(settings.startsOn))
    case .halfMonth:
      let first = day.advanced(by: day.day > 15 ? 16 - day.day : 1 - day.day)
      self.init(from: first, to: day.day > 15 ? day.lastOfMonth : first.advanced(by: 14))
    case .month: self.init(from: day.advanced(by: 1 - day.day), to: day.lastOfMonth)
    }
  }

  private init(of day: CivilDate, days length: Int, from first: Int) {
    let distance = day.daysSince1970 - first
    let into = (distance % length + length) % length
    from = day.advanced(by: -into)
    to = from.advanced(by: length - 1)
  }

  package func before(_ settings: PayrollSettings) -> PayPeriod {
    PayPeriod(of: from.advanced(by: -1), settings)
  }

  package func after(_ settings: PayrollSettings) -> PayPeriod {
    PayPeriod(of: to.advanced(by: 1), settings)
  }
}

extension PayrollSettings {
  /// The first day of one pay period, from which weeks are counted.
  package var firstDay: CivilDate {
    get { CivilDate(daysSince1970: Int(startsOn)) }
    set { startsOn = Int32(newValue.daysSince1970) }
  }
}
