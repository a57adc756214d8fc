-- Why: the programs alone give codes to presets, kinds of kept data and push services, and refuse
--   unknown ones. A check that lists them would need a migration for each new one.
-- Locks: policy_version, retention and push_target, each for an instant. Size: a row per change of
--   a policy, per kind of kept data, and per device with a push service.
ALTER TABLE policy_version DROP CONSTRAINT policy_version_preset_known;
ALTER TABLE policy_version
  ADD CONSTRAINT policy_version_preset_not_negative CHECK (preset >= 0);
ALTER TABLE retention DROP CONSTRAINT retention_kind_known;
ALTER TABLE retention
  ADD CONSTRAINT retention_kind_not_negative CHECK (kind >= 0);
ALTER TABLE push_target DROP CONSTRAINT push_target_channel_known;
ALTER TABLE push_target
  ADD CONSTRAINT push_target_channel_not_negative CHECK (channel >= 0);
