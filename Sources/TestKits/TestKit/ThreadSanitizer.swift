#if TSAN_LOCKS
  /// Whether the test runs under ThreadSanitizer, which makes everything several times slower, and
  /// finds nothing in a test that does one thing after another.
  public let isUnderThreadSanitizer = true
#else
  /// Whether the test runs under ThreadSanitizer, which makes everything several times slower, and
  /// finds nothing in a test that does one thing after another.
  public let isUnderThreadSanitizer = false
#endif
