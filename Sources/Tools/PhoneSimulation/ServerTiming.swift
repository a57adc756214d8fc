/// The detection latency that the server measured, from `Server-Timing: detection;dur=12.5`.
package func detection(inServerTiming header: String?) -> Duration? {
  guard let header else { return nil }
  for metric in header.split(separator: ",") {
    let parts = metric.split(separator: ";").map { trimmed($0) }
    guard parts.first == "detection" else { continue }
    for part in parts.dropFirst() where part.hasPrefix("dur=") {
      guard let milliseconds = Double(part.dropFirst(4)), (0..<1e9).contains(milliseconds) else {
        return nil
      }
      return .microseconds(Int64((milliseconds * 1_000).rounded()))
    }
  }
  return nil
}

private func trimmed(_ text: Substring) -> Substring {
  var text = text.drop { $0 == " " }
  while text.last == " " { text.removeLast() }
  return text
}
