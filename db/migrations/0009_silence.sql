-- Why: the watch over silence. It must know when a phone last spoke for its position, and when we
-- ourselves could not listen: nobody is called silent for that.
-- Locks: ACCESS EXCLUSIVE on `device_pulse`, milliseconds (nullable, nothing is rewritten).
-- Size: one heartbeat an instance of the last day; one outage for each time nobody listened.
ALTER TABLE device_pulse
  ADD COLUMN last_rest_at timestamptz;  -- when it last said that it is at rest

-- That an instance of the service was there and could commit, once a second.
CREATE TABLE heartbeat (
  instance_id bigint      NOT NULL,  -- made up anew at every start
  beat_at     timestamptz NOT NULL,  -- the database's clock; all that it received before is written
  CONSTRAINT heartbeat_pk PRIMARY KEY (instance_id)
) WITH (fillfactor = 50);
SELECT replicate_everywhere('heartbeat');

-- When no instance was there, or none could commit.
CREATE TABLE outage (
  started_at timestamptz NOT NULL,  -- the last heartbeat of any instance
  ended_at   timestamptz NOT NULL,  -- the first one after
  CONSTRAINT outage_pk PRIMARY KEY (started_at),
  CONSTRAINT outage_ends_after_start CHECK (ended_at > started_at),
  CONSTRAINT outage_spans_disjoint EXCLUDE USING gist (tstzrange(started_at, ended_at) WITH &&)
);
SELECT replicate_everywhere('outage');

-- Who was on shift while the service was replaced by this one was heard of last by the former one:
-- from then on nobody listened.
INSERT INTO heartbeat (instance_id, beat_at)
SELECT 0, date_trunc('milliseconds', least(max(last_received_at), now()))
FROM device_pulse
HAVING max(last_received_at) IS NOT NULL;
