import ShiftDomain
import Testing

@testable import LoadSimulation

@Suite("Comparison with the database") struct DiscrepanciesTests {
  /// Pings 0 to 4: acknowledged, refused, unanswered, never sent, acknowledged. Reports 10 to 12:
  /// acknowledged, unanswered, acknowledged.
  private var record: PhoneRecord {
    var record = PhoneRecord(
      device: DeviceID(employee: EmployeeID(7), number: 1), start: Instant(milliseconds: 1_000),
      spacing: .milliseconds(10))
    for (number, status) in [(0, SendStatus.acknowledged), (1, .refused), (2, .unanswered)] {
      record.note(status, ofPing: number)
    }
    record.note(.acknowledged, ofPing: 4)
    record.reports = [10: .acknowledged, 11: .unanswered, 12: .acknowledged]
    return record
  }

  private func found(_ pings: [Int], reports: [Int64] = [10, 12]) -> Discrepancies {
    var found = Discrepancies()
    found.compare(record, withPings: pings.map(record.recordedAt), andReports: reports)
    return found
  }

  @Test("an unanswered record may be stored or not") func agreement() {
    #expect(found([0, 4]).isEmpty)
    #expect(found([4, 2, 0], reports: [12, 11, 10]).isEmpty)
    #expect(found([0, 4]).confirmed == 4)
  }

  @Test("an acknowledged record that is missing is lost") func lost() {
    #expect(found([4]).lost == ["ping of 7/1 recorded at 1000"])
    #expect(found([0, 4], reports: [10]).lost == ["report 12 of 7/1"])
    #expect(!found([4]).isEmpty)
  }

  @Test("a record that is stored twice is doubled, answered or not") func doubled() {
    #expect(found([0, 4, 4]).doubled == ["ping of 7/1 recorded at 1040"])
    #expect(found([0, 2, 2, 4]).doubled == ["ping of 7/1 recorded at 1020"])
    #expect(found([0, 4], reports: [10, 12, 12]).doubled == ["report 12 of 7/1"])
    #expect(!found([0, 4, 4]).isEmpty)
  }

  @Test("a refused ping must not be stored, nor one never sent") func strangers() {
    #expect(found([0, 1, 4]).keptThoughRefused == ["ping of 7/1 recorded at 1010"])
    #expect(found([0, 3, 4]).unheardOf == ["ping of 7/1 recorded at 1030"])
    #expect(found([0, 4], reports: [10, 12, 13]).unheardOf == ["report 13 of 7/1"])
    #expect(!found([0, 1, 4]).isEmpty && !found([0, 3, 4]).isEmpty)
  }

  @Test("an acknowledged ping stays so, whatever a repetition gets") func statuses() {
    var record = record
    record.note(.unanswered, ofPing: 0)
    record.note(.refused, ofPing: 0)
    #expect(record.pings[0] == .acknowledged)
  }
}
