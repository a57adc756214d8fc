import Foundation
import HTTPAPI
import HTTPServing
import JSONText
import ShiftTestKit
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

  @Test("takes at most 80 kB in all, whatever the language")
  func size() {
    let fixed = page.files.filter { !$0.path.hasPrefix("/app/texts/") }
    let texts = page.files.filter { $0.path.hasPrefix("/app/texts/") }
    let total = fixed.reduce(0) { $0 + $1.bytes.count } + (texts.map(\.bytes.count).max() ?? 0)
    let sizes = page.files.map { "\($0.path) \($0.bytes.count)" }.joined(separator: "\n")
    #expect(total <= 80_000, "\(total) bytes:\n\(sizes)")
  }

  @Test("asks for no text that its texts do not have")
  func keys() throws {
    let script = String(decoding: PackageResources.app_js, as: UTF8.self)
    let calls = /(?:text|button|section|act)\("([A-Za-z_]+)"/
    let asked = Set(script.matches(of: calls).map { String($0.output.1) })
    let known = Set(PageText.allCases.map(\.rawValue))
    #expect(asked.count > 60)
    #expect(asked.subtracting(known).sorted() == [])
    // Every text is named in the script, or begins with a word that the script completes.
    let unused = known.filter { key in
      let start = key.split(separator: "_").first.map { "\($0)_${" } ?? ""
      return !script.contains("\"\(key)\"") && !(key.contains("_") && script.contains(start))
    }
    #expect(unused.sorted() == [])
  }

  @Test("leaves out comments and indentation, and nothing else")
  func scripts() {
    let script = "// Why.\nconst a = 1; // kept\n\n  // Why.\n  f(\"// kept\");\n"
    let sent = String(decoding: withoutComments(Array(script.utf8)), as: UTF8.self)
    #expect(sent == "const a = 1; // kept\nf(\"// kept\");\n")
  }
}
