import HTTPServing

private let assets = Assets()

/// What a browser gets where no route answers: a page that leads on or, at the address of a form,
/// the page above it. Programs, and whoever uses the API, get a problem (`nil`).
package func missingPage(for request: HTTPRequest, above: String?) -> HTTPResponse? {
  let isForBrowser = request.headers["Accept"]?.contains("text/html") ?? false
  guard isForBrowser, !request.path.hasPrefix("/v1/") else { return nil }
  if let above {
    return HTTPResponse(status: 303, headers: ["Location": above, "Cache-Control": "no-store"])
  }
  let page = Page.sorry("Page not found", .notFound)
  return HTTPResponse(
    status: 404, headers: PageHeaders(tiles: nil).fields,
    body: .bytes(page.html(for: nil, assets: assets).bytes))
}
