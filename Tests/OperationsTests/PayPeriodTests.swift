import CivilTime
import ReadModels
import Testing

@Suite("A pay period") struct PayPeriodTests {
  private func words(_ day: String, _ kind: PayPeriodKind, first: String = "2026-01-05") throws
    -> String
  {
    var settings = PayrollSettings.standard
    settings.period = kind
    settings.firstDay = try #require(CivilDate(first))
    let period = PayPeriod(of: try #require(CivilDate(day)), settings)
    #expect(period.before(settings).to == period.from.advanced(by: -1))
    #expect(period.after(settings).from == period.to.advanced(by: 1))
    #expect(period.after(settings).before(settings) == period)
    return "\(period.from.text) \(period.to.text)"
  }

  @Test("of a month ends on its last day, also in February of a leap year")
  func month() throws {
    #expect(try words("2026-11-25", .month) == "2026-11-01 2026-11-30")
    #expect(try words("2026-12-31", .month) == "2026-12-01 2026-12-31")
    #expect(try words("2028-02-29", .month) == "2028-02-01 2028-02-29")
    #expect(try words("2027-02-01", .month) == "2027-02-01 2027-02-28")
  }

  @Test("of half a month changes on the 16th")
  func half() throws {
    #expect(try words("2026-11-15", .halfMonth) == "2026-11-01 2026-11-15")
    #expect(try words("2026-11-16", .halfMonth) == "2026-11-16 2026-11-30")
    #expect(try words("2027-02-28", .halfMonth) == "2027-02-16 2027-02-28")
    #expect(try words("2026-12-31", .halfMonth) == "2026-12-16 2026-12-31")
  }

  @Test("of weeks is counted from the chosen day, before and after it")
  func weeks() throws {
    #expect(try words("2026-11-25", .week) == "2026-11-23 2026-11-29")
    #expect(try words("2026-11-25", .week, first: "2026-01-04") == "2026-11-22 2026-11-28")
    #expect(try words("2026-01-05", .twoWeeks) == "2026-01-05 2026-01-18")
    #expect(try words("2026-01-04", .twoWeeks) == "2025-12-22 2026-01-04")
    #expect(try words("2026-01-19", .twoWeeks) == "2026-01-19 2026-02-01")
  }
}
