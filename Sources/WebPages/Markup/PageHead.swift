import OperationCore

struct Crumb: Sendable {
  var name: HTML
  var path: HTML

  static let board = Crumb(name: "Board", path: "/")
  static let settings = Crumb(name: "Settings", path: "/settings")
}

/// The head of a page: breadcrumb, title, and the result of the form just sent.
struct PageHead: Sendable {
  /// Outermost first.
  var way: [Crumb] = []
  var title: HTML
  /// A description, as one or more paragraphs.
  var line: HTML
  var done: HTML?
  /// Where a form undoes what was done; `nil` where nothing does.
  var undo: Undo?
  var fault: HTML?

  struct Undo: Sendable {
    var action: String
    /// The page that is shown afterwards, if it is not the usual one.
    var next = ""
  }

  var html: HTML {
    """
    \(way.isEmpty ? nil : crumbs)
    <div class="heading"><h1>\(title)</h1>\(line)</div>
    \(done.map { report($0) })
    \(fault.map { .fault($0) })
    """
  }

  private func report(_ done: HTML) -> HTML {
    guard let undo else { return "<p class=\"done\" role=\"status\">\(done)</p>" }
    return """
      <div class="done split"><p role="status">\(done)</p>
      <form method="post" action="\(undo.action)">\
      <input type="hidden" name="next" value="\(undo.next)">\
      <button class="quiet small">Undo</button></form></div>
      """
  }

  private var crumbs: HTML {
    let links = way.enumerated().map { place, crumb -> HTML in
      "\(" › ", if: place > 0)<a href=\"\(crumb.path)\">\(crumb.name)</a>"
    }
    return "<nav class=\"crumbs\" aria-label=\"Breadcrumb\">\(links)</nav>"
  }
}

extension Page {
  /// A page with the title of its window in its head.
  init(
    _ title: String, in section: Section, below way: [Crumb] = [], line: HTML, done: HTML? = nil,
    undo: PageHead.Undo? = nil, fault: HTML? = nil, _ body: HTML
  ) {
    let head = PageHead(
      way: way, title: "\(title)", line: line, done: done, undo: undo, fault: fault)
    self.init(title: title, section: section, content: "\(head.html)\n\(body)")
  }

  /// A page of the settings, below their overview and `parent`.
  init(
    setting title: String, below parent: Crumb? = nil, line: HTML, done: HTML? = nil,
    undo: PageHead.Undo? = nil, fault: HTML? = nil, _ body: HTML
  ) {
    self.init(
      title, in: .settings, below: [Crumb.settings] + [parent].compactMap { $0 }, line: line,
      done: done, undo: undo, fault: fault, body)
  }
}

extension HTML {
  /// An error: a sentence, or several paragraphs.
  static func fault(_ reason: HTML) -> HTML {
    "<div class=\"fault\" role=\"alert\">\(reason)</div>"
  }
}

/// A page with a form that can show why it was refused.
protocol FormView: Sendable {
  var fault: HTML? { get set }
  var page: Page { get }
}

extension FormView {
  /// The page again, with the reason for the refusal.
  func refused(_ reason: HTML) -> PageAnswer {
    var view = self
    view.fault = reason
    return .page(view.page, status: 422)
  }

  /// The page again, if `error` is a refusal.
  func refused(by error: any Error) throws -> PageAnswer {
    var view = self
    let (reason, status) = try shownRefusal(error)
    view.fault = reason
    return .page(view.page, status: status)
  }
}

/// What a page that shows its form again says about `error`, and its status.
/// - Throws: `error`, if it is about nothing that was typed.
func shownRefusal(_ error: any Error) throws -> (reason: HTML, status: Int) {
  if let unclear = error as? UnclearTime { return (unclear.reason, 422) }
  guard let refusal = Refusal(error), refusal.kind != .notFound else { throw error }
  return (refusal.html, refusal.pageStatus)
}

extension Refusal {
  /// The sentence as a page shows it.
  var html: HTML { "\(code: sentence.prefix(1).uppercased() + sentence.dropFirst())." }

  /// A page that shows its form again; a browser needs no finer distinction.
  var pageStatus: Int {
    switch kind {
    case .throttled: 429
    // 401 would make the browser ask for a password itself.
    case .loginRefused: 403
    default: 422
    }
  }
}
