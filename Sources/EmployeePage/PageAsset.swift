/// A file of the page that has the version in its address.
struct PageAsset: Sendable {
  let name: String
  let type: String
  let bytes: [UInt8]

  /// Also what the service worker keeps for offline use.
  static let all: [PageAsset] =
    modules + [
      PageAsset(
        name: "app.css", type: "text/css; charset=utf-8",
        bytes: withoutComments(PackageResources.app_css)),
      PageAsset(name: "icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
      PageAsset(name: "icon-512.png", type: "image/png", bytes: PackageResources.icon_512_png),
    ]

  /// The page's script, which begins in `main.js`: every file of `Assets/Modules`.
  static let modules: [PageAsset] = [
    module("alerts", PackageResources.alerts_js),
    module("banner", PackageResources.banner_js),
    module("browser", PackageResources.browser_js),
    module("clock-actions", PackageResources.clock_actions_js),
    module("elements", PackageResources.elements_js),
    module("enrolment", PackageResources.enrolment_js),
    module("events", PackageResources.events_js),
    module("evidence", PackageResources.evidence_js),
    module("guidance", PackageResources.guidance_js),
    module("handle", PackageResources.handle_js),
    module("loading", PackageResources.loading_js),
    module("main", PackageResources.main_js),
    module("offline", PackageResources.offline_js),
    module("pings", PackageResources.pings_js),
    module("place", PackageResources.place_js),
    module("privacy-view", PackageResources.privacy_view_js),
    module("push", PackageResources.push_js),
    module("queue", PackageResources.queue_js),
    module("refusals", PackageResources.refusals_js),
    module("remedies", PackageResources.remedies_js),
    module("reports", PackageResources.reports_js),
    module("requests", PackageResources.requests_js),
    module("results", PackageResources.results_js),
    module("review", PackageResources.review_js),
    module("rules", PackageResources.rules_js),
    module("sending", PackageResources.sending_js),
    module("sheets", PackageResources.sheets_js),
    module("shift", PackageResources.shift_js),
    module("shifts-view", PackageResources.shifts_view_js),
    module("state", PackageResources.state_js),
    module("status", PackageResources.status_js),
    module("storage", PackageResources.storage_js),
    module("texts", PackageResources.texts_js),
    module("tools", PackageResources.tools_js),
    module("uploads", PackageResources.uploads_js),
    module("views", PackageResources.views_js),
    module("work", PackageResources.work_js),
    module("work-view", PackageResources.work_view_js),
  ]

  private static func module(_ name: String, _ source: [UInt8]) -> PageAsset {
    PageAsset(
      name: "\(name).js", type: "text/javascript; charset=utf-8", bytes: withoutComments(source))
  }

  func file(_ version: String) -> PageFile {
    PageFile(path: "/app/\(version)/\(name)", type: type, bytes: bytes, caching: .forever)
  }
}
