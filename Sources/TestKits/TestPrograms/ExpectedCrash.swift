import Foundation

/// Lets this process end at once when it crashes, as an exit test expects it to. Otherwise Swift
/// starts a program that prints a backtrace; on a slow machine it hangs, keeps the pipe open, and
/// the test never ends.
public func expectCrash() {
  for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] {
    signal(number, SIG_DFL)
  }
}
