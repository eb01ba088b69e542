-- Records of neighbouring runs lie together, as rows do: a row of the database for each of them cost more than many a run itself.
CREATE TABLE command_records (
  query_id uuid NOT NULL,
  stage integer NOT NULL,
  -- The input row of the first run; the others follow it without a gap.
  first_index integer NOT NULL,
  count integer NOT NULL,
  command text NOT NULL,
  -- JSON, compressed unless it is short: src/services/sirp/engine/chunks.ts.
  data bytea NOT NULL,
  CONSTRAINT command_records_pkey PRIMARY KEY (query_id, stage, first_index)
);
ALTER TABLE command_records ALTER COLUMN data SET STORAGE EXTERNAL;

INSERT INTO command_records (query_id, stage, first_index, count, command, data)
SELECT query_id, stage, index, 1, command, convert_to(E'\x07' || json_build_array(json_build_object(
  'args', args, 'flags', flags, 'status', status, 'attempts', attempts, 'rows', rows, 'bytes', bytes, 'ms', ms,
  'cached', cached, 'warnings', warnings, 'error', error, 'screenshot', screenshot, 'flight', flight))::text, 'UTF8')
FROM query_commands;

DROP TABLE query_commands;

-- They go with their query.
CREATE OR REPLACE FUNCTION delete_query_commands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM command_records USING gone WHERE command_records.query_id = gone.id;
  RETURN NULL;
END
$$;
