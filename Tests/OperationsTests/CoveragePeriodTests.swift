import CivilTime
import ReadModels
import Testing

@Suite("The period that a report is compared with") struct CoveragePeriodTests {
  private func before(_ from: String, _ to: String) throws -> String? {
    let period = CoveragePeriod(
      from: try #require(CivilDate(from)), to: try #require(CivilDate(to)))
    return period.before.map { "\($0.from.text) \($0.to.text)" }
  }

  @Test("has as many days")
  func days() throws {
    #expect(try before("2026-11-14", "2026-11-20") == "2026-11-07 2026-11-13")
    #expect(try before("2026-11-01", "2026-11-20") == "2026-10-12 2026-10-31")
    #expect(try before("2028-03-01", "2028-03-01") == "2028-02-29 2028-02-29")
  }

  @Test("of a whole month is the month before, which may be shorter or longer")
  func month() throws {
    #expect(try before("2027-03-01", "2027-03-31") == "2027-02-01 2027-02-28")
    #expect(try before("2028-02-01", "2028-02-29") == "2028-01-01 2028-01-31")
    #expect(try before("2026-01-01", "2026-01-31") == "2025-12-01 2025-12-31")
  }

  @Test("is missing where the calendar begins")
  func beginning() throws {
    #expect(try before("0001-01-01", "0001-01-01") == nil)
    #expect(try before("0001-01-03", "0001-01-05") == nil)
    #expect(try before("0001-01-04", "0001-01-06") == "0001-01-01 0001-01-03")
    #expect(try before("0001-01-01", "0001-01-31") == nil)
  }
}
