import GuardRules
import ShiftDomain
import Testing

@Suite("Effective time") struct EffectiveTimeTests {
  /// Seconds since `morning`; `recorded` and `sent` by the phone's clock.
  typealias Row = (
    name: String, recorded: Double, sent: Double?, effective: Double, skew: Double?,
    trust: ClockTrust
  )
  private static let week = 604_800.0
  private static let toward2001 = -721_692_800.0

  // R: W1 (effective time; zones and midnight are not decided here)
  static let rows: [Row] = [
    ("sent at once by a good clock", 0, 0, 0, 0, .good),
    ("recorded ten seconds before it was sent", -10, 0, -10, 0, .good),
    ("sent a second ago", -11, -1, -10, 1, .good),
    ("a clock a minute behind", -70, -60, -10, 60, .good),
    ("a clock a minute ahead", 50, 60, -10, -60, .good),
    ("a clock a millisecond more behind", -70.001, -60.001, -10, 60.001, .skewed),
    ("a clock a millisecond more ahead", 50.001, 60.001, -10, -60.001, .skewed),
    ("a clock ten minutes behind", -600, -600, 0, 600, .skewed),
    ("a clock ten minutes ahead", 600, 600, 0, -600, .skewed),
    ("a clock over ten minutes behind", -600.001, -600.001, 0, 600.001, .wrong),
    ("a clock over ten minutes ahead", 600.001, 600.001, 0, -600.001, .wrong),
    ("a phone in 2001", toward2001 - 30, toward2001, -30, -toward2001, .wrong),
    ("a phone next year", 31_536_000 - 30, 31_536_000, -30, -31_536_000, .wrong),
    ("recorded after it was sent counts as just now", 5, 0, 0, 0, .good),
    ("recorded long after it was sent", 86_400, 0, 0, 0, .good),
    ("a backlog of three days", -259_200, 0, -259_200, 0, .good),
    ("no time of sending, a record of now", 0, nil, 0, nil, .good),
    ("no time of sending, a record seven days old", -week, nil, -week, nil, .good),
    ("no time of sending, over seven days old", -week - 0.001, nil, -week - 0.001, nil, .good),
    ("no time of sending, a minute ahead", 60, nil, 60, nil, .good),
    ("no time of sending, a millisecond further", 60.001, nil, 0, nil, .assumed),
    ("no time of sending, a phone in 2001", toward2001, nil, toward2001, nil, .good),
    ("no time of sending, a phone next year", 31_536_000, nil, 0, nil, .assumed),
  ]

  @Test("is the receipt time minus the age by the phone's own clock", arguments: rows)
  func places(_ row: Row) {
    let time = effectiveTime(
      recordedAt: at(row.recorded), sentAt: row.sent.map(at), receivedAt: morning)
    #expect(time.instant == at(row.effective))
    #expect(time.skew == row.skew.map { at($0) - morning })
    #expect(time.trust == row.trust)
  }

  // R: W1
  @Test(
    "moves a fix by 1,024 weeks if that is how far it lies before its message, give or take a week",
    arguments: [
      (0.0, true), (Self.week, true), (-Self.week, true), (Self.week + 0.001, false),
      (-Self.week - 0.001, false),
      (619_315_200.0, false),
    ])
  func weekRollover(_ age: Double, _ isMoved: Bool) {
    let recorded = at(-age - 619_315_200)
    #expect(
      recorded.withoutWeekRollover(writtenAt: morning) == (isMoved ? at(-age) : recorded))
  }

  @Test("keeps the age exact at every skew")
  func exactAtEverySkew() {
    var random = SeededRandom(seed: 4)
    for _ in 0..<10_000 {
      let skew = TimeSpan.milliseconds(Int64.random(in: -(1 << 41)...(1 << 41), using: &random))
      let age = TimeSpan.milliseconds(Int64.random(in: 0...604_800_000, using: &random))
      let time = effectiveTime(
        recordedAt: morning - skew - age, sentAt: morning - skew, receivedAt: morning)
      #expect(time.instant == morning - age, "skew \(skew), age \(age)")
      #expect(time.skew == skew, "age \(age)")
    }
  }

  @Test("never traps or dates a record after its receipt, however absurd the clock")
  func extremes() {
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, morning.milliseconds, .max - 1, .max]
    let instants = edges.map(Instant.init(milliseconds:))
    for recorded in instants {
      for received in instants {
        for sent in instants {
          let time = effectiveTime(recordedAt: recorded, sentAt: sent, receivedAt: received)
          #expect(time.instant <= received, "\(recorded), \(sent), \(received)")
        }
        let unsent = effectiveTime(recordedAt: recorded, sentAt: nil, receivedAt: received)
        #expect(unsent.instant <= received + .seconds(60), "\(recorded), \(received)")
        #expect(unsent.skew == nil)
      }
    }
  }
}
