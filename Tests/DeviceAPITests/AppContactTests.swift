import DeviceOperations
import OperationCore
import ShiftDomain
import ShiftTestKit
import Testing

@testable import DeviceAPI

@Suite("What an instance remembers of an app") struct AppContactTests {
  // R: W25
  @Test("is of its token: another employee with the number of an erased one is asked again")
  func reusedNumber() throws {
    let device = DeviceID(employee: EmployeeID(7), number: 1)
    let phones = try [UInt8(1), 2].map { byte in
      try #require(
        DeviceCredential(
          token: DeviceToken.text(
            of: device, secret: Array(repeating: byte, count: DeviceToken.secretBytes))))
    }
    let contacts = AppContacts()
    for phone in phones {
      #expect(contacts.mayHaveWaitingArrival(of: phone, at: MovableClock.monday))
      for isFirst in [true, false] {
        let news = contacts.note(
          phone, isTracking: true, nil, hasLooked: true, mayAsk: true, at: MovableClock.monday)
        #expect(news.hasChanged == isFirst && news.asksForPermissions == isFirst)
      }
    }
  }
}
