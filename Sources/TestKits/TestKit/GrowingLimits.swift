/// Time limits to try one after the other until the expected happens, for a test of what is given
/// up at a limit: on a busy machine a short one may run out before the work begins that it ends.
public let growingLimits: [Duration] = [
  .milliseconds(300), .seconds(3), .seconds(30), .seconds(300),
]
