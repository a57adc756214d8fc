import DeviceOperations
import HTTPServing
import Lifecycle
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

/// The same uploads with and without the direct way, each on a database of its own.
@Suite("The direct way of pings") struct DirectPingTests {
  /// A phone whose shift began an hour ago, and the routes that it is answered by.
  private struct Side {
    let world: DeviceWorld
    let token: String
    let router: Router

    func send(_ body: [UInt8], _ headers: HTTPHeaders) async throws -> HTTPResponse {
      await router.respond(to: try HTTPRequest(.post, "/v1/pings", headers: headers, body: body))
    }

    /// All that uploads change. Tokens are random, so without them.
    func traces() async throws -> [String] {
      let rows = try await world.pool.strings("SELECT p::text FROM ping p ORDER BY 1")
      let pulses = world.operations.lastSeen.pending.map { pulse in
        var pulse = pulse
        pulse.tokenHash = []
        return "\(pulse)"
      }
      let device = DeviceID(employee: EmployeeID(7), number: 1)
      let refused = try await world.operations.people.support(of: device).refusals?.requests ?? []
      let dirty = world.operations.dirtyShifts.take().spans
      let counts = world.metrics.lines(of: "shiftguard_pings_total").map { "\($0) \($1)" }
      return rows + pulses + refused.map { "\($0)" } + dirty.map { "\($0)" } + counts
    }
  }

  /// - Parameter taken: Counts what the direct way takes; `nil`: there is none.
  private func side(_ world: DeviceWorld, taken: Mutable<Int>?) async throws -> Side {
    let phone = try await world.phone()
    try await phone.report("always")
    try #require(try await phone.clockIn().status == 201)
    world.clock.move(by: .hours(1))
    let routes = world.router.routes.map { route in
      guard let taken, let take = route.take else { return route.directly(nil) }
      return route.directly { authorization, body, ticket in
        let outcome = take(authorization, body, ticket)
        if outcome == .taken { taken.value += 1 }
        return outcome
      }
    }
    return Side(world: world, token: phone.token, router: Router(routes))
  }

  private func withSides(
    _ body: (_ direct: Side, _ general: Side, _ taken: Mutable<Int>) async throws -> Void
  ) async throws {
    try await DeviceWorld.run { first in
      try await DeviceWorld.run { second in
        let taken = Mutable(0)
        try await body(
          try await side(first, taken: taken), try await side(second, taken: nil), taken)
      }
    }
  }

  /// Sends `body` to both, a quarter of a second after the last, and compares the answers.
  private func compare(
    _ body: [UInt8], _ direct: Side, _ general: Side,
    headers: (_ token: String) -> HTTPHeaders = { ["Authorization": "Bearer \($0)"] }
  ) async throws {
    for side in [direct, general] { side.world.wait(.milliseconds(250)) }
    let one = try await direct.send(body, headers(direct.token))
    let other = try await general.send(body, headers(general.token))
    let text = String(decoding: body, as: UTF8.self)
    #expect(one.status == other.status, "\(text)")
    #expect(one.headers.fields.map { "\($0)" } == other.headers.fields.map { "\($0)" }, "\(text)")
    #expect(APIAnswer(one).text == APIAnswer(other).text, "\(text)")
  }

  /// `T` is the time of the first, `S` that of sending.
  static let usual = [
    #"{"recordedAt":"T","latitude":52.52,"longitude":13.405}"#,
    #"{"sentAt":"S","recordedAt":"T","latitude":45.1234567,"longitude":-13.0000123,"accuracy":8.5,"#
      + #""speed":1.4,"heading":12,"altitude":102.5,"battery":77}"#,
    #"{"recordedAt":"T","latitude":-90,"longitude":180,"mock":true,"hidden":true,"battery":0.5}"#,
    #"{"recordedAt":"T","stationary":true,"battery":55.5}"#,
    #"{"recordedAt":"T","stationary":true,"speed":1.01}"#,
    #"{"recordedAt":"T","latitude":0,"longitude":-0.0,"accuracy":-1}"#,
    #"{"recordedAt":"T","latitude":1,"longitude":2,"accuracy":-1,"speed":-1,"heading":361}"#,
    #"{"recordedAt":"T","latitude":null,"longitude":null,"battery":101,"altitude":-0}"#,
    #"{"recordedAt":"2026-11-12T09:30:00Z"}"#, #"{"recordedAt":"2026-11-20T08:00:00Z"}"#,
    #"{"recordedAt":"2001-01-01T00:00:00Z","sentAt":"2001-01-01T00:00:09.5+01:00"}"#,
    #"{"recordedAt":"2040-01-01 00:00:00,25z","latitude":1.5,"longitude":2.5}"#,
    "{ \"recordedAt\" :\t\"T\",\r\n\"latitude\":1 , \"longitude\":2 }\n",
  ]

