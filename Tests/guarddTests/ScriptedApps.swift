import Foundation
import HTTPSending
import Lifecycle
import ShiftDomain
import TestKit

/// What a phone records, by the second.
struct AppRecord: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case position
    /// The permission, as it then is.
    case permission(isAllowed: Bool)
    /// The employee closes the app.
    case end
  }

  var kind: Kind
  var time: Instant
}

/// How a phone app from a store sends what it has recorded: the rules of its own code.
protocol ScriptedApp: Sendable {
  var app: PhoneApp { get }
  /// The most records in a request.
  var batchMax: Int { get }
  var takesNewestFirst: Bool { get }
  /// Whether it deletes what was refused with 4xx, and so loses it.
  var deletesRefused: Bool { get }

  func request(_ records: [AppRecord], token: String) -> AppRequest
  /// Whether it deletes the records after this answer.
  func isSuccess(_ status: Int, _ body: String) -> Bool
}

struct AppRequest: Sendable {
  var method = "POST"
  var query = ""
  var headers: [(String, String)] = []
  var body: String
}

extension ScriptedApp {
  var batchMax: Int { 1 }
  var takesNewestFirst: Bool { false }
  var deletesRefused: Bool { false }

  func isSuccess(_ status: Int, _ body: String) -> Bool { (200..<300).contains(status) }
}

extension Instant {
  fileprivate var unixSeconds: Int64 { milliseconds / 1_000 }
}

/// OwnTracks on iOS: first in, first out, one message a request; what is refused is deleted.
struct OwnTracksOnIOS: ScriptedApp {
  let app = PhoneApp.ownTracks
  let deletesRefused = true

  func request(_ records: [AppRecord], token: String) -> AppRequest {
    let (record, basic) = (records[0], Data("7:\(token)".utf8).base64EncodedString())
    let body =
      switch record.kind {
      case .position, .end:
        #"{"_type":"location","tid":"07","lat":52.5,"lon":13.4,"tst":\#(record.time.unixSeconds)}"#
      // Without a time.
      case .permission(let isAllowed):
        #"{"_type":"status","iOS":{"locationManagerAuthorizationStatus":"#
          + #""kCLAuthorizationStatus\#(isAllowed ? "AuthorizedAlways" : "Denied")"}}"#
      }
    return AppRequest(
      headers: [
        ("Authorization", "Basic \(basic)"), ("Content-Type", "application/json"),
        ("X-Limit-U", "user"), ("X-Limit-D", "device"),
      ], body: body)
  }
}

/// Overland: batches, the oldest first; a success is JSON of its own.
struct OverlandOnIOS: ScriptedApp {
  let app = PhoneApp.overland
  let batchMax = 20

