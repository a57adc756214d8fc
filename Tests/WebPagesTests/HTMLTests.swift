import Testing

@testable import WebPages

private func text(_ html: HTML) -> String { String(decoding: html.bytes, as: UTF8.self) }

@Suite("HTML") struct HTMLTests {
  @Test(
    "escapes inserted text, and only that",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload=x y='", "&quot; onload=x y=&#39;"),
      ("AT&amp;T", "AT&amp;amp;T"), ("Ž 🦊 \u{202E}", "Ž 🦊 \u{202E}"), ("", ""),
    ])
  func escapes(_ given: String, _ shown: String) {
    #expect(text("<b title=\"\(given)\">\(given)</b>") == "<b title=\"\(shown)\">\(shown)</b>")
  }

  @Test("inserts markup unchanged, numbers as digits, and nothing for `nil`")
  func kinds() {
    let none: String? = nil
    let piece: HTML = "<i>\(7)</i>"
    #expect(
      text("\(piece)|\([piece, piece])|\(none)|\("!", if: true)\("?", if: false)")
        == "<i>7</i>|<i>7</i><i>7</i>||!")
  }

  @Test(
    "a tracking rate is marked as bad when it is low and as good when it is high",
    arguments: [
      (0, " class=\"bad\"", "0.0\u{202F}%"), (499, " class=\"bad\"", "49.9\u{202F}%"),
      (500, "", "50.0\u{202F}%"), (900, " class=\"good\"", "90.0\u{202F}%"), (nil, "", "–"),
    ])
  func rate(_ permille: Int?, _ mark: String, _ shown: String) {
    #expect(
      text(trackedFigure(permille: permille))
        == "<div\(mark)><dt>Tracked</dt><dd>\(shown)</dd></div>")
  }

  @Test(
    "a query can contain any value",
    arguments: [
      ("a b", "?q=a%20b"), ("&team=1", "?q=%26team%3D1"), ("ž\"<", "?q=%C5%BE%22%3C"), ("", ""),
    ])
  func query(_ value: String, _ expected: String) {
    #expect(Query().with("q", "old").with("q", value).text == expected)
  }

  @Test(
    "the redirect after login never leads to another site",
    arguments: [
      ("/", "/"), ("/coverage?team=3", "/coverage?team=3"), (nil, "/"), ("", "/"),
      ("//evil.example", "/"), ("/\\evil.example", "/"), ("https://evil.example", "/"),
      ("/\t/evil.example", "/"), ("/\n/evil.example", "/"), ("javascript:alert(1)", "/"),
      ("evil", "/"), ("/login?next=/login", "/"), ("/ü", "/"),
    ])
  func wayBack(_ next: String?, _ place: String) { #expect(localPath(next) == place) }
}
