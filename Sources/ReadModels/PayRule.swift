import ShiftDomain

/// How the paid time of a shift is rounded. Raw values are stored; append-only.
package enum PayRounding: UInt8, Coded {
  case none = 0
  /// Half a step is rounded up.
  case nearest5 = 1
  case nearest10 = 2
  case nearest15 = 3
  /// In the employee's favour.
  case up5 = 4
  case up10 = 5
  case up15 = 6

  package var code: String {
    switch self {
    case .none: "none"
    case .nearest5: "nearest_5"
    case .nearest10: "nearest_10"
    case .nearest15: "nearest_15"
    case .up5: "up_5"
    case .up10: "up_10"
    case .up15: "up_15"
    }
  }

  /// `nil`: not rounded.
  private var step: TimeSpan? {
    switch self {
    case .none: nil
    case .nearest5, .up5: .minutes(5)
    case .nearest10, .up10: .minutes(10)
    case .nearest15, .up15: .minutes(15)
    }
  }

  fileprivate func rounded(_ span: TimeSpan) -> TimeSpan {
    guard let step = step?.milliseconds else { return span }
    let isUp = self == .up5 || self == .up10 || self == .up15
    let added = isUp ? step - 1 : step / 2
    return .milliseconds((span.milliseconds + added) / step * step)
  }
}

/// How a team pays the time of a shift.
package struct PayRule: Hashable, Sendable {
  package var rounding: PayRounding
  /// Whether breaks are paid.
  package var paysBreaks: Bool

  package init(rounding: PayRounding = .none, paysBreaks: Bool = false) {
    (self.rounding, self.paysBreaks) = (rounding, paysBreaks)
  }

  /// Each shift is rounded once, so that the sum of shifts is what is paid.
  package func paid(worked: TimeSpan, breaks: TimeSpan) -> TimeSpan {
    rounding.rounded(paysBreaks ? worked + breaks : worked)
  }
}
