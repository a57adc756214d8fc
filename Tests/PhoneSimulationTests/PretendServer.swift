import Foundation
import HTTPSending
import HTTPServing
import Lifecycle
import PhoneSimulation
import ShiftDomain
import TestKit

/// A clock that advances only when a phone waits.
final class PretendClock: Sendable {
  static let noon = Instant(milliseconds: 1_795_176_000_000)
  private let time = Lock(PretendClock.noon)

  /// The time since noon.
  var sinceNoon: TimeSpan { time.withLock { $0 } - Self.noon }

  /// A phone's timing on this clock.
  var timing: Timing {
    Timing(
      now: { self.time.withLock { $0 } }, wait: { span in self.time.withLock { $0 = $0 + span } })
  }
}

/// A request that a phone sent.
struct Call: Sendable {
  var path: String
  var token: String?
  var body: [UInt8]

  /// The value at a path such as `pings.0.recordedAt`, as text; `nil` where there is none.
  subscript(path: String) -> String? {
    var value = try? JSONSerialization.jsonObject(with: Data(body))
    for name in path.split(separator: ".") {
      if let index = Int(name) {
        guard let list = value as? [Any], list.indices.contains(index) else { return nil }
        value = list[index]
      } else {
        value = (value as? [String: Any])?[String(name)]
      }
    }
    return value.map { "\($0)" }
  }

  /// The number of pings in the body.
  var pings: Int {
    let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    return (object?["pings"] as? [Any])?.count ?? 0
  }
}

/// A server that gives a test's answers and records the requests.
final class PretendServer: Sendable {
  private let calls = Lock<[Call]>([])

  /// Every request so far, in the order of arrival.
  var received: [Call] { calls.withLock { $0 } }

  /// Answers like a server that accepts everything.
  static func agree(_ call: Call) -> HTTPResponse {
    switch call.path {
    case "/v1/enrolments": json(201, #"{"token":"sg_7_1_secret","employee":7,"device":1}"#)
    case "/v1/clock-in":
      json(
        201,
        #"{"shift":{"employee":7,"number":3},"decision":{"verdict":"allow","findings":[]}}"#)
    case "/v1/permission-reports":
      json(201, #"{"disposition":"in_force","incidents":[],"commands":[]}"#)
    case "/v1/pings":
      json(
        200,
        #"{"results":["#
          + Array(repeating: #"{"status":"stored"}"#, count: call.pings).joined(separator: ",")
          + "]}")
    default: json(200, "{}")
    }
  }

  static func json(_ status: Int, _ text: String, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
    var response = HTTPResponse(status: status, headers: headers, body: .bytes(Array(text.utf8)))
    response.headers.add("Content-Type", "application/json")
    return response
  }

  /// Plays a script against this server.
  /// - Parameter answer: Gets the request and its place among all, from 1.
  func play(
    _ script: String, memory: Memory? = nil, recordings: [String: Recording] = [:],
    clock: PretendClock = PretendClock(),
    answer: @escaping @Sendable (Call, Int) async -> HTTPResponse = { call, _ in agree(call) }
  ) async throws -> [Outcome] {
    let server = try HTTPServer(.patient) { request in
      let call = Call(
        path: request.path, token: request.headers["Authorization"], body: request.body)
      let place = self.calls.withLock { calls in
        calls.append(call)
        return calls.count
      }
      return await answer(call, place)
    }
    let replay = Replay(
      try Script(parsing: script), recordings: recordings,
      memory: try memory ?? Memory(path: nil), server: "http://\(server.address)",
      sender: HTTPSender(connectionsMax: 4), timing: clock.timing)
    return try await server.serving { _ in try await replay.run() }
  }
}

extension [Outcome] {
  /// What went wrong, one line for each step that was not as expected.
  var complaints: [String] {
    filter { !$0.isGood }.map { "line \($0.line): \($0.failure ?? "")\($0.misses)" }
  }
}
