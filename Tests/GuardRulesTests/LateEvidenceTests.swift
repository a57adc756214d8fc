import GuardRules
import ShiftDomain
import Testing

@Suite("Order of an upload's reports") struct LateEvidenceTests {
  // R: W8
  typealias Upload = (name: String, reports: [PermissionReport], newest: Int)
  static let uploads: [Upload] = [
    (
      "the report with the highest number, whatever its clock",
      [
        report(phone(.denied), at: at(9), sequence: 4), report(phone(), at: at(1), sequence: 6),
        report(phone(.restricted), at: at(5), sequence: 5),
      ], 1
    ),
    (
      "without numbers, the report with the newest time",
      [
        report(phone(.denied), at: at(1)), report(phone(), at: at(9)),
        report(phone(.restricted), at: at(5)),
      ], 1
    ),
    (
      "a report without a number comes after all that have one",
      [
        report(phone(.denied), at: at(9), sequence: 4), report(phone(), at: at(1)),
        report(phone(.restricted), at: at(5), sequence: 5),
      ], 1
    ),
    (
      "of two at the same time, the one sent last",
      [report(phone(.denied), at: at(1)), report(phone(), at: at(1))], 1
    ),
    (
      "of two with the same number, the newer",
      [
        report(phone(), at: at(9), sequence: 4), report(phone(.denied), at: at(1), sequence: 4),
      ], 0
    ),
  ]

  @Test("the last report in this order decides the present state", arguments: uploads)
  func upload(_ row: Upload) {
    #expect(orderInUpload(row.reports).last == row.newest)
  }

  @Test("an empty upload has no order") func emptyUpload() { #expect(orderInUpload([]) == []) }
}
