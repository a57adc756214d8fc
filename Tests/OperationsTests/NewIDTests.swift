import OperationCore
import ShiftDomain
import Testing

@Suite("New ids") struct NewIDTests {
  @Test("of one millisecond differ, and sort by time")
  func distinct() {
    let now = Instant(milliseconds: 1_767_600_000_000)
    let ids = (0..<10_000).map { _ in newID(at: now) }
    #expect(Set(ids).count == ids.count)
    let later = newID(at: now + .milliseconds(1))
    #expect(ids.allSatisfy { $0 < later })
  }
}
