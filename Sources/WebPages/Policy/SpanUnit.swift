import ShiftDomain

/// The unit in which a form has a duration.
enum SpanUnit: Sendable {
  case seconds, minutes, hours

  var symbol: String {
    switch self {
    case .seconds: "s"
    case .minutes: "min"
    case .hours: "h"
    }
  }

  private var milliseconds: Int64 {
    switch self {
    case .seconds: 1_000
    case .minutes: 60_000
    case .hours: 3_600_000
    }
  }

  /// Enough decimals to tell any two seconds apart.
  private var decimals: Int {
    switch self {
    case .seconds: 3
    case .minutes: 2
    case .hours: 4
    }
  }

  /// `1.5` for 90 seconds in minutes.
  func text(of span: TimeSpan) -> String {
    let scale = power(of: decimals)
    let (whole, rest) = span.milliseconds.quotientAndRemainder(dividingBy: milliseconds)
    let parts = (rest * scale + milliseconds / 2) / milliseconds
    guard parts > 0 else { return String(whole) }
    guard parts < scale else { return String(whole + 1) }
    let digits = String(parts)
    var fraction = String(repeating: "0", count: decimals - digits.count) + digits
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(whole).\(fraction)"
  }

  /// What was typed, rounded to the second: two thirds of a minute have no exact decimals. `nil`
  /// if it is no number of this unit, or a part of a second.
  func span(_ typed: String) -> TimeSpan? {
    let parts = typed.replacing(",", with: ".").split(
      separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...6).contains(parts[0].utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let whole = Int64(parts[0])
    else { return nil }
    guard parts.count == 2 else { return .milliseconds(whole * milliseconds) }
    guard self != .seconds, (1...6).contains(parts[1].utf8.count), let part = Int64(parts[1])
    else { return nil }
    let rest = part * milliseconds / power(of: parts[1].utf8.count)
    return .seconds((whole * milliseconds + rest + 500) / 1_000)
  }

  private func power(of count: Int) -> Int64 { (0..<count).reduce(1) { power, _ in power * 10 } }
}
