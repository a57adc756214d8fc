import NotificationQueue
import ShiftDomain
import Testing

@testable import ShiftOperations

@Suite("When the evidence behind messages was read") struct EvidenceBookTests {
  private let start = ContinuousClock.now

  private func id(_ number: Int) -> NoticeID {
    NoticeID(Notice(.incident, subject: Int32(number), dueAt: morning), of: EmployeeID(7))
  }

  // R: M3
  @Test("is known once for every message, however late its app connects")
  func late() {
    let book = EvidenceBook()
    book.note([id(1), id(2)], readAt: start)
    #expect(book.age(of: id(1), at: start + .seconds(61)) == .seconds(61))
    #expect(book.age(of: id(1), at: start + .seconds(62)) == nil)
    #expect(book.age(of: id(2), at: start + .seconds(86_400)) == .seconds(86_400))
    #expect(book.age(of: id(3), at: start) == nil)
  }

  // R: M3
  @Test("is kept for the newest of too many messages; the older half is dropped")
  func crowd() {
    let (book, most) = (EvidenceBook(), EvidenceBook.sizeMax)
    for number in 0...most { book.note([id(number)], readAt: start + .milliseconds(number)) }
    let end = start + .milliseconds(most)
    for number in [most, most - 1, most / 2 + 1] {
      #expect(book.age(of: id(number), at: end) == .milliseconds(most - number))
    }
    for number in [0, most / 2] { #expect(book.age(of: id(number), at: end) == nil) }
  }
}
