import GuardRules
import ShiftDomain
import Testing

@Suite("Mass silence") struct MassSilenceTests {
  static let start = Instant(milliseconds: 1_772_438_400_000)

  /// Openings in seconds, the number of phones, and the first and the last that belong together.
  typealias Row = (name: String, openings: [Int64], phones: Int, is: ClosedRange<Int64>?)

  static let rows: [Row] = [
    ("all of five", [0, 10, 20, 30, 40], 5, 0...40),
    ("three of five", [0, 10, 20], 5, 0...20),
    ("two of five are no more than half", [0, 10], 5, nil),
    ("half of six", [0, 10, 20], 6, nil),
    ("all of four: too few to say anything", [0, 0, 0, 0], 4, nil),
    ("the last 5 minutes after the first", [300, 0, 150], 5, 0...300),
    ("a second later", [301, 0, 150], 5, nil),
    ("one was silent long before", [0, 1_000, 1_010, 1_020], 5, 1_000...1_020),
    ("one fell silent long after", [0, 10, 20, 1_000], 5, 0...20),
    ("one after the other, each with most others", [0, 100, 200, 300, 400, 500], 6, 0...500),
    ("nobody", [], 20, nil), ("no phones", [], 0, nil),
  ]

  @Test("is more than half of at least five phones within five minutes", arguments: rows)
  func holds(_ row: Row) {
    let openings = row.openings.map { Self.start + .seconds($0) }
    let expected = row.is.map {
      (Self.start + .seconds($0.lowerBound))...(Self.start + .seconds($0.upperBound))
    }
    #expect(MassSilence(of: openings, due: [], among: row.phones)?.openings == expected)
  }

  /// Openings and due times in seconds, and the first and the last that belong together.
  typealias DueRow = (name: String, openings: [Int64], due: [Int64], is: ClosedRange<Int64>?)

  static let dueRows: [DueRow] = [
    ("the first of five, when the others will be", [0], [15, 30, 45, 60], 0...60),
    ("the first, when two others will be", [0], [15, 30], 0...30),
    ("the first, when one other will be", [0], [15], nil),
    ("nobody yet", [], [0, 15, 30, 45, 60], nil),
    ("one long before the others will be", [-301], [0, 15, 30, 45], nil),
    ("one long before, and the first of the others", [-301, 0], [15, 30, 45], 0...45),
  ]

  @Test("begins with the first silence, when others were not heard for a while", arguments: dueRows)
  func begins(_ row: DueRow) {
    func instants(_ seconds: [Int64]) -> [Instant] { seconds.map { Self.start + .seconds($0) } }
    let expected = row.is.map {
      (Self.start + .seconds($0.lowerBound))...(Self.start + .seconds($0.upperBound))
    }
    let silence = MassSilence(of: instants(row.openings), due: instants(row.due), among: 5)
    #expect(silence?.openings == expected)
  }

  typealias Delivery = (name: String, at: Int64, steps: StepStates, is: DeliveryDecision)

  static let deliveries: [Delivery] = [
    ("the open app is told", 0, StepStates(inApp: .ready, push: .ready), .send(.inApp)),
    (
      "a push waits, and asks again", 0, StepStates(push: .ready),
      .wait(until: start + .seconds(30))
    ),
    (
      "an e-mail waits too", 300, StepStates(push: .reached, email: .ready),
      .wait(until: start + .seconds(330))
    ),
    (
      "the last wait is shorter", 580, StepStates(push: .ready),
      .wait(until: start + .seconds(598))
    ),
    ("then everything is sent", 598, StepStates(push: .ready), .send(.push)),
  ]

  @Test("holds back what leaves the open app", arguments: deliveries)
  func holdsBack(_ row: Delivery) {
    let notification = ShiftNotification(
      .incident, subject: 1, kind: .noContact, dueAt: Self.start, isUrgent: true)
    let situation = DeliverySituation(
      cause: .holds(.noContact), steps: row.steps, massSilenceEnd: Self.start + .seconds(598))
    let decision = decideDelivery(
      notification, in: situation, by: EscalationPolicy(of: .policy(of: .standard)),
      now: Self.start + .seconds(row.at))
    #expect(decision == row.is)
  }

  private static func silence(_ kind: IncidentKind, at second: Int64) -> OpenIncident {
    OpenIncident(
      number: 1, kind: kind, origin: .midShift, openedAt: start + .seconds(second),
      debouncedUntil: start, notificationDueAt: nil)
  }

  @Test("lets only its own silences wait, from their openings")
  func ends() throws {
    let silence = try #require(
      MassSilence(of: [0, 10, 20].map { Self.start + .seconds($0) }, due: [], among: 5))
    func end(_ kind: IncidentKind, at second: Int64) -> Instant? {
      silence.end(ofWaitFor: Self.silence(kind, at: second), .minutes(10))
    }
    #expect(end(.noContact, at: 10) == Self.start + .seconds(610))
    #expect(end(.noContact, at: -1) == nil && end(.noContact, at: 21) == nil)
    #expect(end(.denied, at: 10) == nil && end(.noFix, at: 10) == nil)
  }
}
