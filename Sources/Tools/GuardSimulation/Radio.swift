import ShiftDomain

/// The network from phones to the server: it delays, reorders, duplicates and loses messages.
struct Radio {
  /// A message in flight.
  struct Delivery {
    var upload: Upload
    /// The true time at which it was sent.
    var leftAt: Instant
    /// The phone's clock minus the true time, when it was sent.
    var clockError: TimeSpan
    /// When it arrives at the server.
    var arrivesAt: Instant

    /// The phone's clock when it was sent, as sent.
    var sentAt: Instant { leftAt + clockError }
  }

  private var underWay: [Delivery] = []
  /// When the last report without a number came, by device.
  private var lastUnnumbered: [Int16: Instant] = [:]

  init() { underWay.reserveCapacity(16) }

  /// Network delays in milliseconds: mostly short, sometimes a debounce or minutes.
  private static let delays: [Int64] = [
    0, 0, 0, 1, 80, 80, 300, 1_000, 1_999, 2_000, 7_000, 90_000,
  ]

  /// Sends a message; if the response is lost, the phone sends it again a little later.
  /// - Returns: Whether the message was sent; a lost message stays on the phone.
  mutating func send(
    _ upload: Upload, from clockError: TimeSpan, at now: Instant, _ dice: inout Dice
  ) -> Bool {
    if dice.oneIn(24) { return false }
    launch(upload, from: clockError, at: now, &dice)
    if dice.oneIn(16) { launch(upload, from: clockError, at: now + .seconds(3), &dice) }
    return true
  }

  private mutating func launch(
    _ upload: Upload, from clockError: TimeSpan, at time: Instant, _ dice: inout Dice
  ) {
    let arrivesAt = arrival(of: upload, from: time + .milliseconds(dice.pick(Self.delays)))
    underWay.append(
      Delivery(upload: upload, leftAt: time, clockError: clockError, arrivesAt: arrivesAt))
  }

  /// Nothing arrives until `end`: messages for that time are sent again then.
  mutating func holdBack(until end: Instant) {
    for place in underWay.indices where underWay[place].arrivesAt < end {
      let delay = end - underWay[place].arrivesAt
      underWay[place].leftAt = underWay[place].leftAt + delay
      underWay[place].arrivesAt = arrival(of: underWay[place].upload, from: end)
    }
  }

  /// The first moment from `time` on. Reports without a number are ordered by their receipt: no two
  /// of a device come in the same millisecond.
  private func arrival(of upload: Upload, from time: Instant) -> Instant {
    guard upload.sequence == nil else { return time }
    let taken = underWay.filter { $0.upload.device == upload.device && $0.upload.sequence == nil }
      .map(\.arrivesAt)
    var time = max(time, lastUnnumbered[upload.device].map { $0 + .milliseconds(1) } ?? time)
    while taken.contains(time) { time = time + .milliseconds(1) }
    return time
  }

  /// When the next message arrives; `nil` when none is in flight.
  var nextArrival: Instant? { next.map { underWay[$0].arrivesAt } }

  /// Removes the next message that arrives; `nil` when none is in flight.
  mutating func receive() -> Delivery? {
    guard let delivery = next.map({ underWay.remove(at: $0) }) else { return nil }
    if delivery.upload.sequence == nil {
      lastUnnumbered[delivery.upload.device] = delivery.arrivesAt
    }
    return delivery
  }

  /// The next message to arrive; of two at once, the one sent first.
  private var next: Int? {
    var first: Int?
    for place in underWay.indices {
      if let found = first, underWay[found].arrivesAt <= underWay[place].arrivesAt { continue }
      first = place
    }
    return first
  }
}
