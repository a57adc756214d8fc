import Cryptography
import Guidance
import HTTPAPI
import HTTPServing

/// The employee's page: a shell and a few files without any data. Everything about the employee
/// comes from `/v1`, with the device token of the browser.
/// - Parameters:
///   - rules: The rules as WebAssembly; `nil`: the page lets the server decide.
///   - pushKey: The public key of our push messages, in base64url; `nil`: there are none.
package func employeePageRoutes(rules: [UInt8]? = nil, pushKey: String? = nil) -> [AccessRoute] {
  EmployeePage(rules: rules, pushKey: pushKey).files.map(\.route)
}

struct EmployeePage: Sendable {
  let files: [PageFile]
  /// Twelve hex digits: another version of any file makes another one.
  let version: String

  init(rules: [UInt8]?, pushKey: String? = nil) {
    let texts = Language.allCases.map { (language: $0, bytes: PageTexts.json(in: $0).bytes) }
    let sources: [[UInt8]] = [
      PackageResources.app_html, PackageResources.service_worker_js,
      PackageResources.manifest_webmanifest, rules ?? [], Array((pushKey ?? "").utf8),
    ]
    let contents = sources + PageAsset.all.map(\.bytes) + texts.map(\.bytes)
    version = versionText(of: Array(contents.joined()))
    var files =
      Self.shell(version, pushKey ?? "") + PageAsset.all.map { [version] in $0.file(version) }
    for (language, bytes) in texts {
      files.append(
        PageFile(
          path: "/app/texts/\(language.code).json", type: "application/json", bytes: bytes,
          caching: .revalidated))
    }
    if let rules {
      files.append(
        PageFile(
          path: "/app/rules.wasm", type: "application/wasm", bytes: rules, caching: .revalidated))
    }
    self.files = files
  }

  /// What has a fixed address.
  private static func shell(_ version: String, _ pushKey: String) -> [PageFile] {
    // A browser finds out what a module imports only once it has it: with the list it loads all of
    // them at once.
    let preloads = PageAsset.modules.map {
      "<link rel=\"modulepreload\" href=\"/app/\(version)/\($0.name)\">"
    }
    let names = PageAsset.all.map(\.name).joined(separator: " ")
    return [
      PageFile(
        path: "/app", type: "text/html; charset=utf-8",
        bytes: filled(
          PackageResources.app_html,
          ["version": version, "pushKey": pushKey, "preloads": preloads.joined(separator: "\n")]
            .merging(PageTexts.shell) { $1 }),
        caching: .revalidated,
        extra: safety + [("Permissions-Policy", "geolocation=(self), camera=(), microphone=()")]),
      PageFile(
        path: "/app/service-worker.js", type: "text/javascript; charset=utf-8",
        bytes: withoutComments(
          filled(PackageResources.service_worker_js, ["version": version, "assets": names])),
        caching: .revalidated,
        // Its folder is `/app/`; without this the browser refuses the scope `/app`.
        extra: safety + [("Service-Worker-Allowed", "/app")]),
      PageFile(
        path: "/app/manifest.webmanifest", type: "application/manifest+json",
        bytes: filled(PackageResources.manifest_webmanifest, ["version": version]),
        caching: .revalidated),
    ]
  }

  /// Instructions to the browser: run only our code and our rules, talk only to this server, and do
  /// not frame the page.
  /// - Source: OWASP HTTP Headers Cheat Sheet; CSP 3, `wasm-unsafe-eval`.
  private static let safety: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
        "img-src 'self'", "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'",
        "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
      ].joined(separator: "; ")
    ),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}
