import HTTPServing
import ManagerCore
import PeopleOperations

extension HTTPResponse {
  /// The archive as a download, sent piece by piece.
  package static func archive(_ archive: EmployeeArchive) -> HTTPResponse {
    let pieces = ArchivePieces(archive)
    return HTTPResponse(
      headers: [
        "Content-Type": "application/x-tar",
        "Content-Disposition": "attachment; filename=\"\(archive.fileName)\"",
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
      ], body: .file(AsyncThrowingStream { await pieces.next() }))
  }
}

/// For one reader at a time.
private actor ArchivePieces {
  private var archive: EmployeeArchive

  init(_ archive: EmployeeArchive) { self.archive = archive }

  func next() -> [UInt8]? { archive.next() }
}

extension HTTPRequest {
  /// Why this read, which is recorded, is not answered; `nil`: it may be. With a cookie only our
  /// own pages may send it. A HEAD request would show nothing, so it is not recorded either.
  package func refusalOfRecordedRead(by principal: Principal) throws -> HTTPResponse? {
    if principal.session != nil, isFromElsewhere { throw AccessFault.crossSiteRequest }
    return method == .get ? nil : HTTPResponse(status: 405, headers: ["Allow": "GET"])
  }
}
