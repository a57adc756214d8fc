-- Why: a time sheet covers a pay period, and its file has the columns that payroll reads.
-- Locks: none, the table is new. Size: one row.
CREATE TABLE payroll_settings (
  starts_on    date     NOT NULL,  -- the first day of one pay period
  number       smallint NOT NULL DEFAULT 1,
  period       smallint NOT NULL,  -- 0 week, 1 two weeks, 2 half a month, 3 month
  hours_format smallint NOT NULL,  -- 0 hours and minutes, 1 decimal hours
  columns      smallint[] NOT NULL,
  CONSTRAINT payroll_settings_pk PRIMARY KEY (number),
  CONSTRAINT payroll_settings_one_row CHECK (number = 1),
  CONSTRAINT payroll_settings_period_known CHECK (period BETWEEN 0 AND 3),
  CONSTRAINT payroll_settings_hours_format_known CHECK (hours_format BETWEEN 0 AND 1),
  CONSTRAINT payroll_settings_columns_count CHECK (cardinality(columns) BETWEEN 1 AND 30)
);
SELECT replicate_everywhere('payroll_settings');
