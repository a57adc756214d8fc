import Cryptography

/// Differs whenever the texts differ, for `ETag`, `If-Match` and forms.
package func contentTag(_ texts: [String]) -> String {
  Base64URL.encode(Array(sha256(Array(texts.joined(separator: "\0").utf8)).prefix(12)))
}

extension RecordedTimes {
  /// Differs whenever the times or what is paid for them differ. Who approves or confirms names the
  /// revision they saw.
  package var revision: String {
    contentTag(
      [
        String(startedAt.milliseconds), endedAt.map { String($0.milliseconds) } ?? "",
        String(breaks.milliseconds), payRule.rounding.code, String(payRule.paysBreaks),
      ] + breakBounds.map { String($0.milliseconds) })
  }
}
