import NotificationQueue
import ReadModels
import ShiftDomain
import Testing

@testable import DeviceOperations

@Suite("When the evidence behind messages was read") struct LatencyTrackerTests {
  private let start = ContinuousClock.now

  private func id(_ number: Int) -> NotificationID {
    NotificationID(
      ShiftNotification(.incident, subject: Int32(number), dueAt: morning), of: EmployeeID(7))
  }

  // R: M3
  @Test("is known once for every message, however late its app connects")
  func late() {
    let tracker = LatencyTracker()
    tracker.note([id(1), id(2)], readAt: start)
    #expect(tracker.age(of: id(1), at: start + .seconds(61)) == .seconds(61))
    #expect(tracker.age(of: id(1), at: start + .seconds(62)) == nil)
    #expect(tracker.age(of: id(2), at: start + .seconds(86_400)) == .seconds(86_400))
    #expect(tracker.age(of: id(3), at: start) == nil)
  }

  // R: M3
  @Test("is kept for the newest of too many messages; the older half is dropped")
  func crowd() {
    let (tracker, sizeMax) = (LatencyTracker(), LatencyTracker.sizeMax)
    for number in 0...sizeMax { tracker.note([id(number)], readAt: start + .milliseconds(number)) }
    let end = start + .milliseconds(sizeMax)
    for number in [sizeMax, sizeMax - 1, sizeMax / 2 + 1] {
      #expect(tracker.age(of: id(number), at: end) == .milliseconds(sizeMax - number))
    }
    for number in [0, sizeMax / 2] { #expect(tracker.age(of: id(number), at: end) == nil) }
  }
}