  static let unusual = [
    "", "{}", "[]", "null", "{", #"{"recordedAt":"T"}}"#, #"{"recordedAt":"T",}"#, "{\"\0\":1}",
    #"{"recordedAt":"T","mood":"\u0000"}"#, #"{"recordedAt":"T","recordedAt":"S"}"#,
    #"{"recordedAt":"T","latitude":1,"latitude":2,"longitude":3}"#,
    #"{"recordedAt":"T","rest":{}}"#, #"{"recordedAt":"T","rest":{"until":"S"},"speed":2}"#,
    #"{"recordedAt":"T","installation":"a"}"#, #"{"recordedAt":"T","installation":""}"#,
    #"{"pings":[{"recordedAt":"T"},{"latitude":1}]}"#, #"{"pings":[]}"#, #"{"pings":null}"#,
    #"{"recordedAt":"T","latitude":1}"#, #"{"recordedAt":"T","longitude":1}"#,
    #"{"recordedAt":"T","latitude":90.0000001,"longitude":2}"#,
    #"{"recordedAt":"T","latitude":1,"longitude":-180.5}"#,
    #"{"recordedAt":"T","latitude":5.2e1,"longitude":2}"#,
    #"{"recordedAt":"T","latitude":1e999,"longitude":2}"#,
    #"{"recordedAt":"T","latitude":52.12345678901234567,"longitude":2,"speed":1e400}"#,
    #"{"recordedAt":"T","latitude":"1","longitude":2}"#, #"{"recordedAt":"T","speed":[]}"#,
    #"{"recordedAt":"T","stationary":"yes"}"#, #"{"recordedAt":7}"#, #"{"recordedAt":"yesterday"}"#,
    #"{"recordedAt":"T","sentAt":"S0"}"#, #"{"latitude":1,"longitude":2}"#,
    "{\"recordedAt\":\"T\",\"caf\u{E9}\":1}", "\u{FEFF}{\"recordedAt\":\"T\"}",
  ]

