import Foundation
import HTTPSending
import ShiftDomain

/// Sends requests as a phone does, with retries after 503 or a lost connection.
struct PhoneClient: Sendable {
  let server: String
  let sender: HTTPSender
  let timing: Timing

  /// The maximum number of times that one request is sent.
  static let triesMax = 4
  /// The longest pause before a retry, whatever `Retry-After` says.
  static let pauseMax = TimeSpan.seconds(5)

  /// A response with its timing.
  struct Reply {
    var status: Int
    var answer: Answer?
    var detection: Duration?
    var roundTrip: Duration
    var requests: Int
  }

  /// No response was received.
  struct NoReply: Error {
    var requests: Int
    var reason: SendingError
  }

  /// Sends a body with a new time stamp at every try.
  func post(_ path: String, _ body: some Stamped, token: String) async throws(NoReply) -> Reply {
    try await send("POST", path, token: token) {
      var body = body
      body.sentAt = timing.now().rfc3339
      return encoded(body)
    }
  }

  /// Sends the enrolment, which has no token yet. It is not repeated once the server may have
  /// handled it: the code works only once.
  func enrol(_ body: EnrolmentBody) async throws(NoReply) -> Reply {
    try await send("POST", "/v1/enrolments", token: nil) { encoded(body) }
  }

  /// Sends a request without a body.
  func ask(_ method: String, _ path: String, token: String) async throws(NoReply) -> Reply {
    try await send(method, path, token: token) { method == "POST" ? [] : nil }
  }

  private func send(
    _ method: String, _ path: String, token: String?, body: () -> [UInt8]?
  ) async throws(NoReply) -> Reply {
    var tries = 0
    while true {
      tries += 1
      var headers = [(name: "Content-Type", value: "application/json")]
      if let token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
      let request = OutgoingRequest(method, server + path, headers: headers, body: body())
      let began = ContinuousClock.now
      let pause: TimeSpan
      do {
        let response = try await sender.send(request)
        let seconds = response.header("Retry-After").flatMap { Int64($0) }
        guard response.status == 503, let seconds, tries < Self.triesMax else {
          return Reply(
            status: response.status, answer: Answer(response.body),
            detection: detection(inServerTiming: response.header("Server-Timing")),
            roundTrip: ContinuousClock.now - began, requests: tries)
        }
        pause = .seconds(max(seconds, 0))
      } catch {
        guard tries < Self.triesMax, mayRepeat(after: error, isEnrolment: token == nil) else {
          throw NoReply(requests: tries, reason: error)
        }
        pause = .milliseconds(200 << tries)
      }
      await timing.wait(min(pause, Self.pauseMax))
      if Task.isCancelled { throw NoReply(requests: tries, reason: .cancelled) }
    }
  }

  private func mayRepeat(after error: SendingError, isEnrolment: Bool) -> Bool {
    switch error {
    case .unreachable: true
    case .deadlineExceeded, .interrupted: !isEnrolment
    case .outOfReach, .responseTooLarge, .cancelled, .unsendable: false
    }
  }

  /// JSON of a request body; encoding never fails for these types.
  private func encoded(_ body: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(body)).map(Array.init) ?? []
  }
}
