import GuardSimulation
import ShiftDomain

/// A planned upload.
struct PlannedUpload: Hashable, Sendable {
  /// The time since the phone's start; zero for no wait.
  var due: TimeSpan
  /// The numbers of the pings, in the order of sending; each phone counts from 0.
  var pings: [Int]
}

/// An endless sequence of a phone's uploads, random from a seed.
struct UploadPlan: Sendable {
  private let shape: LoadShape
  private var dice: Dice
  /// The time from one of the phone's pings to the next.
  let spacing: TimeSpan
  private let phase: TimeSpan
  /// The number of pings so far.
  private var counted = 0
  private var heldBack: [Int] = []

  /// The maximum of pings that a phone holds back.
  static let heldBackMax = 100

  init(_ shape: LoadShape, phone: Int, of phones: Int) {
    self.shape = shape
    dice = Dice(seed: shape.seed &+ UInt64(phone) &* 0x9E37_79B9_7F4A_7C15)
    spacing = .milliseconds(
      shape.pingsPerSecond == 0
        ? 1 : max(1, Int64(Double(phones) * 1_000 / shape.pingsPerSecond)))
    // Phones with the same spacing must not all send at once.
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
    // An upload has at least one ping.
    if pings.isEmpty { pings.append(heldBack.removeLast()) }
    if fresh.lowerBound > 0, happens(shape.duplicatePercent) {
      pings.append(dice.below(fresh.lowerBound))
    }
    if happens(shape.shuffledPercent) { shuffle(&pings) }
    return PlannedUpload(due: due(fresh.upperBound - 1), pings: pings)
  }

  /// Releases all pings that were held back, one time in four.
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

/// A planned report.
struct PlannedReport: Hashable, Sendable {
  /// The time since the phone's start.
  var due: TimeSpan
  /// Whether the permission is lost; otherwise it is restored.
  var isDowngrade: Bool
}

/// An endless sequence of a phone's downgrades and restorations; empty if the shape has none.
struct ReportPlan: Sendable {
  /// The time from one downgrade to the next; `nil`: no downgrades.
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
    // Phones take turns, in random order.
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
