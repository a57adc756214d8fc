import Cryptography
import HTTPAPI
import HTTPServing

/// Styles, script and icon of the pages. They are part of the program, so they need no files.
/// Their address contains a hash of their contents, so a browser requests them once.
struct Assets: Sendable {
  enum Asset: CaseIterable {
    case styles, script, board, boardWorker, icon, manifest

    fileprivate var file: (name: String, type: String, bytes: [UInt8]) {
      switch self {
      case .styles: ("pages.css", "text/css; charset=utf-8", PackageResources.pages_css)
      case .script: ("pages.js", "text/javascript; charset=utf-8", PackageResources.pages_js)
      case .board: ("board.js", "text/javascript; charset=utf-8", PackageResources.board_js)
      case .boardWorker:
        ("board-worker.js", "text/javascript; charset=utf-8", PackageResources.board_worker_js)
      case .icon: ("icon.svg", "image/svg+xml", PackageResources.icon_svg)
      case .manifest:
        (
          "manifest.webmanifest", "application/manifest+json",
          PackageResources.manifest_webmanifest
        )
      }
    }
  }

  /// Of all contents together.
  private let version = versionText(of: Asset.allCases.flatMap { $0.file.bytes })

  /// A service worker keeps its address, because browsers ask there for its next version.
  func path(of asset: Asset) -> String {
    let folder = asset == .boardWorker ? "/assets" : "/assets/\(version)"
    return "\(folder)/\(asset.file.name)"
  }

  var routes: [AccessRoute] {
    Asset.allCases.map { asset in
      AccessRoute(.get, path(of: asset), .anybody, isBrief: true) { _ in
        let file = asset.file
        let caching =
          asset == .boardWorker ? "no-cache" : "public, max-age=31536000, immutable"
        return HTTPResponse(
          headers: [
            "Content-Type": file.type, "Cache-Control": caching,
            "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
            "Content-Security-Policy": "default-src 'none'",
          ],
          body: .bytes(file.bytes))
      }
    }
  }
}
