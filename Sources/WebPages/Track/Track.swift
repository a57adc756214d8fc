import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

package struct TrackPoint: Hashable, Sendable {
  /// Server time.
  package var at: Instant
  package var place: Coordinate
  /// Meters; `nil` if the phone sent none.
  package var accuracy: Double?
  /// The number of the phone.
  package var device: Int16
  /// Whether another app mocked the position.
  package var isMock: Bool

  package init(
    at: Instant, place: Coordinate, accuracy: Double? = nil, device: Int16 = 1,
    isMock: Bool = false
  ) {
    self.at = at
    self.place = place
    self.accuracy = accuracy
    self.device = device
    self.isMock = isMock
  }

  package init(_ fix: TrackFix) {
    self.init(
      at: fix.at, place: fix.fix.coordinate, accuracy: fix.fix.accuracyMeters, device: fix.device,
      isMock: fix.isMock)
  }
}

/// The positions of a shift, and what explains the times without them.
struct TrackPart: Sendable {
  var points: [TrackPoint]
  var fixAgeMax: TimeSpan
  /// In order; without breaks.
  var untracked: [Interval]
  var breaks: [Interval]

  init(_ points: [TrackPoint], of details: ShiftDetails) {
    self.points = points
    fixAgeMax = details.row.settings.fixAgeMax
    untracked = details.coverage.segments.filter { !$0.isQuiet }.map(\.interval)
    breaks = details.history.breaks
  }

  init(_ points: [TrackPoint], fixAgeMax: TimeSpan, untracked: [Interval], breaks: [Interval]) {
    self.points = points
    self.fixAgeMax = fixAgeMax
    self.untracked = untracked
    self.breaks = breaks
  }

  /// Why no line connects two positions; `nil`: one does. A phone at rest may send none for a
  /// while, and is tracked.
  fileprivate func cut(from start: Instant, to end: Instant) -> Track.Cut? {
    if breaks.contains(where: { $0.start < end && start < $0.end }) { return .onBreak }
    guard end - start > fixAgeMax else { return nil }
    return untracked.contains { $0.start < end && start < $0.end } ? .gap : nil
  }
}

extension CoverageSegment {
  fileprivate var isQuiet: Bool { reason == .tracked || reason == .onBreak }
}

/// The positions of one or several shifts, in order of time.
struct Track: Sendable {
  /// Why the line is interrupted before a position.
  enum Cut: Sendable {
    case gap, onBreak, betweenShifts
  }

  struct Place: Hashable, Sendable {
    var point: TrackPoint
    /// The distance since the start, without interruptions and mocked positions.
    var meters: Double
    /// `nil`: the line continues. A mocked position is no part of the line.
    var cut: Cut?
    /// The time since the previous position of the line; zero at the start.
    var pause = TimeSpan.zero
  }

  private(set) var places: [Place] = []
  private(set) var stays: [Stay] = []
  private var meters = 0.0

  /// - Parameter parts: In order of time.
  init(_ parts: [TrackPart]) {
    for part in parts { add(part) }
  }

  private mutating func add(_ part: TrackPart) {
    var run: [TimedPlace] = []
    var isFirst = true
    for point in part.points {
      var place = Place(point: point, meters: meters)
      if !point.isMock {
        if let last = places.last(where: { !$0.point.isMock })?.point {
          place.pause = point.at - last.at
          place.cut = isFirst ? .betweenShifts : part.cut(from: last.at, to: point.at)
          if place.cut == nil { meters += last.place.meters(to: point.place) }
        }
        isFirst = false
        place.meters = meters
        if place.cut != nil {
          stays += GuardRules.stays(among: run)
          run = []
        }
        run.append(TimedPlace(at: point.at, place: point.place))
      }
      places.append(place)
    }
    stays += GuardRules.stays(among: run)
  }

  var length: Double { meters }

  func count(of cut: Cut) -> Int { places.count { $0.cut == cut } }

  var mocked: Int { places.count { $0.point.isMock } }

  /// The places to draw, at most about `max`: all at which the line ends or begins, and of those
  /// between them every so many.
  func thinned(to max: Int) -> [Place] {
    let step = (places.count + max - 1) / max
    guard step > 1 else { return places }
    return places.indices.filter { index in
      index % step == 0 || index == places.count - 1 || places[index].cut != nil
        || places[index + 1].cut != nil
    }.map { places[$0] }
  }
}
