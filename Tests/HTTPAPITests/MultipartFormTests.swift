import HTTPAPI
import HTTPServing
import Testing

@Suite("Forms with files") struct MultipartFormTests {
  private func form(
    _ body: [UInt8], type: String = "multipart/form-data; boundary=----WebKitFormBoundary7MA4"
  ) throws -> MultipartForm? {
    try HTTPRequest(.post, "/x", headers: ["Content-Type": type], body: body).multipartForm()
  }

  private func form(_ body: String) throws -> MultipartForm? { try form(Array(body.utf8)) }

  /// With the line ends and the boundary of a browser.
  private func written(_ lines: String...) -> String {
    lines.joined(separator: "\r\n")
      .replacing("BOUND", with: "------WebKitFormBoundary7MA4")
  }

  private let csv = #"Content-Disposition: form-data; name="csv""#
  private let file = #"Content-Disposition: form-data; name="file"; filename="plan; ž.csv""#

  @Test("have their fields and their file, byte for byte")
  func read() throws {
    let text = written(
      "BOUND", csv, "", "a=b&c", "", "BOUND", file, "Content-Type: text/csv", "",
      "1,2\r\n--\r\n------WebKitFormBoundary7MA\r\n\0\r", "BOUND",
      #"content-disposition: FORM-DATA; name=trial"#, "", "", "BOUND--", "")
    let parts = try #require(try form(text)).parts
    #expect(parts.map(\.name) == ["csv", "file", "trial"])
    #expect(parts.map(\.fileName) == [nil, "plan; ž.csv", nil])
    #expect(
      parts.map { String(decoding: $0.content, as: UTF8.self) }
        == ["a=b&c\r\n", "1,2\r\n--\r\n------WebKitFormBoundary7MA\r\n\0\r", ""])
    // Without a line end after the last boundary, and with bytes that are no text.
    let bytes =
      Array(written("BOUND", file, "", "").utf8) + [0xFF, 0x00, 0x0D, 0x0A]
      + Array(written("BOUND--").utf8)
    #expect(try #require(try form(bytes)).parts.map { Array($0.content) } == [[0xFF, 0x00]])
    // A field without a file, as a browser sends it.
    let none = written(
      "BOUND", #"Content-Disposition: form-data; name="file"; filename="""#,
      "Content-Type: application/octet-stream", "", "", "BOUND--", "")
    #expect(try #require(try form(none)).parts.map(\.fileName) == [""])
  }

  @Test(
    "are only what their type says", arguments: ["", "text/csv", "multipart/mixed; boundary=x"])
  func others(_ type: String) throws {
    #expect(try form([], type: type) == nil)
  }

  @Test(
    "without a usable boundary are refused",
    arguments: [
      "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"",
      "multipart/form-data; boundary=a b", "multipart/form-data; boundary=\"a\u{0}\"",
      "multipart/form-data; boundary=" + String(repeating: "a", count: 71),
      "multipart/form-data; boundary=a; boundary=a",
    ])
  func boundaries(_ type: String) {
    #expect(throws: MultipartFault.self) { try form(Array("--a\r\n".utf8), type: type) }
  }

  @Test("with a quoted boundary are read")
  func quoted() throws {
    let body = Array("--a:b\r\n\(csv)\r\n\r\nx\r\n--a:b--".utf8)
    let found = try form(body, type: "Multipart/Form-Data; charset=utf-8; boundary=\"a:b\"")
    #expect(try #require(found).parts.count == 1)
  }

  private var faulty: [(String, String)] {
    let long = String(repeating: "n", count: 3_000)
    let disposition = "Content-Disposition: form-data"
    return [
      ("", "begin"), (written("x", "BOUND", csv, "", "x", "BOUND--"), "begin"),
      (written("", "BOUND", csv, "", "x", "BOUND--"), "begin"),
      ("------WebKitFormBoundary7MA4", "end with"),
      (written("BOUND", csv, "", "x"), "does not end"),
      (written("BOUND", csv, "", "x", "BOUND"), "end with"),
      (written("BOUND", csv, "", "x", "BOUND-"), "end with"),
      (written("BOUND", csv, "", "x", "BOUND--", "more"), "end with"),
      (written("BOUND", csv, "", "x", "BOUNDx", "BOUND--"), "end with"),
      (written("BOUND", csv), "head"), (written("BOUND", csv, "x", "", "y", "BOUND--"), "unread"),
      (written("BOUND", file, "", "1", "BOUND", file, "", "2", "BOUND--"), "two files"),
      (written("BOUND", "\(disposition); name=\"\(long)\"", "", "x", "BOUND--"), "too long"),
      (written("BOUND", "\(disposition); name=\"a\0\"", "", "x", "BOUND--"), "not text"),
      (written("BOUND", disposition, "", "x", "BOUND--"), "without a name"),
      (written("BOUND", "\(disposition); name=\"a", "", "x", "BOUND--"), "without a name"),
      (written("BOUND", "\(disposition); name=a; name=b", "", "x", "BOUND--"), "without a name"),
      (written("BOUND", "\(disposition); name=a; filename*=b", "", "x", "BOUND--"), "without"),
      (written("BOUND", "Content-Disposition: attachment; name=a", "", "", "BOUND--"), "without"),
      (written("BOUND", "Content-Type: text/csv", "", "x", "BOUND--"), "without a name"),
      (written("BOUND", csv, csv, "", "x", "BOUND--"), "unexpected"),
      (written("BOUND", csv, "Content-Transfer-Encoding: base64", "", "eA==", "BOUND--"), "unexp"),
      (String(repeating: written("BOUND", csv, "", "x", ""), count: 51), "too many"),
    ]
  }

  @Test("that are cut, garbled or overfull are refused as a whole")
  func refused() throws {
    for (body, detail) in faulty {
      let fault = #expect(throws: MultipartFault.self, "\(body.prefix(200))") { try form(body) }
      #expect(fault?.detail.contains(detail) == true, "\(body.prefix(200)): \(fault?.detail ?? "")")
    }
    let bytes = Array(written("BOUND", #"Content-Disposition: form-data; name=""#).utf8)
    #expect(throws: MultipartFault.self) {
      try form(bytes + [0xFF] + Array(written("\"", "", "x", "BOUND--").utf8))
    }
  }
}
