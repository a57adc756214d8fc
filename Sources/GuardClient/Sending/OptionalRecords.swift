import ShiftDomain

/// The records on which nothing depends: what the app says about itself. They are sent when nothing
/// else is left, wait by themselves after a failure, and the oldest make room for new ones.
struct OptionalRecords: Sendable {
  /// In the order of arrival.
  private(set) var numbers: [UInt64]
  private var backOff = BackOff()
  private var notBefore: Instant?

  /// The most that wait. The server takes 1,000 of a device in a day.
  static let countMax = 500

  init(_ numbers: [UInt64] = []) { self.numbers = numbers }

  mutating func add(_ number: UInt64) { numbers.append(number) }

  mutating func remove(_ removed: [UInt64]) {
    let removed = Set(removed)
    numbers.removeAll { removed.contains($0) }
  }

  /// Nothing needs to wait any longer.
  mutating func resume() { (backOff, notBefore) = (BackOff(), nil) }

  /// What has to go before another one comes.
  var surplus: [UInt64] { Array(numbers.prefix(max(0, numbers.count + 1 - Self.countMax))) }

  /// What is left of the pause after a failure; `nil` if they may be sent, or none wait.
  func pause(at now: Instant) -> TimeSpan? {
    guard !numbers.isEmpty, let notBefore, now < notBefore,
      // A clock that was set back must not put them off for longer than usual.
      notBefore - now <= BackOff.retryAfterMax + .minutes(1)
    else { return nil }
    return notBefore - now
  }

  mutating func fail(retryAfter: TimeSpan?, chance: Double, at now: Instant) {
    notBefore = now + backOff.fail(retryAfter: retryAfter, chance: chance)
  }
}
