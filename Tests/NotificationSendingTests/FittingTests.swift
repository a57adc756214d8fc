import Testing

@testable import NotificationSending

@Suite("Fitting a message into bytes") struct FittingTests {
  private func encode(_ message: OutgoingMessage) -> [UInt8] {
    Array((message.title + message.body + message.steps.joined()).utf8)
  }

  @Test func `what fits stays as it is`() {
    let message = OutgoingMessage.sample()
    let whole = encode(message)
    #expect(message.fitted(to: whole.count, encode: encode) == whole)
  }

  @Test func `steps go first, for they stand in the app too`() {
    var message = OutgoingMessage.sample()
    let whole = encode(message)
    message.steps = []
    #expect(message.fitted(to: whole.count - 1, encode: encode) == encode(message))
  }

  @Test func `of the body as much as fits, cut between characters`() {
    var message = OutgoingMessage.sample()
    message.body = String(repeating: "👷🏽é–", count: 50)
    let least = message.title.utf8.count
    for count in least..<(least + 300) {
      guard let bytes = message.fitted(to: count, encode: encode) else {
        Issue.record("\(count) bytes are enough for the title")
        continue
      }
      let text = String(validating: bytes, as: UTF8.self)
      #expect(bytes.count <= count && bytes.count > count - 8)
      #expect(text?.hasPrefix(message.title) == true)
      #expect(text == message.title || text?.hasSuffix("…") == true)
    }
  }

  @Test func `a title that does not fit is no message`() {
    let message = OutgoingMessage.sample()
    #expect(message.fitted(to: message.title.utf8.count - 1, encode: encode) == nil)
  }
}
