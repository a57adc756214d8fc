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

  @Test("sort by time from 2025 until 2094, and are in order before and after")
  func range() {
    let start = Instant(milliseconds: 1_735_689_600_000)  // 2025-01-01
    let end = Instant(milliseconds: 3_934_656_000_000)  // 2094-09-07
    #expect(start.firstID == 0 && (start + .milliseconds(1)).firstID == 1 << 22)
    #expect((end - .milliseconds(1)).firstID < end.firstID && newID(at: end) > 0)
    #expect(Instant(milliseconds: .min).firstID == 0)
    #expect(newID(at: Instant(milliseconds: .max)) > newID(at: end))
  }
}
