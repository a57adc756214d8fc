import Foundation

/// Lets this process end at once when it crashes, as an exit test expects it to. Otherwise Swift
/// starts a program that tells how it came to that; on a slow machine that one never ends, nor does
/// the test then, whose pipe it keeps open.
public func expectCrash() {
  for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] {
    signal(number, SIG_DFL)
  }
}
