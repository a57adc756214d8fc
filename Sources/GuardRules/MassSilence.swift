public import ShiftDomain

/// Most phones of the service fell silent at the same time: something in front of it fails more
/// probably than all of them, so operators should hear of it before the employees.
public struct MassSilence: Hashable, Sendable {
  /// When the first and the last of these silences without contact opened.
  public let openings: ClosedRange<Instant>

  /// A phone counts if it was heard within its `fixAgeMax` and this.
  public static let heardWithin = TimeSpan.minutes(10)

  /// Fewer open shifts say nothing about the service.
  public static let shiftsMin = 5

  /// The openings of silences that belong together lie within this time.
  public static let span = TimeSpan.minutes(5)

  /// `nil` if there is none: unless more than half of the phones fell silent within `span`.
  /// - Parameters:
  ///   - openings: When the open silences without contact of these phones opened, in any order.
  ///   - phones: How many open shifts have a phone that was heard recently.
  public init?(of openings: [Instant], among phones: Int) {
    guard phones >= Self.shiftsMin else { return nil }
    let openings = openings.sorted()
    let needed = phones / 2 + 1
    guard openings.count >= needed else { return nil }
    // All spans with more than half of the phones have one of them in common.
    let firsts = (0...(openings.count - needed)).filter {
      openings[$0 + needed - 1] - openings[$0] <= Self.span
    }
    guard let first = firsts.first, let last = firsts.last else { return nil }
    self.openings = openings[first]...openings[last + needed - 1]
  }

  /// Until when what is due outside the open app waits for a silence, if it is one of these.
  public func end(ofWaitFor incident: OpenIncident, _ wait: TimeSpan) -> Instant? {
    guard incident.kind == .noContact, openings.contains(incident.openedAt) else { return nil }
    return incident.openedAt + wait
  }
}
