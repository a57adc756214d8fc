-- Why: without a configured key, guardd makes the key that signs its Web Push messages, once for all
--   instances: browsers subscribe with it.
-- Locks: none, the table is new. Size: one row.
CREATE TABLE web_push_key (
  number      smallint NOT NULL DEFAULT 1,
  private_key bytea    NOT NULL,  -- on P-256, most significant byte first
  CONSTRAINT web_push_key_pk PRIMARY KEY (number),
  CONSTRAINT web_push_key_one_row CHECK (number = 1),
  CONSTRAINT web_push_key_length CHECK (octet_length(private_key) = 32)
);
SELECT replicate_everywhere('web_push_key');
