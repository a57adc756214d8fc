import Foundation
import HTTPAPI
import HTTPServing
import JSONText
import ShiftTestKit
import TestPrograms
import Testing

@testable import EmployeePage

@Suite("The employee's page") struct EmployeePageTests {
  private static let rules: [UInt8] = Array(repeating: 1, count: 4_399)
  private let page = EmployeePage(rules: Self.rules)
  private var router: Router { Router(page.files.map(\.route.route)) }

  @Test("is a shell without inline script or style that runs only our code and our rules")
  func shell() async throws {
    let shell = try await router.answer(.get, "/app")
    #expect(shell.status == 200)
    #expect(shell.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(shell.headers["Cache-Control"] == "no-cache")
    let policy = try #require(shell.headers["Content-Security-Policy"])
    #expect(policy.contains("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"))
    #expect(!policy.contains("unsafe-inline") && !policy.contains("http"))
    #expect(shell.headers["Permissions-Policy"]?.hasPrefix("geolocation=(self)") == true)
    #expect(
      !shell.text.contains("{{") && !shell.text.contains(" style=")
        && !shell.text.contains("<style"))
    for script in shell.text.matches(of: /<script([^>]*)>(.*)<\/script>/) {
      #expect(script.output.1.contains("src=") && script.output.2.isEmpty)
    }
  }

  @Test("has everything that its shell and its worker ask for, under names that can be kept")
  func assets() async throws {
    let texts = try await [
      router.answer(.get, "/app").text, router.answer(.get, "/app/manifest.webmanifest").text,
    ]
    let paths = Set(
      texts.flatMap { $0.matches(of: /"(\/app\/[^"]+)"/).map { String($0.output.1) } })
    #expect(paths.count >= 5)
    for path in paths {
      let file = try await router.answer(.get, path)
      #expect(file.status == 200, "\(path)")
      #expect(file.headers["X-Content-Type-Options"] == "nosniff", "\(path)")
      let isVersioned = path.contains(page.version)
      #expect(file.headers["Cache-Control"]?.contains("immutable") == isVersioned, "\(path)")
    }
    let worker = try await router.answer(.get, "/app/service-worker.js")
    #expect(worker.headers["Service-Worker-Allowed"] == "/app")
    #expect(worker.text.contains(page.version))
  }

  @Test("is not sent again while its tag is known")
  func tags() async throws {
    for path in ["/app", "/app/texts/de.json", "/app/rules.wasm"] {
      let first = try await router.answer(.get, path)
      let tag = try #require(first.headers["ETag"])
      let second = try await router.answer(.get, path, headers: ["If-None-Match": tag])
      #expect(second.status == 304 && second.text.isEmpty, "\(path)")
      let third = try await router.answer(.get, path, headers: ["If-None-Match": "\"other\""])
      #expect(third.status == 200, "\(path)")
    }
  }

  @Test("has no rules when the server found none")
  func withoutRules() async throws {
    let router = Router(employeePageRoutes().map(\.route))
    #expect(try await router.answer(.get, "/app/rules.wasm").status == 404)
  }

  @Test("is compressed for browsers that accept gzip, under a tag of its own")
  func compressed() async throws {
    let plain = try await router.answer(.get, "/app")
    #expect(plain.headers["Content-Encoding"] == nil)
    #expect(plain.headers["Vary"] == "Accept-Encoding")
    let accepting: HTTPHeaders = ["Accept-Encoding": "br;q=1.0, GZIP; q=0.8"]
    let packed = try await router.answer(.get, "/app", headers: accepting)
    #expect(packed.headers["Content-Encoding"] == "gzip")
    #expect(packed.headers["Vary"] == "Accept-Encoding")
    let tag = try #require(packed.headers["ETag"])
    #expect(tag != plain.headers["ETag"])
    var known = accepting
    known["If-None-Match"] = tag
    #expect(try await router.answer(.get, "/app", headers: known).status == 304)
    // The tag names compressed bytes, which this request does not accept.
    let other = try await router.answer(.get, "/app", headers: ["If-None-Match": tag])
    #expect(other.status == 200 && other.text == plain.text)
    // Compression would only make these bytes longer.
    let short = PageFile(path: "/short", type: "text/plain", bytes: [1], caching: .forever)
    let answer = try await Router([short.route.route]).answer(.get, "/short", headers: accepting)
    #expect(answer.headers["Content-Encoding"] == nil && answer.text == "\u{1}")
  }

  @Test(
    "a browser accepts gzip if it says so",
    arguments: [
      ("gzip", true), ("gzip, deflate, br, zstd", true), ("deflate,gzip;q=0.001", true),
      ("gzip;q=0", false), ("gzip ; q=0.000, br", false), ("", false), ("x-gzip2", false),
    ])
  func acceptance(_ field: String, _ accepts: Bool) {
    #expect(acceptsGzip(["Accept-Encoding": field]) == accepts)
    #expect(!acceptsGzip([:]))
  }

  @Test("asks for no text that its texts do not have")
  func keys() throws {
    let script = PageAsset.modules.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    let calls = /(?:text|button|section|act)\("([A-Za-z_]+)"/
    let asked = Set(script.matches(of: calls).map { String($0.output.1) })
    let known = Set(PageText.allCases.map(\.rawValue))
    #expect(asked.count > 60)
    #expect(asked.subtracting(known).sorted() == [])
    // Every text is named in the script, or begins with a word that the script completes.
    let unused = known.subtracting(PageTexts.beforeScript.map(\.rawValue)).filter { key in
      let start = key.split(separator: "_").first.map { "\($0)_${" } ?? ""
      return !script.contains("\"\(key)\"") && !(key.contains("_") && script.contains(start))
    }
    #expect(unused.sorted() == [])
  }

  @Test("serves every module, and its worker keeps every file that has the version in its address")
  func modules() async throws {
    let folder = projectFolder.appending(path: "Sources/EmployeePage/Assets/Modules").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count > 30 && PageAsset.modules.map(\.name).sorted() == names)
    for module in PageAsset.modules {
      let script = String(decoding: module.bytes, as: UTF8.self)
      for found in script.matches(of: /(?:from|import) "([^"]*)"/) {
        let path = found.output.1
        #expect(path.hasPrefix("./") && names.contains(String(path.dropFirst(2))), "\(path)")
      }
    }
    let worker = try await router.answer(.get, "/app/service-worker.js").text
    let list = try #require(worker.firstMatch(of: /\.\.\."([^"]+)"\.split/)).output.1
    let kept = Set(list.split(separator: " ").map { "/app/\(page.version)/\($0)" })
    #expect(kept == Set(page.files.filter { $0.caching == .forever }.map(\.path)))
  }

  @Test("leaves out comments and indentation, and nothing else")
  func scripts() {
    let script = "// Why.\nconst a = 1; // kept\n\n  // Why.\n  f(\"// kept\");\n"
    let sent = String(decoding: withoutComments(Array(script.utf8)), as: UTF8.self)
    #expect(sent == "const a = 1; // kept\nf(\"// kept\");\n")
  }
}
