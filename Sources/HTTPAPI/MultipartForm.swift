import HTTPServing

/// Why a body is not the form that its type promises.
package struct MultipartFault: Error, Hashable, Sendable {
  /// Ends a sentence about the body, and quotes nothing of it.
  package var detail: String

  fileprivate init(_ detail: String) { self.detail = detail }
}

/// The fields of a form that may have files.
/// - Source: RFC 7578 and the WHATWG's multipart/form-data encoding algorithm. Read as browsers
///   write it: nothing stands before the first part or after the last, and no part is encoded.
package struct MultipartForm: Sendable {
  package struct Part: Sendable {
    package let name: String
    /// As the browser gave it, which may be empty; `nil`: it is no file.
    package let fileName: String?
    package let content: ArraySlice<UInt8>
  }

  package private(set) var parts: [Part] = []

  /// How many parts a form may have: many more than ours.
  private static let partsMax = 50
  /// Bytes of the lines above a part's content, which have two names.
  private static let headMax = 2_048

  /// - Parameter boundary: See `HTTPRequest.multipartForm`.
  fileprivate init(_ body: [UInt8], boundary: String) throws(MultipartFault) {
    let delimiter = Array("\r\n--\(boundary)".utf8)
    guard body.starts(with: delimiter.dropFirst(2)) else {
      throw MultipartFault("must begin with its boundary")
    }
    var position = delimiter.count - 2
    var names: Set<String> = []
    while body[position...].starts(with: Self.lineEnd) {
      guard parts.count < Self.partsMax else { throw MultipartFault("has too many parts") }
      let head = body[(position + 2)...].prefix(Self.headMax)
      guard let headEnd = head.place(of: Self.lineEnd + Self.lineEnd) else {
        throw MultipartFault("has a part whose head does not end, or is too long")
      }
      let start = headEnd + 4
      guard let end = body[start...].place(of: delimiter) else {
        throw MultipartFault("has a part that does not end")
      }
      let part = try Self.part(head[..<headEnd], body[start..<end])
      // A browser sends a file for each field, and an empty one if none was chosen.
      if part.fileName != nil, !names.insert(part.name).inserted {
        throw MultipartFault("has two files in one field")
      }
      parts.append(part)
      position = end + delimiter.count
    }
    let rest = body[position...]
    guard rest.elementsEqual("--".utf8) || rest.elementsEqual("--\r\n".utf8) else {
      throw MultipartFault("must end with its boundary and two hyphens")
    }
  }

  private static let lineEnd = Array("\r\n".utf8)

  private static func part(_ head: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>)
    throws(MultipartFault) -> Part
  {
    guard !head.contains(0), let text = String(validating: head, as: UTF8.self) else {
      throw MultipartFault("has a part whose head is not text")
    }
    var disposition: [String: String]?
    for line in text.split(separator: "\r\n", omittingEmptySubsequences: false) {
      let pieces = line.split(separator: ":", maxSplits: 1)
      guard pieces.count == 2 else { throw MultipartFault("has a part with an unreadable head") }
      switch pieces[0].lowercased() {
      case "content-disposition" where disposition == nil:
        disposition = parameters(of: pieces[1], "form-data")
      case "content-type": break
      default: throw MultipartFault("has a part with an unexpected field in its head")
      }
    }
    guard let disposition, let name = disposition["name"],
      Set(disposition.keys).isSubset(of: ["name", "filename"])
    else { throw MultipartFault("has a part without a name") }
    return Part(name: name, fileName: disposition["filename"], content: content)
  }

  /// The parameters of a header field with this value, such as `form-data; name="csv"`; `nil` for
  /// anything else. In quotes, a browser writes no quote, and none of our names has a backslash.
  fileprivate static func parameters(of field: Substring, _ value: String) -> [String: String]? {
    var rest = field.drop { $0 == " " }
    let first = rest.prefix { $0 != ";" }
    guard first.lowercased() == value else { return nil }
    rest = rest.dropFirst(first.count)
    var found: [String: String] = [:]
    while !rest.isEmpty {
      guard rest.first == ";" else { return nil }
      rest = rest.dropFirst().drop { $0 == " " }
      let key = rest.prefix { $0 != "=" }
      rest = rest.dropFirst(key.count + 1)
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let text = rest.prefix { isQuoted ? $0 != "\"" : $0 != ";" }
      rest = rest.dropFirst(text.count)
      if isQuoted {
        guard rest.first == "\"" else { return nil }
        rest = rest.dropFirst()
      }
      guard !key.isEmpty, found.updateValue(String(text), forKey: key.lowercased()) == nil else {
        return nil
      }
    }
    return found
  }
}

extension HTTPRequest {
  /// The form of a body of type `multipart/form-data`; `nil` for any other type.
  package func multipartForm() throws(MultipartFault) -> MultipartForm? {
    let type = headers["Content-Type"] ?? ""
    guard type.prefix(while: { $0 != ";" }).lowercased() == "multipart/form-data" else {
      return nil
    }
    let boundary = MultipartForm.parameters(of: type[...], "multipart/form-data")?["boundary"]
    // Fewer characters than RFC 2046 allows, and all that browsers use.
    guard let boundary, (1...70).contains(boundary.utf8.count),
      boundary.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_'()+,./:=?".utf8.contains(byte)
      })
    else { throw MultipartFault("must have a boundary of 1 to 70 characters in its type") }
    return try MultipartForm(body, boundary: boundary)
  }
}

extension ArraySlice<UInt8> {
  /// Where `part`, which is not empty, first begins.
  fileprivate func place(of part: [UInt8]) -> Int? {
    var place = startIndex
    while endIndex - place >= part.count {
      guard let next = self[place...].firstIndex(of: part[0]) else { return nil }
      if self[next...].starts(with: part) { return next }
      place = next + 1
    }
    return nil
  }
}
