internal import GuardSimulation
internal import ShiftDomain

/// One upload to come.
struct PlannedUpload: Hashable, Sendable {
  /// When, from the phone's start; zero when it is not to wait.
  var due: TimeSpan
  /// The numbers of the pings, in the order sent; a phone counts its own from 0.
  var pings: [Int]
}

/// A phone's uploads without end, by chance from a seed.
struct UploadPlan: Sendable {
  private let shape: LoadShape
  private var dice: Dice
  /// From one of the phone's pings to its next.
  let spacing: TimeSpan
  private let phase: TimeSpan
  /// How many pings were counted so far.
  private var counted = 0
  private var heldBack: [Int] = []

  /// No phone keeps more than this back.
  static let heldBackMax = 100

  init(_ shape: LoadShape, phone: Int, of phones: Int) {
    self.shape = shape
    dice = Dice(seed: shape.seed &+ UInt64(phone) &* 0x9E37_79B9_7F4A_7C15)
    spacing = .milliseconds(
      shape.pingsPerSecond == 0
        ? 1 : max(1, Int64(Double(phones) * 1_000 / shape.pingsPerSecond)))
    // So that phones with one rhythm do not all speak at once.
    phase = .milliseconds(spacing.milliseconds * Int64(phone) / Int64(phones))
  }

  mutating func next() -> PlannedUpload {
    let fresh = counted..<(counted + shape.items.lowerBound + dice.below(shape.items.count))
    counted = fresh.upperBound
    var pings = release()
    for number in fresh {
      if heldBack.count < Self.heldBackMax, happens(shape.latePercent) {
        heldBack.append(number)
      } else {
        pings.append(number)
      }
    }
    // An upload has at least one.
    if pings.isEmpty { pings.append(heldBack.removeLast()) }
    if fresh.lowerBound > 0, happens(shape.duplicatePercent) {
      pings.append(dice.below(fresh.lowerBound))
    }
    if happens(shape.shuffledPercent) { shuffle(&pings) }
    return PlannedUpload(due: due(fresh.upperBound - 1), pings: pings)
  }

  /// What was held back comes all at once, one time in four.
  private mutating func release() -> [Int] {
    guard !heldBack.isEmpty, dice.oneIn(4) else { return [] }
    defer { heldBack = [] }
    return heldBack
  }

  private func due(_ number: Int) -> TimeSpan {
    guard shape.pingsPerSecond > 0 else { return .zero }
    return .milliseconds(spacing.milliseconds * Int64(number) + phase.milliseconds)
  }

  private mutating func happens(_ percent: Int) -> Bool { dice.below(100) < percent }

  private mutating func shuffle(_ pings: inout [Int]) {
    for place in pings.indices.dropFirst() { pings.swapAt(place, dice.below(place + 1)) }
  }
}

/// One report to come.
struct PlannedReport: Hashable, Sendable {
  /// When, from the phone's start.
  var due: TimeSpan
  /// Whether the permission is gone, or back.
  var isDowngrade: Bool
}

/// A phone's downgrades and restorations without end; none when the shape has none.
struct ReportPlan: Sendable {
  /// From one downgrade to the next; `nil`: there are none.
  private let interval: TimeSpan?
  private var nextDowngrade: TimeSpan = .zero
  private var nextIsDowngrade = true

  init(_ shape: LoadShape, phone: Int, of phones: Int) {
    guard shape.downgradesPerMinute > 0 else {
      interval = nil
      return
    }
    let span = max(2, Int64(phones) * 60_000 / Int64(shape.downgradesPerMinute))
    interval = .milliseconds(span)
    // Phones take turns, in an order by chance.
    var dice = Dice(seed: ~shape.seed &+ UInt64(phone) &* 0x9E37_79B9_7F4A_7C15)
    nextDowngrade = .milliseconds(Int64(dice.below(Int(span))))
  }

  mutating func next() -> PlannedReport? {
    guard let interval else { return nil }
    defer { nextIsDowngrade.toggle() }
    if nextIsDowngrade { return PlannedReport(due: nextDowngrade, isDowngrade: true) }
    let pause = min(.seconds(3), TimeSpan(milliseconds: interval.milliseconds / 2))
    defer { nextDowngrade = nextDowngrade + interval }
    return PlannedReport(due: nextDowngrade + pause, isDowngrade: false)
  }
}
