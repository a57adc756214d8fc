import Testing

@testable import NotificationSending

@Suite("Fitting a message into bytes") struct FittingTests {
  private func encode(_ notification: OutgoingNotification) -> [UInt8] {
    Array((notification.title + notification.body + notification.steps.joined()).utf8)
  }

  @Test func `what fits stays as it is`() {
    let notification = OutgoingNotification.sample()
    let whole = encode(notification)
    #expect(notification.fitted(to: whole.count, encode: encode) == whole)
  }

  @Test func `steps go first, for they stand in the app too`() {
    var notification = OutgoingNotification.sample()
    let whole = encode(notification)
    notification.steps = []
    #expect(notification.fitted(to: whole.count - 1, encode: encode) == encode(notification))
  }

  @Test func `of the body as much as fits, cut between characters`() {
    var notification = OutgoingNotification.sample()
    notification.body = String(repeating: "👷🏽é–", count: 50)
    let least = notification.title.utf8.count
    for count in least..<(least + 300) {
      guard let bytes = notification.fitted(to: count, encode: encode) else {
        Issue.record("\(count) bytes are enough for the title")
        continue
      }
      let text = String(validating: bytes, as: UTF8.self)
      #expect(bytes.count <= count && bytes.count > count - 8)
      #expect(text?.hasPrefix(notification.title) == true)
      #expect(text == notification.title || text?.hasSuffix("…") == true)
    }
  }

  @Test func `a title that does not fit is no message`() {
    let notification = OutgoingNotification.sample()
    #expect(notification.fitted(to: notification.title.utf8.count - 1, encode: encode) == nil)
  }
}
