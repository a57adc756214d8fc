import CSVReading
import Testing

@Suite("A CSV file") struct CSVReaderTests {
  private func read(_ text: String) -> [String] { read(Array(text.utf8)) }

  /// One line per record: its line number, and its fields or the error.
  private func read(_ bytes: [UInt8]) -> [String] {
    var reader = CSVReader(bytes)
    var lines: [String] = []
    while let next = reader.next() {
      switch next {
      case .success(let record):
        lines.append("\(record.line): \(record.fields.joined(separator: "|"))")
      case .failure(let fault): lines.append("\(fault.line)! \(fault.detail)")
      }
    }
    return lines
  }

  private static let texts: [(String, [String])] = [
    ("", []),
    ("\n\r\n\n", []),
    ("a,b", ["1: a|b"]),
    ("a,b\n", ["1: a|b"]),
    ("a,b\r\nc,d\r\n", ["1: a|b", "2: c|d"]),
    ("a\n\n\nb\n", ["1: a", "4: b"]),
    (",\n", ["1: |"]),
    ("a,\n", ["1: a|"]),
    ("\u{FEFF}a,b\n", ["1: a|b"]),
    (#""a,b",c"#, ["1: a,b|c"]),
    (#""a ""b""",c"#, [#"1: a "b"|c"#]),
    ("\"\",c", ["1: |c"]),
    ("\"a", ["1! has a quote that is never closed"]),
    ("\"\"\n", ["1: "]),
    ("\"a\nb\",c\nd", ["1: a\nb|c", "3: d"]),
    ("\"a\r\nb\",c\r\nd", ["1: a\r\nb|c", "3: d"]),
    ("a;b\n1;2,3", ["1: a|b", "2: 1|2,3"]),
    ("a,b;c", ["1: a|b;c"]),
    ("Żółć,ß\n", ["1: Żółć|ß"]),
    // An error affects only its own line.
    ("a\"b\nc", ["1! has a quote inside a field without quotes", "2: c"]),
    ("\"a\"b\nc", ["1! has text after a closing quote", "2: c"]),
    ("a\rb\nc", ["1! has a carriage return without a line feed", "2: c"]),
    ("\"a\nc\nd", ["1! has a quote that is never closed", "2: c", "3: d"]),
    ("a\0\nc", ["1! is not UTF-8 text", "2: c"]),
  ]

  @Test("is read as RFC 4180 specifies, and an error affects only its line", arguments: texts)
  func reads(_ text: String, _ records: [String]) { #expect(read(text) == records) }

  @Test("that is not UTF-8 is reported line by line")
  func encoding() {
    #expect(read([0x61, 0xFF, 0x0A, 0x62]) == ["1! is not UTF-8 text", "2: b"])
  }

  @Test("of any bytes is read to its end, with its lines in order")
  func anything() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("ab,;\"\r\n\0ż".utf8) + [0xFF]
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...40, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      var reader = CSVReader(bytes)
      var line = 0
      while let next = reader.next() {
        let own =
          switch next {
          case .success(let record): record.line
          case .failure(let fault): fault.line
          }
        #expect(own > line, "\(bytes)")
        line = own
      }
    }
  }
}
