public import ShiftDomain

/// How long a departure waits for an arrival: a phone at the edge of a region crosses it often.
public let departureWait = TimeSpan.seconds(120)

/// What a phone says about the regions that are named for shifts, each by a hash of its name.
public enum RegionSighting: Hashable, Sendable {
  case entered(Int64)
  case left(Int64)
  /// All that it is in.
  case inside([Int64])
}

/// In which regions that are named for shifts a phone is. Messages may come in any order.
public struct RegionPresence: Hashable, Sendable {
  public struct Crossing: Hashable, Sendable {
    public var region: Int64
    public var at: Instant
    public var isArrival: Bool

    public init(of region: Int64, at: Instant, isArrival: Bool) {
      (self.region, self.at, self.isArrival) = (region, at, isArrival)
    }
  }

  /// The newest of each region.
  public private(set) var crossings: [Crossing]
  /// When the message came by which the phone had left every region; `nil`: it has not.
  public private(set) var leftReceivedAt: Instant?

  public init(_ crossings: [Crossing] = [], leftReceivedAt: Instant? = nil) {
    (self.crossings, self.leftReceivedAt) = (crossings, leftReceivedAt)
  }

  /// More than any phone watches.
  private static let regionsMax = 100

  /// When the phone left the last region that it was in.
  public var leftAt: Instant? {
    var newest: Instant?
    for crossing in crossings {
      if crossing.isArrival { return nil }
      newest = max(newest ?? crossing.at, crossing.at)
    }
    return newest
  }

  public mutating func note(_ sighting: RegionSighting, at: Instant, receivedAt: Instant) {
    let before = leftAt
    switch sighting {
    case .entered(let region): note(Crossing(of: region, at: at, isArrival: true))
    case .left(let region): note(Crossing(of: region, at: at, isArrival: false))
    case .inside(let named):
      let inside = crossings.filter { $0.isArrival }.map { $0.region }
      for region in inside where !named.contains(region) {
        note(Crossing(of: region, at: at, isArrival: false))
      }
      // Also where it was already: an older departure that comes later must not count.
      for region in named { note(Crossing(of: region, at: at, isArrival: true)) }
    }
    if leftAt != before { leftReceivedAt = leftAt == nil ? nil : receivedAt }
  }

  private mutating func note(_ crossing: Crossing) {
    if let place = crossings.firstIndex(where: { $0.region == crossing.region }) {
      if crossings[place].at <= crossing.at { crossings[place] = crossing }
    } else if crossings.count < Self.regionsMax {
      crossings.append(crossing)
    }
  }

  /// From when its departure counts: the end of the last break, if that comes later, because a
  /// break shows that the shift went on. `nil`: it is in a region, or in none that is known.
  /// - Parameter breaks: Of its shift; a current one ends in the future.
  public func departure(among breaks: IntervalSet) -> Instant? {
    leftAt.map { max($0, breaks.intervals.last?.end ?? $0) }
  }

  /// Whether no arrival can come any more that makes `departure` void.
  /// - Parameters:
  ///   - newest: The latest time of which the phone has told.
  ///   - now: `nil`: time alone decides nothing.
  public func isOver(_ departure: Instant, newest: Instant?, now: Instant?) -> Bool {
    if let newest, newest >= departure + departureWait { return true }
    guard let now, let leftReceivedAt else { return false }
    return now >= max(leftReceivedAt, departure) + departureWait
  }
}
