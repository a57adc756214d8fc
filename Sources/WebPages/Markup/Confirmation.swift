import HTTPServing

/// The question before an action that cannot be undone. It works without script: sent again from
/// here, the same form says `sure`.
struct Confirmation: Sendable {
  /// With a question mark.
  var question: HTML
  /// Paragraphs.
  var consequences: HTML
  var button: HTML
  /// Where the form goes.
  var action: String
  /// The way back, where nothing is changed.
  var keep: Crumb
  /// Further fields of the form.
  var fields: [String: String] = [:]

  var card: HTML {
    let hidden = fields.sorted { $0.key < $1.key }.map { name, value -> HTML in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
    return """
      <section class="card urgent" aria-labelledby="sure">
      <h2 id="sure">\(question)</h2>
      \(consequences)
      <form method="post" action="\(action)">
      <input type="hidden" name="sure" value="yes">\(hidden)
      <div class="row"><button>\(button)</button>\
      <a class="button quiet" href="\(keep.path)">\(keep.name)</a></div></form></section>
      """
  }

  /// The question as a page of its own.
  /// - Parameter way: The pages above it, outermost first.
  func page(
    _ title: String, way: [Crumb], section: Section? = nil, isOwn: Bool = false
  ) -> PageAnswer {
    let head = PageHead(way: way, title: "\(title)", line: "")
    return .page(
      Page(title: title, section: section, isOwn: isOwn, content: "\(head.html)\n\(card)"))
  }
}

extension FormFields {
  /// Whether the user has confirmed the action.
  var isSure: Bool { self["sure"] == "yes" }
}
