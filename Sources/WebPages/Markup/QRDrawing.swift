import QREncoding

extension QRCode {
  /// The code as a drawing with the required light margin: dark on light whatever the colours
  /// around it, because some cameras read nothing else.
  /// - Parameter name: The text for screen readers.
  func drawing(named name: HTML) -> HTML {
    let zone = Self.quietZone
    let side = size + 2 * zone
    let rows = (0..<size).map { row in
      darkRuns(inRow: row).map { run -> HTML in
        "M\(run.lowerBound) \(row)h\(run.count)v1h-\(run.count)z"
      }
    }
    return """
      <svg class="qr" viewBox="-\(zone) -\(zone) \(side) \(side)" role="img" aria-label="\(name)">\
      <path d="M-\(zone)-\(zone)h\(side)v\(side)h-\(side)z"/>\
      <path d="\(Array(rows.joined()))"/></svg>
      """
  }
}