  private func bytes(_ text: String, at world: DeviceWorld, ago: TimeSpan) -> [UInt8] {
    let sent = world.now
    return Array(
      text.replacing(#""T""#, with: "\"\((sent - ago).rfc3339)\"")
        .replacing(#""S""#, with: "\"\(sent.rfc3339)\"").utf8)
  }

  @Test("takes a usual ping, and leaves any other to the handler; both answer and store alike")
  func table() async throws {
    try await withSides { direct, general, taken in
      for (texts, isTaken) in [(Self.usual, true), (Self.unusual, false)] {
        for text in texts {
          // The second time it is a duplicate.
          let body = bytes(text, at: direct.world, ago: .seconds(3))
          for _ in 0..<2 {
            let before = taken.value
            try await compare(body, direct, general)
            #expect(taken.value - before == (isTaken ? 1 : 0), "\(text)")
          }
        }
      }
      #expect(try await direct.traces() == general.traces())
      #expect(try await direct.world.count("SELECT count(*) FROM ping") > 8)
    }
  }

  @Test("answers every token and every header as the handler does")
  func tokens() async throws {
    let headers: [(name: String, isTaken: Bool, fields: @Sendable (String) -> HTTPHeaders)] = [
      ("as it is", true, { ["authorization": "bEARER   \($0)"] }),
      (
        "a plus and zeros", true,
        { ["Authorization": "Bearer \($0.replacing("_7_", with: "_+007_"))"] }
      ),
      ("of another secret", true, { ["Authorization": "Bearer \($0.dropLast(6))AAAAAA"] }),
      (
        "of another number", true,
        { ["Authorization": "Bearer \($0.replacing("_1_", with: "_9_"))"] }
      ),
      ("of nobody", true, { ["Authorization": "Bearer \($0.replacing("_7_", with: "_8_"))"] }),
      ("too short", false, { ["Authorization": "Bearer \($0.dropLast())"] }),
      ("too long", false, { ["Authorization": "Bearer \($0)A"] }),
      ("below zero", false, { ["Authorization": "Bearer \($0.replacing("_7_", with: "_-7_"))"] }),
      (
        "too large", false,
        { ["Authorization": "Bearer \($0.replacing("_7_", with: "_2147483648_"))"] }
      ),
      ("two words", false, { ["Authorization": "Bearer \($0) a"] }),
      ("another scheme", false, { ["Authorization": "Basic \($0)"] }),
      ("none", false, { _ in [:] }),
      ("two", false, { HTTPHeaders([("Authorization", "Bearer \($0)"), ("authorization", "a")]) }),
      ("a trace", false, { ["Authorization": "Bearer \($0)", "traceparent": "a"] }),
    ]
    try await withSides { direct, general, taken in
      for (name, isTaken, fields) in headers {
        let before = taken.value
        let body = bytes(Self.usual[0], at: direct.world, ago: .zero)
        try await compare(body, direct, general, headers: fields)
        #expect(taken.value - before == (isTaken ? 1 : 0), "\(name)")
      }
      for side in [direct, general] {
        try await side.world.operations.people.revoke(
          device: DeviceID(employee: EmployeeID(7), number: 1))
      }
      let body = bytes(Self.usual[0], at: direct.world, ago: .zero)
      try await compare(body, direct, general)
      #expect(try await direct.traces() == general.traces())
    }
  }

  @Test("says of the token of a store app what the handler says")
  func storeApp() async throws {
    try await withSides { direct, general, taken in
      let tokens = try await [direct, general].asyncMap { try await $0.world.app(.overland).token }
      for (index, side) in [direct, general].enumerated() {
        let body = bytes(Self.usual[0], at: side.world, ago: .zero)
        let response = try await side.send(
          body, ["Authorization": "Bearer \(tokens[index])"])
        #expect(response.status == 403)
        #expect(APIAnswer(response).text.contains(#""code":"store_app_token""#))
      }
      #expect(taken.value == 1)
      #expect(try await direct.traces() == general.traces())
    }
  }

  @Test("answers and stores mutated bodies as the handler does")
  func mutated() async throws {
    try await withSides { direct, general, taken in
      var random = SeededRandom(seed: 38)
      let marks = Array(#"{}[],:"\0-.eEn "#.utf8) + [0, 0x0A, 0x7F, 0x80, 0xFF]
      let rounds = isUnderThreadSanitizer ? 100 : 1_000
      for round in 0..<rounds {
        var body = bytes(
          Self.usual[round % Self.usual.count], at: direct.world, ago: .milliseconds(40))
        for _ in 0...Int(random.below(2)) {
          let place = Int(random.below(Int64(body.count)))
          let mark = marks[Int(random.below(Int64(marks.count)))]
          switch random.below(6) {
          case 0: body[place] = mark
          case 1: body.remove(at: place)
          case 2: body.insert(mark, at: place)
          // Half of the mutations leave most bodies readable.
          default:
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(body[place]) {
              body[place] = UInt8(ascii: "0") + UInt8(random.below(10))
            }
          }
        }
        try await compare(body, direct, general)
      }
      #expect(try await direct.traces() == general.traces())
      // Otherwise the mutations would prove nothing.
      #expect(taken.value > rounds / 10 && taken.value < rounds)
    }
  }
}

@Suite("Tokens of devices") struct DeviceTokenTests {
  /// What a token is, said in another way: `nil`, or employee and number.
  private func reference(_ token: String) -> [Int]? {
    let parts = token.utf8.split(
      separator: UInt8(ascii: "_"), maxSplits: 3, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    guard parts.count == 4, parts[0] == "sg", let employee = Int32(parts[1]), employee > 0,
      let number = Int16(parts[2]), number > 0, parts[3].utf8.count == 43,
      parts[3].utf8.allSatisfy({ alphabet.contains($0) }),
      let last = parts[3].utf8.last.flatMap({ alphabet.firstIndex(of: $0) }), last % 4 == 0
    else { return nil }
    return [Int(employee), Int(number)]
  }

  private func read(_ token: String) -> [Int]? {
    DeviceCredential(token: token).map {
      [Int($0.device.employee.rawValue), Int($0.device.number)]
    }
  }

  private static let secret = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE"

  static let tokens = [
    "sg_7_1_\(secret)", "sg_+7_0001_\(secret)", "sg_2147483647_32767_\(secret)",
    "sg_2147483648_1_\(secret)", "sg_1_32768_\(secret)", "sg_0_1_\(secret)", "sg_-7_1_\(secret)",
    "sg_-0_1_\(secret)", "sg_+_1_\(secret)", "sg__1_\(secret)", "sg_7__\(secret)", "sg_7_1_",
    "sg_7_1", "sg_7_", "sg_", "sg", "", "SG_7_1_\(secret)", "sg_7 _1_\(secret)",
    "sg_٧_1_\(secret)", "sg_7_1_\(secret)A", "sg_7_1_\(secret.dropLast())F",
    "sg_7_1_\(secret.dropLast())=", "sg_7_1_\(secret.dropLast())é", "xsg_7_1_\(secret)",
    "sg_99999999999999999999999999_1_\(secret)",
  ]

  @Test("are what they were always said to be", arguments: tokens)
  func table(_ token: String) { #expect(read(token) == reference(token)) }

  @Test("are that also with any characters replaced, removed or added")
  func mutated() {
    let marks = Array("_+-0A=s7 é٧".unicodeScalars)
    var random = SeededRandom(seed: 38)
    var valid = 0
    for _ in 0..<20_000 {
      var token = Array("sg_7_1_\(Self.secret)".unicodeScalars)
      for _ in 0...Int(random.below(2)) {
        let place = Int(random.below(random.below(2) == 0 ? 8 : Int64(token.count)))
        let mark = marks[Int(random.below(Int64(marks.count)))]
        switch random.below(3) {
        case 0: token[place] = mark
        case 1: token.remove(at: place)
        default: token.insert(mark, at: place)
        }
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: token)
      let expected = reference(text)
      if expected != nil { valid += 1 }
      #expect(read(text) == expected, "\(text)")
    }
    #expect(valid > 500)
  }
}

extension Array {
  fileprivate func asyncMap<Result>(
    _ body: (Element) async throws -> Result
  ) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}

/// A variable that one task at a time changes.
private final class Mutable<Value: Sendable>: Sendable {
  private let guarded: Lock<Value>

  init(_ value: Value) { guarded = Lock(value) }

  var value: Value {
    get { guarded.withLock { $0 } }
    set { guarded.withLock { $0 = newValue } }
  }
}
