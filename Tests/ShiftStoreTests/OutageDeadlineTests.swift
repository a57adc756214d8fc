import GuardRules
import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import ShiftStore

@Suite("Deadlines of silence after outages") struct OutageDeadlineTests {
  private static let now = Instant(milliseconds: 1_772_438_400_000)

  // R: W8
  @Test("are the same in the statements as in the rules")
  func same() async throws {
    var spans: Set<TimeSpan> = []
    try await withDatabase { pool in
      for first in stride(from: Int64(-120), through: 180, by: 60) {
        for second in stride(from: first, through: first + 300, by: 60) {
          for third in stride(from: second, through: second + 300, by: 60) {
            let outages = IntervalSet(
              [first, second, third].map {
                Interval(from: Self.now + .seconds($0), to: Self.now + .seconds($0 + 45))
              })
            var evidence = SilenceEvidence(fixAgeMax: .seconds(180), outages: outages)
            evidence.lastReceipt = Self.now
            let due = evidence.contactDue(
              in: OpenShift(number: 1, device: 1, startedAt: Self.now, report: nil))
            spans.insert(due - Self.now)
            let found = try await pool.read { (session) throws(PostgresError) in
              try session.run(Self.deadlines(outages)).one {
                (row) throws(PostgresError) -> [Instant] in [try row.next(), try row.next()]
              }
            }
            #expect(found == [due, due], "\(first) \(second) \(third)")
          }
        }
      }
    }
    #expect(spans.count > 5 && spans.contains(.seconds(180)))
  }

  /// With the outages given, and in columns.
  private static func deadlines(_ outages: IntervalSet) -> SQL {
    """
    SELECT \(dueAfter: "sign_of_life_at", in: outages), \(dueAfter: "sign_of_life_at", in: nil)
    FROM (
      SELECT \(now)::timestamptz AS sign_of_life_at, interval '180 s' AS fix_age_max,
        \(outages.intervals.map(\.start)) AS outage_starts,
        \(outages.intervals.map(\.end)) AS outage_ends
    ) AS phone
    """
  }
}
