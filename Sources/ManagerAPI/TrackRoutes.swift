import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerAccess
import ReadModels
import ShiftDomain

extension ManagerController {
  /// The track of a shift, for a purpose that is recorded first.
  var trackRoutes: [AccessRoute] {
    [
      route(.get, "/v1/employees/{employee}/shifts/{shift}/track", .employee(.track)) {
        (request, principal) in
        if let refusal = try request.refusalOfRecordedRead(by: principal) { return refusal }
        let shift = try request.pathShift
        let form = try request.form(of: [.json, .geojson, .gpx, .csv])
        let track = try await operations.insight.openTrack(
          of: shift, by: principal, purpose: request.purpose(), isExport: form != .json)
        // Read before the response starts, so that an error can still be answered.
        let first = try await operations.insight.fixes(of: track)
        return ManagerStatus.track(track, first, as: form) { last in
          try await operations.insight.fixes(of: track, after: last)
        }
      }
    ]
  }
}

extension HTTPRequest {
  /// The purpose of viewing positions: 1 to 500 characters, not blank.
  func purpose() throws(QueryFault) -> String {
    let purpose = try required("purpose", queryValue("purpose"))
    guard (1...500).contains(purpose.unicodeScalars.count), !purpose.contains("\0"),
      !purpose.allSatisfy({ $0.isWhitespace })
    else { throw QueryFault("purpose", "must say why you view positions, in 1 to 500 characters") }
    return purpose
  }
}

extension ManagerStatus {
  /// - Parameter next: Reads the page after a fix.
  static func track(
    _ track: OpenTrack, _ first: [TrackFix], as form: AnswerForm,
    next: @escaping @Sendable (TrackFix) async throws -> [TrackFix]
  ) -> HTTPResponse {
    var headers = form.headers(
      file: "shift-\(track.shift.employee.rawValue)-\(track.shift.number)")
    headers["Cache-Control"] = "no-store"
    var text = TrackText(track, as: form)
    let begin = text.head + text.write(first)
    guard first.count == trackPageMax, let last = first.last else {
      return HTTPResponse(headers: headers, body: .bytes(Array((begin + text.tail).utf8)))
    }
    return HTTPResponse(
      headers: headers, body: .file(TrackPages(begin, text, after: last, next: next).stream))
  }
}

/// A long track, page by page, for one reader at a time.
private actor TrackPages {
  private var begin: String?
  private var text: TrackText
  private var last: TrackFix?
  private let next: @Sendable (TrackFix) async throws -> [TrackFix]

  init(
    _ begin: String, _ text: TrackText, after last: TrackFix,
    next: @escaping @Sendable (TrackFix) async throws -> [TrackFix]
  ) {
    self.begin = begin
    self.text = text
    self.last = last
    self.next = next
  }

  nonisolated var stream: AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { try await self.page() }
  }

  private func page() async throws -> [UInt8]? {
    if let begin {
      self.begin = nil
      return Array(begin.utf8)
    }
    guard let last else { return nil }
    let fixes = try await next(last)
    self.last = fixes.count == trackPageMax ? fixes.last : nil
    let piece = text.write(fixes) + (self.last == nil ? text.tail : "")
    return Array(piece.utf8)
  }
}
