import ClientTransport
import GuardClient
import HTTPSending
import ShiftDomain

/// Sends requests to a server that may be overloaded, killed and restarted. Requests are retried
/// with the same content until there is a response or the patience ends.
struct LoadClient: Sendable {
  let server: String
  let sender: HTTPSender
  let tally: SharedTally
  /// The end of all retries.
  let patienceEnd: ContinuousClock.Instant

  private static let pauseMax: Duration = .seconds(5)

  /// A response, and the time since the first try.
  struct Reply {
    var response: IncomingResponse
    var latency: Duration
  }

  /// Sends a request; `nil` if there never was a response.
  func post(_ request: StampedRequest, token: String) async -> Reply? {
    let began = ContinuousClock.now
    var tries = 0
    while true {
      let attempt = request.attempt(at: wallClock(), token: token)
      let pause: Duration
      do throws(SendingError) {
        let response = try await sender.send(OutgoingRequest(attempt, to: server))
        guard response.status == 503 else {
          return Reply(response: response, latency: ContinuousClock.now - began)
        }
        pause = .seconds(response.header("Retry-After").flatMap { Int64($0) } ?? 1)
      } catch .unsendable {
        break
      } catch {
        pause = .milliseconds(100 << min(tries, 3))
      }
      tries += 1
      let next = ContinuousClock.now + min(pause, Self.pauseMax)
      guard next < patienceEnd, (try? await Task.sleep(until: next)) != nil else { break }
      tally.note { $0.retries += 1 }
    }
    tally.note { $0.unanswered += 1 }
    return nil
  }
}

/// The machine's clock, used as the phone's clock.
func wallClock() -> Instant { ClientClock.system.now() }
