-- Runs that another instance does are followed until they end there.

ALTER TABLE schedule_runs
  -- The instance that runs the query; null where this one does.
  ADD COLUMN sirp_url text,
  -- When that instance is to be asked for the state of the query; null where nothing is to be asked.
  ADD COLUMN look_at timestamptz(3);

-- A run is open until it has an end, whatever its query is called by then.
DROP INDEX schedule_runs_open_idx;
CREATE INDEX schedule_runs_open_idx ON schedule_runs (schedule_id) WHERE finished_at IS NULL;
CREATE INDEX schedule_runs_look_at_idx ON schedule_runs (look_at) WHERE look_at IS NOT NULL;