  func request(_ records: [AppRecord], token: String) -> AppRequest {
    let features = records.map { record in
      let time = #""timestamp":"\#(record.time.rfc3339)","battery_level":0.64"#
      guard record.kind == .position else {
        return #"{"type":"Feature","properties":{\#(time),"action":"will_terminate"}}"#
      }
      return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
        + #""properties":{\#(time),"speed":-1,"course":-1,"motion":[],"wifi":""}}"#
    }
    return AppRequest(
      headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
      body: #"{"locations":[\#(features.joined(separator: ","))]}"#)
  }

  func isSuccess(_ status: Int, _ body: String) -> Bool {
    (200..<300).contains(status) && body.contains(#""result":"ok""#)
  }
}

/// Traccar Client 8, all in the query, and 10, as a form: one record a request; a failure blocks
/// the queue.
struct TraccarClient: ScriptedApp {
  let app = PhoneApp.traccar
  let isInQuery: Bool

  func request(_ records: [AppRecord], token: String) -> AppRequest {
    let record = "id=\(token)&timestamp=\(records[0].time.unixSeconds)&lat=52.5&lon=13.4&batt=64"
    if isInQuery { return AppRequest(query: "?" + record, body: "") }
    return AppRequest(
      headers: [("Content-Type", "application/x-www-form-urlencoded")], body: record)
  }
}

/// Transistorsoft's library, a record a request or the newest in a batch; a failure unlocks the
/// records and halts.
struct TransistorsoftApp: ScriptedApp {
  let app = PhoneApp.transistorsoft
  let batchMax: Int
  var takesNewestFirst: Bool { batchMax > 1 }

  func request(_ records: [AppRecord], token: String) -> AppRequest {
    let texts = records.map { record in
      let place = #""coords":{"latitude":52.5,"longitude":13.4,"accuracy":12.0,"speed":-1}"#
      let time = #""uuid":"r\#(record.time.milliseconds)","timestamp":"\#(record.time.rfc3339)""#
      guard case .permission(let isAllowed) = record.kind else { return "{\(time),\(place)}" }
      return #"{\#(time),\#(place),"event":"providerchange","#
        + #""provider":{"status":\#(isAllowed ? 3 : 2),"enabled":true,"accuracyAuthorization":0}}"#
    }
    let location = batchMax > 1 ? "[\(texts.joined(separator: ","))]" : texts[0]
    return AppRequest(
      headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
      body: #"{"location":\#(location),"device_id":"a"}"#)
  }
}

/// A phone with such an app, on a network that loses the first answer and every fifth.
actor ScriptedPhone {
  let script: any ScriptedApp
  let employee: EmployeeID
  private let address: String
  private let token: String
  private let sender = HTTPSender(connectionsMax: 2)
  private var random: SeededRandom
  private var queue: [AppRecord] = []

  /// Records that the phone has deleted after a success.
  private(set) var acknowledged = 0
  /// How often each status was answered; 0: there was no answer, or it was lost.
  private(set) var answers: [Int: Int] = [:]
  /// Successes of which the phone never heard.
  private(set) var lost = 0

  init(_ script: any ScriptedApp, of employee: EmployeeID, token: String, at address: String) {
    self.script = script
    self.employee = employee
    self.token = token
    self.address = address
    random = SeededRandom(seed: UInt64(employee.rawValue))
  }

  var waiting: Int { queue.count }

  func record(_ records: some Sequence<AppRecord>) { queue += records }

  /// Sends until the task is cancelled.
  func run() async {
    var pause = 10
    while !Task.isCancelled {
      let batch = next()
      guard !batch.isEmpty else {
        try? await Task.sleep(for: .milliseconds(10))
        continue
      }
      let answer = await send(script.request(batch, token: token))
      answers[answer?.status ?? 0, default: 0] += 1
      let isDone = answer.map { script.isSuccess($0.status, $0.text) } ?? false
      let isRefused = answer.map { (400..<500).contains($0.status) } ?? false
      if isDone || isRefused && script.deletesRefused {
        let sent = Set(batch)
        queue.removeAll { sent.contains($0) }
        acknowledged += batch.count
        pause = 10
      } else {
        // Doubled as the apps do, but from 10 ms instead of seconds.
        try? await Task.sleep(for: .milliseconds(pause))
        pause = min(pause * 2, 200)
      }
    }
  }

  private func next() -> [AppRecord] {
    script.takesNewestFirst
      ? queue.suffix(script.batchMax).reversed() : Array(queue.prefix(script.batchMax))
  }

  /// `nil`: no answer came, or the network lost it.
  private func send(_ request: AppRequest) async -> Answer? {
    let fate = lost == 0 ? 1 : random.below(10)
    let answer = try? await sender.send(
      OutgoingRequest(
        request.method, "http://\(address)\(script.app.path)\(request.query)",
        headers: request.headers, body: Array(request.body.utf8),
        // The network of one in ten breaks while the service works.
        deadline: fate == 0 ? .milliseconds(2) : .seconds(60)))
    guard let answer else { return nil }
    guard fate > 1 else {
      if answer.status < 300 { lost += 1 }
      return nil
    }
    return Answer(answer)
  }
}
