public import ShiftDomain

/// Most phones of the service fell silent at the same time: something in front of it fails more
/// probably than all of them, so operators should hear of it before the employees.
public struct MassSilence: Hashable, Sendable {
  /// When the first of these silences without contact opened, and the last opened or will open.
  public let openings: ClosedRange<Instant>

  /// A phone counts if it was heard within its `fixAgeMax` and this.
  public static let heardWithin = TimeSpan.minutes(10)

  /// Fewer open shifts say nothing about the service.
  public static let shiftsMin = 5

  /// The openings of silences that belong together lie within this time.
  public static let span = TimeSpan.minutes(5)

  /// `nil` unless a phone is silent, and more than half are or soon will be, all within `span`.
  ///
  /// Phones fall silent one after the other, as they do not send in the same second. To wait until
  /// half of them are silent would be too late for the first half.
  /// - Parameters:
  ///   - openings: When the open silences without contact of these phones opened, in any order.
  ///   - dueTimes: When silences will open of phones that were not heard for half of their
  ///     `fixAgeMax`, in any order.
  ///   - phones: How many open shifts have a phone that was heard recently.
  public init?(of openings: [Instant], due dueTimes: [Instant], among phones: Int) {
    guard phones >= Self.shiftsMin, !openings.isEmpty else { return nil }
    let times = (openings + dueTimes).sorted()
    let needed = phones / 2 + 1
    guard times.count >= needed else { return nil }
    // All spans with more than half of the phones have one of them in common.
    let firsts = (0...(times.count - needed)).filter {
      times[$0 + needed - 1] - times[$0] <= Self.span
    }
    guard let first = firsts.first, let last = firsts.last else { return nil }
    self.openings = times[first]...times[last + needed - 1]
    guard openings.contains(where: self.openings.contains) else { return nil }
  }

  /// Until when what is due outside the open app waits for a silence, if it is one of these.
  public func end(ofWaitFor incident: OpenIncident, _ wait: TimeSpan) -> Instant? {
    guard incident.kind == .noContact, openings.contains(incident.openedAt) else { return nil }
    return incident.openedAt + wait
  }
}
