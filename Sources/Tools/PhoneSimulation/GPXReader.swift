import Foundation
import FoundationXML
import ShiftDomain

extension Recording {
  /// The maximum size of a file, in bytes.
  package static let bytesMax = 50_000_000

  /// Reads the track points of a GPX file, except those without a time. Blocks.
  /// - Parameter name: The name of the file in errors.
  package init(gpxFile path: String, name: String) throws(RecordingFault) {
    let bytes: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      bytes = try file.read(upToCount: Self.bytesMax + 1) ?? Data()
    } catch {
      throw RecordingFault(file: name, message: "cannot be read")
    }
    try self.init(gpx: bytes, name: name)
  }

  /// Reads the track points of a GPX document.
  init(gpx bytes: Data, name: String) throws(RecordingFault) {
    func fault(_ message: String) -> RecordingFault { RecordingFault(file: name, message: message) }
    guard bytes.count <= Self.bytesMax else { throw fault("larger than 50 MB") }
    // A document type could define entities that grow without bound; GPX has none. The search finds
    // it in UTF-8 only, so other encodings are refused too.
    guard isUTF8(bytes) else { throw fault("not in UTF-8") }
    guard bytes.range(of: Data("<!DOCTYPE".utf8)) == nil else {
      throw fault("has a document type, which GPX does not allow")
    }
    let reader = GPXReader()
    let parser = XMLParser(data: bytes)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    // The returned flag is true even for a truncated document; the error is reliable.
    _ = parser.parse()
    if let message = reader.fault { throw fault(message) }
    if parser.parserError != nil {
      throw fault("not well-formed XML, near line \(parser.lineNumber)")
    }
    guard reader.isGPX else { throw fault("not a GPX document") }
    guard let recording = Recording(reader.points) else {
      throw fault("no track point has a time")
    }
    self = recording
  }
}

/// Whether the document is in UTF-8, by its bytes and by what it says of itself.
private func isUTF8(_ bytes: Data) -> Bool {
  guard String(bytes: bytes, encoding: .utf8) != nil, !bytes.contains(0) else { return false }
  let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
  guard head.hasPrefix("<?xml"), let declaration = head.split(separator: "?>").first,
    declaration.contains("encoding")
  else { return true }
  return declaration.contains("utf-8") || declaration.contains("us-ascii")
}

/// Collects track points while the parser walks through the document.
private final class GPXReader: NSObject, XMLParserDelegate {
  var points: [Recording.Point] = []
  var fault: String?
  var isGPX = false
  /// The open elements, without prefixes.
  private var path: [String] = []
  private var position: Position?
  private var time: Instant?
  private var altitude: Double?
  private var text = ""

  /// GPX with extensions nests seven deep.
  private static let depthMax = 64

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let name = String(element.split(separator: ":").last ?? "")
    if path.isEmpty { isGPX = name == "gpx" }
    path.append(name)
    text = ""
    if path.count > Self.depthMax { return stop(parser, "nested deeper than \(Self.depthMax)") }
    guard name == "trkpt" else { return }
    time = nil
    altitude = nil
    position = Position(attributes: attributes)
    if position == nil { stop(parser, "no valid position in line \(parser.lineNumber)") }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    // Longer than any time or number: cut off, so that reading fails and memory does not grow.
    if text.utf8.count < 100 { text += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard let name = path.popLast() else { return }
    if name == "trkpt" {
      if let time, let position {
        points.append(Recording.Point(time: time, position: position, altitude: altitude))
      }
      return
    }
    guard path.last == "trkpt" else { return }
    let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "time":
      time = Instant(rfc3339: word)
      if time == nil { stop(parser, "no valid time in line \(parser.lineNumber)") }
    case "ele":
      altitude = Double(word).flatMap { $0.isFinite ? $0 : nil }
    default: break
    }
  }

  private func stop(_ parser: XMLParser, _ message: String) {
    if fault == nil { fault = message }
    parser.abortParsing()
  }
}

extension Position {
  /// The position in a track point's attributes; `nil` if it is missing or out of range.
  fileprivate init?(attributes: [String: String]) {
    guard let latitude = attributes["lat"].flatMap(Double.init), (-90...90).contains(latitude),
      let longitude = attributes["lon"].flatMap(Double.init), (-180...180).contains(longitude)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}
