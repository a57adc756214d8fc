import GuardRules
import ShiftDomain
import Testing

@Suite("In which regions a phone is") struct RegionPresenceTests {
  private static let noon = Instant(milliseconds: 1_764_244_800_000)

  typealias Message = (sighting: RegionSighting, second: Int64)
  typealias Row = (name: String, messages: [Message], left: Int64?)
  static let rows: [Row] = [
    ("none is known", [], nil),
    ("in one", [(.entered(1), 0)], nil),
    ("left the only one", [(.entered(1), 0), (.left(1), 9)], 9),
    ("left one of two", [(.entered(1), 0), (.entered(2), 5), (.left(2), 9)], nil),
    (
      "left the last of two", [(.entered(1), 0), (.entered(2), 5), (.left(2), 9), (.left(1), 20)],
      20
    ),
    ("left one whose arrival was lost", [(.left(1), 9)], 9),
    ("came back", [(.entered(1), 0), (.left(1), 9), (.entered(1), 12)], nil),
    ("named none", [(.entered(1), 0), (.inside([]), 9), (.inside([]), 15)], 9),
    ("named another", [(.entered(1), 0), (.left(1), 9), (.inside([2]), 12)], nil),
    ("named one before it left it", [(.entered(1), 0), (.inside([1]), 5), (.left(1), 9)], 9),
  ]

  // R: M1
  @Test("its messages say when it left the last one, whatever their order", arguments: rows)
  func messages(_ row: Row) {
    func left(_ messages: [Message]) -> Int64? {
      var presence = RegionPresence()
      for (sighting, second) in messages {
        presence.note(sighting, at: Self.noon + .seconds(second), receivedAt: Self.noon)
      }
      #expect((presence.leftReceivedAt == nil) == (presence.leftAt == nil))
      return presence.leftAt.map { ($0 - Self.noon).milliseconds / 1_000 }
    }
    #expect(left(row.messages) == row.left, "\(row.name)")
    // A list of regions is read beside what is known when it comes.
    let hasLists = row.messages.contains { if case .inside = $0.sighting { true } else { false } }
    if !hasLists { #expect(left(row.messages.reversed()) == row.left, "\(row.name)") }
  }

  // R: M1
  @Test("a departure is over two minutes after its time or its receipt, and after a break")
  func isOver() {
    var presence = RegionPresence()
    let (left, received) = (Self.noon, Self.noon + .seconds(50))
    presence.note(.left(1), at: left, receivedAt: received)
    #expect(presence.departure(among: IntervalSet()) == left)
    func isOver(_ newest: Int64?, _ now: Int64?) -> Bool {
      presence.isOver(
        left, newest: newest.map { left + .seconds($0) }, now: now.map { received + .seconds($0) })
    }
    #expect(!isOver(119, 119) && !isOver(nil, nil))
    #expect(isOver(120, 0) && isOver(120, nil) && isOver(nil, 120))
    let pause = IntervalSet(from: left + .minutes(30), to: left + .minutes(45))
    #expect(presence.departure(among: pause) == left + .minutes(45))
    #expect(!presence.isOver(left + .minutes(45), newest: nil, now: left + .minutes(46)))
  }
}
