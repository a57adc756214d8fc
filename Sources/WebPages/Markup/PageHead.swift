/// A page that leads to another.
struct Crumb: Sendable {
  var name: HTML
  var path: HTML

  static let board = Crumb(name: "Board", path: "/")
  static let settings = Crumb(name: "Settings", path: "/settings")
}

/// What a page begins with: the way to it, what it is, and what came of the form just sent.
struct PageHead: Sendable {
  /// Outermost first.
  var way: [Crumb] = []
  var title: HTML
  /// What it is, as one or more paragraphs.
  var line: HTML
  /// What was done.
  var done: HTML?
  /// Why something was not.
  var fault: HTML?

  var html: HTML {
    """
    \(way.isEmpty ? nil : crumbs)
    <div class="heading"><h1>\(title)</h1>\(line)</div>
    \(done.map { "<p class=\"done\" role=\"status\">\($0)</p>" as HTML })
    \(fault.map { .fault($0) })
    """
  }

  private var crumbs: HTML {
    let links = way.enumerated().map { place, crumb -> HTML in
      "\(" › ", if: place > 0)<a href=\"\(crumb.path)\">\(crumb.name)</a>"
    }
    return "<nav class=\"crumbs\" aria-label=\"Where you are\">\(links)</nav>"
  }
}

extension HTML {
  /// Why something was not done: a sentence, or several paragraphs.
  static func fault(_ reason: HTML) -> HTML {
    "<div class=\"fault\" role=\"alert\">\(reason)</div>"
  }
}

/// A page with a form that tells why what was sent was not done.
protocol FormView: Sendable {
  var fault: HTML? { get set }
  var page: Page { get }
}

extension FormView {
  /// The page again, with why what was sent was not done.
  func refused(_ reason: HTML) -> PageAnswer {
    var view = self
    view.fault = reason
    return .page(view.page, status: 422)
  }
}
