import ManagerCore

/// The sections in the menu of every page.
enum Section: CaseIterable {
  case board, plan, reviews, coverage, timeSheets, notifications, settings, audit

  static func all(for principal: Principal) -> [Section] {
    allCases.filter { $0 != .audit || principal.role == .administrator }
  }

  var path: HTML {
    switch self {
    case .board: "/"
    case .plan: "/plan"
    case .reviews: "/reviews"
    case .coverage: "/coverage"
    case .timeSheets: "/time-sheets"
    case .notifications: "/notifications"
    case .settings: "/settings"
    case .audit: "/audit"
    }
  }

  var name: HTML {
    switch self {
    case .board: "Board"
    case .plan: "Plan"
    case .reviews: "Reviews"
    case .coverage: "Coverage"
    case .timeSheets: "Time sheets"
    case .notifications: "Notifications"
    case .settings: "Settings"
    case .audit: "Audit log"
    }
  }
}

struct Page: Sendable {
  /// The title of the window; never contains a location.
  var title: String
  /// The section it belongs to, marked as current in the menu.
  var section: Section?
  /// A script of its own, besides the one of all pages.
  var script: Assets.Asset?
  /// Whether it is the page of the viewer's own account, which their name links to.
  var isOwn = false
  /// How many clock actions and shifts wait for the viewer's decision.
  var waiting = 0
  /// How many employees need attention, if the title of the window says that instead.
  var attention: Int?
  /// The content of `main`, beginning with an `h1`.
  var content: HTML

  /// - Parameter principal: `nil`: nobody is logged in, and there is no menu.
  func html(for principal: Principal?, assets: Assets) -> HTML {
    let count = attention ?? waiting
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\("(\(count)) ", if: count > 0)\(title) · ShiftGuard</title>
      <link rel="icon" href="\(assets.path(of: .icon))">
      <link rel="manifest" href="\(assets.path(of: .manifest))">
      <link rel="stylesheet" href="\(assets.path(of: .styles))">
      <script src="\(assets.path(of: .script))" defer></script>\
      \(script.map { module(assets.path(of: $0)) })
      <body\(" class=\"alone\"", if: principal == nil)>
      \(principal.map { header(for: $0) })
      <main id="main" tabindex="-1">
      \(content)
      </main>

      """
  }

  private func module(_ path: String) -> HTML {
    "\n<script src=\"\(path)\" type=\"module\"></script>"
  }

  private func header(for principal: Principal) -> HTML {
    """
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
    <a class="brand" href="/"><svg viewBox="0 0 32 32" aria-hidden="true">\
    \(mark)</svg>ShiftGuard</a>
    <nav aria-label="Menu"><ul>\(Section.all(for: principal).map { link(to: $0) })</ul></nav>
    <form method="post" action="/logout"><a href="/account" title="Your account"\
    \(" aria-current=\"page\"", if: isOwn)>\(principal.actor.name)</a>\
    <button class="quiet">Log out</button></form>
    </header>
    """
  }

  private func link(to other: Section) -> HTML {
    if other == .reviews {
      return "<li>\(reviewsLink(isCurrent: section == .reviews, waiting))"
    }
    return """
      <li><a href="\(other.path)"\(" aria-current=\"page\"", if: other == section)>\
      \(other.name)</a>
      """
  }
}

/// The link to the reviews, with how many wait. The script of the board replaces it.
func reviewsLink(isCurrent: Bool, _ waiting: Int) -> HTML {
  let badge: HTML? =
    waiting > 0
    ? "<b class=\"badge\">\(waiting)<span class=\"hidden\"> waiting</span></b>" : nil
  return """
    <a id="reviews" href="\(Section.reviews.path)"\(" aria-current=\"page\"", if: isCurrent)>\
    \(Section.reviews.name)\(badge)</a>
    """
}

let mark: HTML = """
  <path class="mark" d="M16 2l12 4v9c0 8-5 13-12 15C9 28 4 23 4 15V6z"/>\
  <path class="mark-tick" d="M10.5 16l4 4 7.5-8.5"/>
  """
