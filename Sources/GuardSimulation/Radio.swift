import ShiftDomain

/// The way from phones to the server: it delays, and thereby reorders, doubles and loses.
struct Radio {
  /// A message under way.
  struct Delivery {
    var message: Message
    /// The true time at which it was sent.
    var leftAt: Instant
    /// The phone's clock minus the true time then.
    var clockError: TimeSpan
    /// When it reaches the server.
    var arrivesAt: Instant

    /// The phone's clock when it was sent, as sent.
    var sentAt: Instant { leftAt + clockError }
  }

  private var underWay: [Delivery] = []

  init() { underWay.reserveCapacity(16) }

  /// Milliseconds on the way: mostly a moment, sometimes a debounce or minutes.
  private static let delays: [Int64] = [
    0, 0, 0, 1, 80, 80, 300, 1_000, 1_999, 2_000, 7_000, 90_000,
  ]

  /// Sends; the answer may be lost, and then the phone sends once more, a little later.
  /// - Returns: Whether the message is on its way; a lost one stays with the phone.
  mutating func send(
    _ message: Message, from clockError: TimeSpan, at now: Instant, _ dice: inout Dice
  ) -> Bool {
    if dice.oneIn(24) { return false }
    launch(message, from: clockError, at: now, &dice)
    if dice.oneIn(16) { launch(message, from: clockError, at: now + .seconds(3), &dice) }
    return true
  }

  private mutating func launch(
    _ message: Message, from clockError: TimeSpan, at time: Instant, _ dice: inout Dice
  ) {
    let arrivesAt = time + .milliseconds(dice.pick(Self.delays))
    underWay.append(
      Delivery(message: message, leftAt: time, clockError: clockError, arrivesAt: arrivesAt))
  }

  /// Nothing arrives until `end`: what would have is sent again then.
  mutating func holdBack(until end: Instant) {
    for place in underWay.indices where underWay[place].arrivesAt < end {
      let delay = end - underWay[place].arrivesAt
      underWay[place].leftAt = underWay[place].leftAt + delay
      underWay[place].arrivesAt = end
    }
  }

  /// When the next message arrives; `nil` when none is under way.
  var nextArrival: Instant? { next.map { underWay[$0].arrivesAt } }

  /// Takes out the next message that arrives; `nil` when none is under way.
  mutating func receive() -> Delivery? { next.map { underWay.remove(at: $0) } }

  /// Of two at once, the one sent first.
  private var next: Int? {
    var first: Int?
    for place in underWay.indices {
      if let found = first, underWay[found].arrivesAt <= underWay[place].arrivesAt { continue }
      first = place
    }
    return first
  }
}
