/// A path with parameters, such as `/v1/employees/{employee}/shifts`.
struct RoutePattern: Sendable {
  private enum Segment: Sendable {
    case literal(String)
    case parameter(String)
  }

  let text: String
  private let segments: [Segment]

  /// Traps when `text` does not begin with `/`: patterns are ours.
  init(_ text: String) {
    precondition(text.hasPrefix("/"), "a route pattern begins with a slash: \(text)")
    self.text = text
    segments = Self.pieces(of: text).map { piece in
      piece.hasPrefix("{") && piece.hasSuffix("}")
        ? .parameter(String(piece.dropFirst().dropLast())) : .literal(String(piece))
    }
  }

  /// The parameters if the decoded `pieces` match. An empty piece matches no parameter.
  func match(_ pieces: [String]) -> [String: String]? {
    guard pieces.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (piece, segment) in zip(pieces, segments) {
      switch segment {
      case .literal(let text): guard piece == text else { return nil }
      case .parameter(let name):
        guard !piece.isEmpty else { return nil }
        parameters[name] = piece
      }
    }
    return parameters
  }

  var hasParameters: Bool { literalCount < segments.count }

  /// The number of literal segments: of two matching patterns, the one with more is used.
  var literalCount: Int {
    segments.count { if case .literal = $0 { true } else { false } }
  }

  /// A path's pieces, decoded one by one, so that `%2F` stays inside its piece. The part before the
  /// first slash is dropped; a trailing slash counts as an empty piece.
  static func pieces(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
      .map { Substring($0).percentDecoded() ?? String(Substring($0)) }
  }
}
