import JSONText
import ShiftDomain
import Testing

@testable import PhoneProtocols

@Suite("Every phone protocol") struct EveryProtocolTests {
  /// What the mutations begin with: of each protocol bodies of every kind, and three records of a
  /// list, if it has lists.
  static let samples: [(of: any PhoneProtocol.Type, bodies: [String], list: [String])] = [
    (
      OwnTracks.self,
      OwnTracksTests.locations.map(\.body) + OwnTracksTests.others.map(\.body)
        + OwnTracksStatusTests.android.map { #"{"_type":"status","android":\#($0.body)}"# }
        + OwnTracksStatusTests.ios.map {
          #"{"_type":"status","iOS":{"locationManagerAuthorizationStatus":"\#($0.body)"}}"#
        }, []
    ),
    (
      Overland.self, OverlandTests.features.map(\.body),
      (0..<3).map { OverlandTests.point(#""timestamp":"2026-01-05T08:0\#($0):00Z""#) }
    ),
    (
      TraccarClient.self,
      TraccarClientTests.bodies.map(\.text) + TraccarClientTests.forms.map(\.text)
        + TraccarClientTests.queries.map(\.text),
      (0..<3).map { #"{"timestamp":\#(1_767_600_000 + $0),"lat":52.5,"lon":13.4,"id":"a"}"# }
    ),
    (
      Transistorsoft.self, TransistorsoftTests.bodies.map(\.body),
      (0..<3).map {
        #"{"timestamp":"2026-01-05T08:0\#($0):00Z","coords":{"latitude":52.5,"longitude":13.4},"#
          + #""extras":{"tasks":[{"id":1},{"id":2}]},"battery":{"level":0.5}}"#
      }
    ),
  ]

  @Test("has samples here, and is the language of its app")
  func apps() {
    let apps = PhoneApp.allCases
    #expect(apps == Self.samples.map { $0.of.app } && apps == apps.map { $0.language.app })
  }

  // R: B8
  @Test(
    "a wrong character costs the value that it is in, not the position beside it",
    arguments: 0..<4, [Array(#"\ud83d"#.utf8), Array(#"\\\udc00\ud83d\ud83d"#.utf8), [0xE9]])
  func wrongCharacter(_ number: Int, _ character: [UInt8]) {
    let read = Self.samples[number].of
    let position = #""lat":52.5,"lon":13.4,"timestamp":1767600000"#
    let text = [
      #"{"_type":"location","tst":1767600000,\#(position),"SSID":"*"}"#,
      #"{"locations":[{"geometry":{"coordinates":[13.4,52.5]},"properties":{"#
        + #""timestamp":"2026-01-05T08:00:00Z","wifi":"*"}}]}"#,
      #"{\#(position),"driver":"*"}"#, #"{"location":{\#(position),"extras":"*"}}"#,
    ]
    let place = PhoneApp.allCases.firstIndex(of: read.app) ?? 0
    let body = text[place].utf8.flatMap { $0 == UInt8(ascii: "*") ? character : [$0] }
    let reading = read.read(PhoneRequest(body: body, receivedAt: receipt))
    #expect(reading.said == ["fix 08:00:00 52.5,13.4"], "\(read.app)")
  }

  /// One to four times bytes replaced, removed, put in or repeated.
  private func mutate(_ text: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    let marks = Array(#"{}[],:"\0-.eE"#.utf8) + [0, 0x0A, 0x80, 0xFF]
    var text = text
    for _ in 0..<Int.random(in: 1...4, using: &random) where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &random)
      let byte =
        Bool.random(using: &random)
        ? marks[Int.random(in: 0..<marks.count, using: &random)]
        : UInt8.random(in: 0...255, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: text[place] = byte
      case 1: text.remove(at: place)
      case 2: text.insert(byte, at: place)
      case 3:
        let end = min(text.count, place + Int.random(in: 1...12, using: &random))
        text.insert(contentsOf: text[place..<end], at: place)
      // Half of the mutations leave most bodies readable.
      default:
        let digit = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &random)
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) { text[place] = digit }
      }
    }
    return text
  }

  @Test("reads 2,000 mutated bodies without an end, and twice alike", arguments: 0..<4)
  func mutated(_ number: Int) {
    let (read, bodies, _) = Self.samples[number]
    var random = SeededRandom(seed: 19)
    var understood = 0
    for round in 0..<2_000 {
      let body = mutate(Array(bodies[round % bodies.count].utf8), &random)
      let query = Array(formPairs(body).prefix(Int(round % 3)))
      let request = PhoneRequest(
        query: query, headers: [NamedValue("Authorization", "Basic \(body.text)")], body: body,
        receivedAt: receipt)
      let reading = read.read(request)
      #expect(reading == read.read(request), "\(body.text)")
      #expect(
        !reading.records.isEmpty || !reading.quarantined.isEmpty || reading.ignoredCount > 0,
        "\(body.text)")
      _ = read.token(in: request)
      _ = OwnTracks.claims(in: request)
      let answer = read.answer(to: reading, [.reportPermission])
      #expect(answer.body.isEmpty || (try? JSONValue(parsing: answer.body)) != nil)
      for report in reading.reports {
        #expect((report.raw?.unicodeScalars.count ?? 1) <= 1_000)
        #expect(report.source.unicodeScalars.count <= 50)
      }
      if !reading.records.isEmpty { understood += 1 }
    }
    // Otherwise the mutations would prove nothing.
    #expect((200..<1_900).contains(understood), "\(understood)")
  }

  @Test("loses no good record beside a mutated one", arguments: 1..<4)
  func neighbours(_ number: Int) {
    let (read, _, records) = Self.samples[number]
    let isTraccar = read.app == .traccar
    var random = SeededRandom(seed: 20)
    var broken = 0
    for round in 0..<2_000 {
      var list = records.map { Array($0.utf8) }
      let target = round % records.count
      list[target] = mutate(list[target], &random)
      let items = list.joined(separator: Array(",".utf8))
      let body =
        isTraccar
        ? Array("[".utf8) + items + Array("]".utf8)
        : Array(#"{"\#(read.app == .overland ? "locations" : "location")":["#.utf8) + items
          + Array(#"],"device_id":"a"}"#.utf8)
      let reading = read.read(PhoneRequest(body: body, receivedAt: receipt))
      if (try? JSONValue(parsing: body)) == nil { broken += 1 }
      for (place, record) in records.enumerated() where place != target {
        let alone = read.read(PhoneRequest(body: Array("[\(record)]".utf8), receivedAt: receipt))
        let good =
          isTraccar || read.app == .transistorsoft
          ? alone : read.read(OverlandTests.batch(record))
        #expect(good.pings.count == 1)
        #expect(reading.pings.contains(good.pings[0]), "\(body.text)")
      }
      let count = reading.pings.count
      #expect(count >= 3 || !reading.quarantined.isEmpty, "\(body.text)")
    }
    #expect(broken > 500, "\(broken)")
  }

  @Test("takes no more items than an app has stored")
  func tooMany() {
    let items = String(repeating: "1,", count: 50_001)
    #expect(Overland.said(#"{"locations":[\#(items)1]}"#) == ["aside too_many locations"])
    #expect(TraccarClient.said("[\(items)1]") == ["aside too_many"])
    #expect(Transistorsoft.said("[\(items)1]") == ["aside too_many location"])
  }

  @Test("reads on behind broken items of a list, but reads no body many times over")
  func brokenItems() {
    let good = #"{"timestamp":1767600000}"#
    let short = String(repeating: "{,", count: 1_000)
    #expect(Transistorsoft.said("[\(short)\(good)]") == ["sign 08:00:00", "aside syntax"])
    // Each of these objects is seen to be broken only at the end of all.
    let nested =
      String(repeating: #"[{"a":"#, count: 15) + "[" + String(repeating: "0,", count: 50_000)
    #expect(Transistorsoft.said("\(nested)x,\(good)]") == ["aside syntax"])
  }

  @Test("finds the token as its app sends it")
  func tokens() {
    let token = "sg_7_1_abc"
    let basic = "Basic " + encodedBase64(Array("7:\(token)".utf8))
    let headers: [(value: String, token: String?)] = [
      ("Bearer \(token)", token), ("bearer  \(token) ", token), (basic, token),
      ("Basic \(token):", token), ("Basic", nil), ("Bearer ", nil), ("Digest x", nil), ("", nil),
    ]
    for (value, token) in headers {
      let request = PhoneRequest(
        headers: [NamedValue("authorization", value)], receivedAt: receipt)
      for read in PhoneApp.allCases.map(\.language) {
        #expect(read.token(in: request) == token, "\(value)")
      }
    }
  }

  @Test("encodes and decodes Base64 of every length")
  func base64() {
    let samples = [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("fooba", "Zm9vYmE="),
      ("ÿ", "w78="),
    ]
    for (text, encoded) in samples {
      #expect(encodedBase64(Array(text.utf8)) == encoded)
      #expect(decodedBase64(encoded) == text)
    }
    #expect(decodedBase64("Zg") == "f")
    #expect(decodedBase64("sg_7") == nil)
    #expect(decodedBase64("/w==") == nil)
  }
}
