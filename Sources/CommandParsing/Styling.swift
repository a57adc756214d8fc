/// Colours for a terminal, or none for everything else.
public struct Styling: Sendable {
  /// How a piece of text stands out.
  public enum Style: String, CaseIterable, Sendable {
    /// Headlines.
    case bold = "1"
    /// What may be skipped.
    case dim = "2"
    /// Refused, failed.
    case red = "31"
    /// Fine.
    case green = "32"
    /// To be looked at.
    case yellow = "33"
  }

  /// Whether anything is styled at all.
  public var isOn: Bool

  /// Styles text, or leaves everything as it is.
  public init(isOn: Bool) { self.isOn = isOn }

  /// Styles on a terminal that can, unless the user asked for none.
  /// - Source: https://no-color.org
  public init(isTerminal: Bool, environment: [String: String]) {
    isOn =
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// The text in these styles; the one after it is plain again.
  public func apply(_ styles: Style..., to text: some StringProtocol) -> String {
    guard isOn, !text.isEmpty, !styles.isEmpty else { return String(text) }
    return "\u{1B}[\(styles.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
