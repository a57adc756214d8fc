import HTTPAPI
import HTTPServing
import ManagerCore
import PeopleOperations

struct ListForm: Sendable {
  var action: HTML
  var columns: HTML
  /// The contents of the columns, and what happens to rows that are not in the list.
  var explanation: HTML
  /// A checkbox, by the name of its field, and its label.
  var choice: (name: HTML, label: HTML)?
  var typed: FormFields?

  var html: HTML {
    """
    <section aria-labelledby="many"><h2 id="many">CSV import</h2>
    <form class="stack" method="post" action="\(action)" enctype="multipart/form-data">
    <label for="csv">CSV with a header line</label>\
    <textarea id="csv" name="csv" rows="6" spellcheck="false" \
    aria-describedby="about-csv" placeholder="\(columns)">\(typed?["csv"])</textarea>
    <label for="file">Or choose a CSV file, which is read instead</label>\
    <input type="file" id="file" name="file" accept=".csv,text/csv">
    <p class="aside" id="about-csv">\(explanation)</p>
    \(choice.map { checkbox($0.name, $0.label) })\
    <div class="row"><button name="trial" value="yes">Check CSV</button>\
    <button class="quiet" name="trial" value="">Import CSV</button></div></form></section>
    """
  }
}

extension ListForm {
  private func checkbox(_ name: HTML, _ label: HTML) -> HTML {
    """
    <label class="tick choice"><input type="checkbox" name="\(name)" value="yes"> \(label)</label>

    """
  }
}

extension PageController {
  /// A route for a list: a chosen file, else what was typed. The list may be long, and importing it
  /// may take long. The fields have the list as text, so that what was checked can be imported.
  func listForm(
    _ pattern: String, _ access: Access,
    _ handle:
      @escaping @Sendable (HTTPRequest, FormFields, _ csv: [UInt8], Principal) async throws ->
      PageAnswer
  ) -> AccessRoute {
    form(pattern, access, bodyMax: importBytesMax + 16_384, deadline: .seconds(120)) {
      request, fields, principal in
      guard let file = fields.file("file") else {
        return try await handle(request, fields, Array(fields["csv"].utf8), principal)
      }
      // What is no text cannot be shown, and has to be chosen again.
      let text = file.contains(0) ? nil : String(validating: file, as: UTF8.self)
      return try await handle(request, fields.with("csv", text ?? ""), file, principal)
    }
  }
}

extension LineFaults {
  var html: HTML {
    let lines = first.map { "<li>Line \($0.line): \(code: $0.detail)" as HTML }
    return """
      <p>Nothing was imported. \(count == 1 ? "1 error" : "\(count) errors"):</p><ul>\(lines)</ul>
      """
  }
}
