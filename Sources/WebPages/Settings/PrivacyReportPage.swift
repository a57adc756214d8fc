import Guidance
import HTTPAPI
import HTTPServing
import PolicyOperations
import ReadModels
import ShiftDomain

/// A document to print, with the choice of its language and, for a hand-out, of its team.
struct PrivacyDocumentView: Sendable {
  var document: PrivacyDocument
  var name: HTML
  var path: HTML
  var language: Language
  /// To choose from; empty: the document is about all teams.
  var teams: [TeamRow] = []
  var team: TeamID?

  var page: Page {
    let way = PageHead(way: [.settings], title: name, line: "")
    return Page(
      title: document.title, section: .settings,
      content: """
        <div class="file">\(way.html)\(choice)</div>
        <article class="card document" lang="\(language.code)">\
        \(document.html)</article>
        """)
  }

  private var choice: HTML {
    let languages = HTML.options(Language.allCases, chosen: language.code) {
      "\($0.names.english)"
    }
    return """
      <form class="search" action="\(path)">\
      \(teams.count > 1 ? teams.choice(of: team, orAll: false) : nil)\
      <div><label for="language">Language</label>\
      <select id="language" name="language">\(languages)</select></div>\
      <button class="quiet">Show</button>\
      <button type="button" class="quiet" data-print hidden>Print</button></form>
      """
  }
}

extension PrivacyDocument {
  fileprivate var html: HTML {
    let shown = sections.map { section -> HTML in
      "<section><h3>\(section.title)</h3>\(section.parts.map(\.html))</section>"
    }
    return """
      <h2>\(title)</h2><p>\(introduction)</p>\(shown)
      """
  }
}

extension PrivacyDocument.Part {
  fileprivate var html: HTML {
    switch self {
    case .text(let text): return "<p>\(text)</p>"
    case .list(let items):
      return "<ul class=\"items\">\(items.map { "<li>\($0)" as HTML })</ul>"
    case .table(let head, let rows):
      let heads = head.map { "<th scope=\"col\">\($0)" as HTML }
      let lines = rows.map { row -> HTML in
        let cells = row.dropFirst().map { "<td>\($0)" as HTML }
        return "<tr><th scope=\"row\">\(row.first ?? "")\(Array(cells))"
      }
      return """
        <div class="scroll all" tabindex="0" role="group" aria-label="\(head.first)">\
        <table><thead><tr>\(heads)</thead><tbody>\(lines)</table></div>
        """
    }
  }
}

extension PageController {
  var privacyReportRoutes: [AccessRoute] {
    [
      page("/settings/privacy-report", .administrator) { request, _ in
        let facts = try await operations.policies.privacyFacts()
        let language = request.chosenLanguage
        let outside = OutsideParties(
          channels: settings.setUpChannels(), mailServer: settings.channelSetup()?.details[.email],
          map: settings.tiles?.origin)
        return .page(
          PrivacyDocumentView(
            document: facts.report(outside, in: language), name: "Report for a works council",
            path: "/settings/privacy-report", language: language
          ).page)
      },
      page("/settings/hand-out", .administrator) { request, _ in
        let facts = try await operations.policies.privacyFacts()
        let wanted = try request.team()
        let team = facts.teams.first { wanted == nil || $0.row.team == wanted }
        guard let team else {
          guard wanted == nil else { throw PageNotFound() }
          return .seeOther("/settings/teams")
        }
        let language = request.chosenLanguage
        return .page(
          PrivacyDocumentView(
            document: team.handOut(
              of: facts, at: settings.publicURL.map { $0 + "/app" }, in: language),
            name: "Hand-out for employees", path: "/settings/hand-out", language: language,
            teams: facts.teams.map(\.row), team: team.row.team
          ).page)
      },
    ]
  }
}

extension HTTPRequest {
  /// In the address; English unless it is one that there is.
  fileprivate var chosenLanguage: Language {
    queryValue("language").flatMap { Language(code: $0) } ?? .english
  }
}
