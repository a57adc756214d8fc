internal import HTTPSending
internal import Lifecycle
internal import ShiftDomain

/// The way to a server that may be overloaded, killed and started again: what has no answer is sent
/// again with the same content until it has one, or until patience ends.
struct LoadDoor: Sendable {
  let server: String
  let sender: HTTPSender
  let tally: SharedTally
  /// When nobody sends anything again.
  let patienceEnd: ContinuousClock.Instant

  private static let pauseMax: Duration = .seconds(5)

  /// An answer, and how long it took from the first sending.
  struct Reply {
    var response: IncomingResponse
    var latency: Duration
  }

  /// `nil`: never answered.
  /// - Parameter body: Made anew for each try, since it names the time of sending.
  func post(_ path: String, token: String, body: (Instant) -> [UInt8]) async -> Reply? {
    let began = ContinuousClock.now
    var tries = 0
    while true {
      let request = OutgoingRequest(
        "POST", server + path,
        headers: [("Content-Type", "application/json"), ("Authorization", "Bearer \(token)")],
        body: body(wallClock()))
      let pause: Duration
      do throws(SendingError) {
        let response = try await sender.send(request)
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

/// The machine's clock, which stands for the phone's.
func wallClock() -> Instant { Instant(milliseconds: WallClock.milliseconds()) }
