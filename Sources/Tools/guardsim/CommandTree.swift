import CommandParsing

/// All commands of `guardsim`.
let commandTree = Command(
  "guardsim", "simulated phones over HTTP, and random tests of the rules",
  subcommands: [
    Command(
      "replay", "play a script of phones against a server",
      options: [
        .text(
          "server", "server URL", default: "http://127.0.0.1:8080",
          environment: "SHIFTGUARD_SERVER"),
        .path("state", "file that keeps tokens and numbers between runs; mode 0600"),
        .flag("json", "print the report as JSON"),
        .flag("quiet", "print only unexpected results"),
      ],
      arguments: [.path("script", "what the phones do; `guardsim language` explains it")],
      footer: """
        Exit: 0 all as expected, 1 unexpected results, 65 invalid script or recording,
        74 unusable state file
        """),
    Command(
      "load", "act as many phones, then check every record in the database",
      options: [
        .text(
          "server", "server URL", default: "http://127.0.0.1:8080",
          environment: "SHIFTGUARD_SERVER"),
        .path("tokens", "file with one device token per line", required: true),
        .integer("phones", "maximum number of phones", in: 1...2_000, default: 100),
        .integer("seconds", "duration of the load in seconds", in: 1...86_400, default: 30),
        .integer(
          "rate", "pings per second of all phones; 0: as fast as possible", in: 0...1_000_000,
          default: 0),
        .text("items", "new pings per upload: `1`, or `1-100` at random", default: "1"),
        .integer(
          "duplicates", "percentage of uploads that repeat a ping", in: 0...100, default: 0),
        .integer("late", "percentage of pings sent late", in: 0...100, default: 0),
        .integer("shuffled", "percentage of uploads in random order", in: 0...100, default: 0),
        .integer(
          "downgrades", "permission losses per minute of all phones", in: 0...1_000_000,
          default: 0),
        .integer("seed", "random seed", in: 0...Int.max, default: 1),
        .integer(
          "patience", "seconds after the end to keep retrying", in: 0...3_600,
          default: 60),
        .text("database", "database URL for the comparison; read-only"),
        .flag("json", "print the report as JSON"),
        .flag("quiet", "no progress on standard error"),
      ],
      footer: """
        Every phone clocks in first. Requests without a response or with 503 are retried with the
        same content, so guardd may be killed and restarted meanwhile. Afterwards every acknowledged
        record must be in the database once, and no refused record may be there.
        Exit: 0 all as expected, 1 unexpected results, 65 invalid tokens, 74 unreadable database
        """),
    Command(
      "bench-rules", "measure the speed of the rules",
      options: [
        .integer("rounds", "number of rounds", in: 1...1_000, default: 9),
        .flag("json", "print the figures as JSON"),
      ],
      footer: """
        Prints nanoseconds for one decision, comparison, step of an employee's state and coverage
        of a shift. Exit status 1 if a median misses its target, in release builds only.
        """),
    Command("language", "explain the script language"),
    Command(
      "rules", "test the rules with random events against an oracle",
      options: [
        .integer("steps", "number of events", in: 1...Int.max, default: 1_000_000),
        .integer("seed", "seed of the first world", in: 0...Int.max, default: 1),
        .integer("workers", "threads", in: 1...64, default: 2),
        .integer("until", "run one world to this step", in: 1...Int.max),
        .flag("trace", "print each step of that world"),
        .flag("quiet", "no progress on the terminal"),
      ],
      footer: """
        Each world has its own seed, counted up from the first. A broken promise is
        printed with the world's seed and step, and the exit status is 1. To see what
        led to it: --seed SEED --until STEP --trace.
        """),
  ])

/// The script language, on one screen.
let languageText = """
  phone anna code $CODE platform ios os 17.5 model "iPhone 13"  # $: environment
  anna is always accuracy full services on background-fix on    # reports nothing
  anna report [PERMISSION] [trigger WORD]                       # sends a report
  anna clock-in [with-report]
  anna play drive.gpx [from TIME] [points N] live               # at its own pace
  anna play hike.gpx backlog [lead 1s]     # an offline shift that just ended
  anna ping [LATITUDE LONGITUDE [accuracy METERS]] [stationary]
  anna silent 30s
  anna clock-out                           # also: break-start, break-end, take-over
  anna check                               # and `look`: the app's first page
  anna expect status 409                   # of the step before; also:
      code|verdict|finding|incident|disposition|command|reason|tracking WORD|none
      stored|duplicate|refused N     detection|round-trip|fix under 5s
  wait 2s                                  # all phones finish, then wait

  PERMISSION: always, when_in_use, denied, restricted, not_determined or unknown,
  then any of: grant prompt|settings|administrator, accuracy full|reduced, and
  services and CONDITION, each on|off|unknown; a CONDITION is that of the API,
  such as power-save for powerSave.
  Phones act at the same time, each in its own order. A step without an
  expectation must get status 2xx and no refused ping. Recordings are named
  relative to the script; times look like 2020-12-18T06:16:48Z.
  """
