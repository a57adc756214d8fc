import ClientTransport
import GuardClient
import HTTPSending
import JSONText
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
    /// `nil` if the body is no JSON object.
    var answer: JSONFields?
    var detection: Duration?
    var roundTrip: Duration
    var requests: Int
  }

  /// No response was received.
  struct NoReply: Error {
    var requests: Int
    var reason: SendingError
  }

  /// Sends a request, built for each try. An enrolment, which has no token yet, is not repeated
  /// once the server may have handled it: the code works only once.
  func send(_ request: (Instant) -> GuardRequest) async throws(NoReply) -> Reply {
    var tries = 0
    while true {
      tries += 1
      let attempt = request(timing.now())
      let began = ContinuousClock.now
      let pause: TimeSpan
      do {
        let response = try await sender.send(OutgoingRequest(attempt, to: server))
        let seconds = response.header("Retry-After").flatMap { Int64($0) }
        guard response.status == 503, let seconds, tries < Self.triesMax else {
          return Reply(
            status: response.status, answer: JSONFields(ofBody: response.body),
            detection: detection(inServerTiming: response.header("Server-Timing")),
            roundTrip: ContinuousClock.now - began, requests: tries)
        }
        pause = .seconds(max(seconds, 0))
      } catch {
        guard tries < Self.triesMax, mayRepeat(after: error, isEnrolment: attempt.token == nil)
        else { throw NoReply(requests: tries, reason: error) }
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
}
