/// How a response is framed, which depends on its request.
struct ResponseFraming {
  /// Whether it has no body, whatever its headers say.
  let isHead: Bool
  /// HTTP/1.0, which knows no chunks and closes unless it was asked not to.
  let isOld: Bool
  private let asksForClose: Bool
  private let asksForMore: Bool
  /// Whether the connection ends with it for a reason of ours.
  var isLast = false
  /// Whether it is a stream that only the end of the connection ends.
  var isUntilClose = false

  init(_ head: RequestHead) {
    isHead = head.method == .head
    isOld = head.minorVersion == 0
    asksForClose = head.asksForClose
    asksForMore = head.asksForMore
  }

  /// Whether the connection ends with it.
  var closes: Bool { isLast || isUntilClose || asksForClose || (isOld && !asksForMore) }

  /// The field that says so, with its line end; empty where the version says it.
  var connectionField: String {
    if isLast || asksForClose { return "Connection: close\r\n" }
    return isOld && !closes ? "Connection: keep-alive\r\n" : ""
  }
}
