import CommandParsing
import Foundation
import JSONText
import QREncoding
import ShiftDomain
import Testing

@testable import guardctl

@Suite("What is shown") struct OutputTests {
  let now = Instant(milliseconds: 1_795_187_045_000)
  var screen: Surface { Surface(isTable: true, styling: Styling(isOn: false), now: now) }
  var pipe: Surface { Surface(isTable: false, styling: Styling(isOn: false), now: now) }
  var rows: [[Field]] {
    [
      [
        Field("device", .text("7/1")), Field("model", .text("a\tb\u{1B}[31m")),
        Field("last contact", .instant(now - .minutes(3))),
        Field("note", .absent, isDetail: true),
      ]
    ]
  }

  @Test("a list is a table on a terminal, without the details")
  func table() {
    let lines = rows.lines(on: screen)
    #expect(lines.count == 2)
    #expect(lines[1].contains("3 min ago"))
    #expect(!lines[0].lowercased().contains("note"))
    #expect(!lines.joined().unicodeScalars.contains { $0.isUnshowable })
  }

  @Test("a list is tab-separated in a pipe: headings, absolute times, nothing left out")
  func piped() {
    #expect(
      rows.lines(on: pipe, whenEmpty: "none")
        == [
          "device\tmodel\tlast contact\tnote",
          "7/1\ta\u{FFFD}b\u{FFFD}[31m\t2026-11-20T15:01:05.000Z\t",
        ])
  }

  @Test("a table fits the terminal: text is shortened, then headings, never numbers or times")
  func fits() {
    let rows = [("Anna Kowalska of the northern depot", 7), ("Bo", 1_234_567)].map { name, number in
      [
        Field("employee", .text("7/1")), Field("name", .text(name)),
        Field("count of all", .number(number)),
        Field("seen", .instant(now - .minutes(3))),
      ]
    }
    func lines(_ columns: Int?) -> [String] {
      var surface = screen
      surface.columns = columns
      return rows.lines(on: surface)
    }
    #expect(
      lines(50) == [
        "employee  name             count of all  seen",
        "7/1       Anna Kowalska …             7  3 min ago",
        "7/1       Bo                    1234567  3 min ago",
      ], "\(lines(50))")
    #expect(lines(36).allSatisfy { $0.count <= 36 })
    #expect(lines(36)[2].contains("1234567  3 min ago"), "\(lines(36))")
    // Too narrow for a table: one value a line.
    #expect(lines(25)[0] == "employee      7/1" && lines(25).contains(""), "\(lines(25))")
    #expect(lines(nil)[1].contains("Anna Kowalska of the northern depot"))
  }

  @Test("an empty list says so on a terminal, and is silent in a pipe")
  func empty() {
    #expect([[Field]]().lines(on: screen, whenEmpty: "No phones.") == ["No phones."])
    #expect([[Field]]().lines(on: pipe, whenEmpty: "No phones.") == [])
  }

  @Test("a card shows each time relative and absolute")
  func card() {
    let fields = [
      Field("name", .text("Anna")), Field("enrolled", .instant(now - .minutes(3))),
    ]
    #expect(
      Card(fields, json: [:]).lines(on: screen)
        == ["name      Anna", "enrolled  3 min ago (2026-11-20 15:01:05Z)"])
  }

  @Test("a new thing is alone in a pipe, and its explanation goes beside it")
  func made() {
    let made = Made(value: "7-ABCD", explanation: ["A code:", "7-ABCD"], object: [:])
    #expect(made.lines(on: pipe) == ["7-ABCD"])
    #expect(made.notes(on: pipe) == ["A code:", "7-ABCD"])
    #expect(made.lines(on: screen) == ["A code:", "7-ABCD"])
    #expect(made.notes(on: screen) == [])
  }

  @Test("a QR code is drawn module by module, with light around it", arguments: [true, false])
  func blocks(isStyled: Bool) throws {
    let code = try #require(QRCode("http://127.0.0.1:8080/app#7-ABCD"))
    let lines = code.blocks(Styling(isOn: isStyled)).map { line in
      isStyled ? line.replacing(/\u{1B}\[[0-9;]*m/, with: "") : line
    }
    let zone = QRCode.quietZone
    #expect(lines.count == (code.size + 2 * zone + 1) / 2)
    for (number, line) in lines.enumerated() {
      #expect(line.count == code.size + 2 * zone && line.count <= Surface.width)
      for (row, drawn) in [(2 * number - zone, "▀█"), (2 * number - zone + 1, "▄█")] {
        let dark = line.map { drawn.contains($0) == isStyled }
        #expect(dark == (-zone..<code.size + zone).map { code[row, $0] }, "row \(row)")
      }
    }
    let made = Made(value: "7-ABCD", explanation: ["A code:"], object: [:], picture: code)
    #expect(made.lines(on: pipe) == ["7-ABCD"] && made.notes(on: pipe) == ["A code:"])
    #expect(made.lines(on: screen).count == 2 + lines.count)
  }

  @Test("JSON keeps the order of its members and escapes what a terminal would obey")
  func json() throws {
    let text = "q\" b\\ n\n t\t esc\u{1B} c1\u{9B} bidi\u{202E} nul\u{0} ok é 👩‍🔧"
    let value: JSONValue = [
      "z": .string(text), "a": .array([.integer(.min), .bool(true), .null]), "o": [:],
      "e": .array([]),
    ]
    let lines = value.lines
    #expect(lines.first == "{" && lines.last == "}")
    #expect(lines[1].hasPrefix(#"  "z": "#))
    let joined = lines.joined(separator: "\n")
    #expect(!joined.unicodeScalars.contains { $0 != "\n" && $0.isUnshowable })
    let object = try JSONSerialization.jsonObject(with: Data(joined.utf8))
    let read = try #require(object as? [String: Any])
    #expect(read["z"] as? String == text)
    #expect((read["a"] as? [Any])?.count == 3)
  }

  @Test("what a phone calls itself cannot move the cursor, colour the screen or break a line")
  func showable() {
    #expect(
      "a\u{1B}[2J\r\nb\u{202E}c\u{85}".showable == "a\u{FFFD}[2J\u{FFFD}\u{FFFD}b\u{FFFD}c\u{FFFD}")
    #expect("Łucja 👩‍🔧".showable == "Łucja 👩‍🔧")
  }

  @Test("text is broken at spaces, and a long word keeps a line to itself")
  func wrapping() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("a verylongword b".wrapped(to: 5) == ["a", "verylongword", "b"])
    #expect("".wrapped(to: 5) == [""])
    #expect("step".hanging(after: "1. ") == ["1. step"])
  }
}
