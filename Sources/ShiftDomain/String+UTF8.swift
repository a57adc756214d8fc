extension String {
  /// Passes on its UTF-8, without a copy where the system can do that.
  @inlinable
  public func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    if #available(macOS 26, iOS 26, *) { return body(utf8Span.span) }
    return body(Array(utf8).span)
  }
}
