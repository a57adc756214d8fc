import APIMessages
import HTTPServing
import ShiftOperations

/// A form that takes a list as CSV, to try it and to read it.
struct ListForm: Sendable {
  /// Where it is sent.
  var action: HTML
  var columns: HTML
  /// What the columns hold, and what becomes of what is not in the list.
  var explanation: HTML
  var typed: FormFields?

  var html: HTML {
    """
    <section aria-labelledby="many"><h2 id="many">Read a list</h2>
    <form class="stack" method="post" action="\(action)">
    <label for="csv">CSV with a first line of column names</label>\
    <textarea id="csv" name="csv" rows="6" required spellcheck="false" \
    aria-describedby="about-csv" placeholder="\(columns)">\(typed?["csv"])</textarea>
    <p class="aside" id="about-csv">\(explanation)</p>
    <div class="row"><button name="trial" value="yes">Try</button>\
    <button class="quiet" name="trial" value="">Read it</button></div></form></section>
    """
  }
}

extension PageDesk {
  /// What becomes of a list that was sent. It may be long, and take long.
  func listForm(
    _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest, FormFields, Viewer) async throws -> PageAnswer
  ) -> Route {
    form(pattern, bodyMax: importBytesMax, deadline: .seconds(120), handle)
  }
}

extension LineFaults {
  /// What is wrong with a list, line by line.
  var html: HTML {
    let lines = first.map { "<li>Line \($0.line): \($0.detail)" as HTML }
    return """
      <p>Nothing was read. \(count == 1 ? "1 fault" : "\(count) faults"):</p><ul>\(lines)</ul>
      """
  }
}
