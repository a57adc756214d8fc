-- Why: a team may round the paid time of its shifts and pay their breaks. An approval fixes the rule
--   by which it was made, so that what was approved does not change with the team. The file for
--   payroll may have hours to the second.
-- Version before: runs on it. It shows working time only, and what it approves is paid as worked. It
--   reopens without clearing the rule, which does not count then; if it approves the shift again,
--   the rule holds again. It cannot read payroll settings that were saved with hours to the second:
--   until it is replaced, choose another format.
-- Locks: team, shift, past_shift and payroll_settings, for an instant. Size: 3 bytes for each team and shift.

ALTER TABLE team
  ADD COLUMN pay_rounding smallint NOT NULL DEFAULT 0,      -- by its number in the program; 0: none
  ADD COLUMN pays_breaks  boolean  NOT NULL DEFAULT false;
ALTER TABLE team ADD CONSTRAINT team_pay_rounding_known CHECK (pay_rounding BETWEEN 0 AND 6);

ALTER TABLE shift
  ADD COLUMN approved_rounding    smallint NOT NULL DEFAULT 0,  -- hold only while it is approved
  ADD COLUMN approved_pays_breaks boolean  NOT NULL DEFAULT false;

ALTER TABLE past_shift
  ADD COLUMN approved_rounding    smallint NOT NULL DEFAULT 0,  -- as in shift
  ADD COLUMN approved_pays_breaks boolean  NOT NULL DEFAULT false;

ALTER TABLE payroll_settings DROP CONSTRAINT payroll_settings_hours_format_known;
ALTER TABLE payroll_settings ADD CONSTRAINT payroll_settings_hours_format_known
  CHECK (hours_format BETWEEN 0 AND 2);
