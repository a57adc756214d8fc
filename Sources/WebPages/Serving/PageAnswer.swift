import HTTPServing
import Lifecycle
import ReadModels

enum PageAnswer: Sendable {
  case page(Page, status: Int = 200)
  /// The page waits for its turn among heavy reads; the browser asks again.
  case preparing(GateBusy)
  /// A part of a page, which the script inserts.
  case fragment(HTML)
  /// A file that the browser saves; the page stays.
  case download(HTTPResponse)
  /// A redirect, after a form was sent. Sets the session's cookie if one is given.
  case seeOther(String, cookie: String? = nil)
  /// The browser sends the form again, to another place: reloading repeats only what is done there.
  case resend(String)
}

struct PageHeaders: Sendable {
  private let contentPolicy: String

  init(tiles: MapTiles?) {
    let images = ["'self'", "data:"] + (tiles.map { [$0.origin] } ?? [])
    contentPolicy = [
      "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'",
      "img-src \(images.joined(separator: " "))", "form-action 'self'", "base-uri 'none'",
      "frame-ancestors 'none'", "manifest-src 'self'",
    ].joined(separator: "; ")
  }

  /// Instructions to the browser for every page: run only our code, do not frame or cache the page,
  /// and do not send its address to other sites.
  /// - Source: OWASP HTTP Headers Cheat Sheet.
  var fields: HTTPHeaders {
    [
      "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": contentPolicy,
      "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
      "Permissions-Policy": "geolocation=(), camera=(), microphone=()",
      "Cache-Control": "no-store",
    ]
  }
}
