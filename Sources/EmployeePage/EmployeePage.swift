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
      PackageResources.app_html, PackageResources.app_js, PackageResources.app_css,
      PackageResources.service_worker_js, PackageResources.manifest_webmanifest,
      PackageResources.icon_svg, PackageResources.icon_512_png,
      rules ?? [], Array((pushKey ?? "").utf8),
    ]
    version = versionText(of: Array((sources + texts.map(\.bytes)).joined()))
    var files = Self.shell(version, pushKey ?? "") + Self.assets(version)
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
    [
      PageFile(
        path: "/app", type: "text/html; charset=utf-8",
        bytes: filled(
          filled(PackageResources.app_html, version, for: "version"), pushKey, for: "pushKey"),
        caching: .revalidated,
        extra: safety + [("Permissions-Policy", "geolocation=(self), camera=(), microphone=()")]),
      PageFile(
        path: "/app/service-worker.js", type: "text/javascript; charset=utf-8",
        bytes: withoutComments(filled(PackageResources.service_worker_js, version, for: "version")),
        caching: .revalidated,
        // Its folder is `/app/`; without this the browser refuses the scope `/app`.
        extra: safety + [("Service-Worker-Allowed", "/app")]),
      PageFile(
        path: "/app/manifest.webmanifest", type: "application/manifest+json",
        bytes: filled(PackageResources.manifest_webmanifest, version, for: "version"),
        caching: .revalidated),
    ]
  }

  /// What has the version in its address.
  private static func assets(_ version: String) -> [PageFile] {
    let assets: [(name: String, type: String, bytes: [UInt8])] = [
      ("app.css", "text/css; charset=utf-8", withoutComments(PackageResources.app_css)),
      ("app.js", "text/javascript; charset=utf-8", withoutComments(PackageResources.app_js)),
      ("icon.svg", "image/svg+xml", PackageResources.icon_svg),
      ("icon-512.png", "image/png", PackageResources.icon_512_png),
    ]
    return assets.map { asset in
      PageFile(
        path: "/app/\(version)/\(asset.name)", type: asset.type, bytes: asset.bytes,
        caching: .forever)
    }
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
