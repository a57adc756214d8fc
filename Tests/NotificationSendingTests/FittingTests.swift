import Testing

@testable import NotificationSending

@Suite("Fitting a notification into a size limit") struct FittingTests {
  private func encode(_ notification: OutgoingNotification) -> [UInt8] {
    Array((notification.title + notification.body + notification.steps.joined()).utf8)
  }

  @Test func `a notification that fits is unchanged`() {
    let notification = OutgoingNotification.sample()
    let whole = encode(notification)
    #expect(notification.fitted(to: whole.count, encode: encode) == whole)
  }

  @Test func `the steps are dropped first, because the app shows them too`() {
    var notification = OutgoingNotification.sample()
    let whole = encode(notification)
    notification.steps = []
    #expect(notification.fitted(to: whole.count - 1, encode: encode) == encode(notification))
  }

  @Test func `the body is shortened to what fits, between characters`() {
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

  @Test func `a title that does not fit gives no result`() {
    let notification = OutgoingNotification.sample()
    #expect(notification.fitted(to: notification.title.utf8.count - 1, encode: encode) == nil)
  }
}
