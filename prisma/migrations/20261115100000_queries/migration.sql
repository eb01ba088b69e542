-- Queries and all that belongs to them. PostgreSQL is the truth; the queue only carries ids to workers.

CREATE TABLE queries (
  id uuid PRIMARY KEY,
  api_key_id uuid,
  request_id text NOT NULL,
  query text NOT NULL,
  -- Values of tokens that are known beforehand, such as those of a template.
  known json,
  -- The query whose rows are the input of the first stage, where one command was dispatched by itself.
  input_id uuid,
  template_id uuid,
  schedule_id text,
  -- The query and stage that run this one as a template.
  parent_id uuid,
  parent_stage integer,
  mode text NOT NULL,
  cleanup boolean NOT NULL,
  summary boolean NOT NULL,
  minutes integer NOT NULL,
  ttl integer NOT NULL,
  metadata json,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
  stages_total integer NOT NULL,
  stages_completed integer NOT NULL DEFAULT 0,
  rows bigint NOT NULL DEFAULT 0,
  -- The rows of the last stage, once it has ended.
  result_set uuid,
  error json,
  waiting json,
  summary_result json,
  -- Counts the owners: a write of an earlier owner finds another fence and does nothing.
  fence integer NOT NULL DEFAULT 0,
  -- Owners since the last progress; too many mean that the query ends its workers.
  claims integer NOT NULL DEFAULT 0,
  lease_until timestamptz(3),
  -- The number of the latest job that was put into the queue for it, and when.
  job_no integer NOT NULL DEFAULT 1,
  enqueued_at timestamptz(3) NOT NULL DEFAULT now(),
  deadline_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3)
);
CREATE INDEX queries_created_at_idx ON queries (created_at DESC, id DESC);
CREATE INDEX queries_status_idx ON queries (status, created_at DESC, id DESC);
CREATE INDEX queries_active_idx ON queries (api_key_id) WHERE status IN ('queued', 'running');
CREATE INDEX queries_live_idx ON queries (enqueued_at) WHERE status IN ('queued', 'running');
CREATE INDEX queries_expires_at_idx ON queries (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX queries_parent_idx ON queries (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX queries_result_set_idx ON queries (result_set) WHERE result_set IS NOT NULL;

CREATE TABLE query_stages (
  query_id uuid NOT NULL REFERENCES queries ON DELETE CASCADE,
  stage integer NOT NULL,
  label text,
  command text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'skipped', 'cancelled')),
  row_set uuid,
  rows_in bigint NOT NULL DEFAULT 0,
  rows_out bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  ms double precision NOT NULL DEFAULT 0,
  cached boolean NOT NULL DEFAULT false,
  cache_hits integer NOT NULL DEFAULT 0,
  retries integer NOT NULL DEFAULT 0,
  jobs integer NOT NULL DEFAULT 0,
  commands_total integer NOT NULL DEFAULT 0,
  commands_completed integer NOT NULL DEFAULT 0,
  commands_failed integer NOT NULL DEFAULT 0,
  commands_skipped integer NOT NULL DEFAULT 0,
  -- Units of an expanding stage that have not ended.
  units_left integer NOT NULL DEFAULT 0,
  error json,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  PRIMARY KEY (query_id, stage)
);
CREATE INDEX query_stages_row_set_idx ON query_stages (row_set) WHERE row_set IS NOT NULL;

-- Input rows of an expanding stage that one job takes together.
CREATE TABLE query_units (
  query_id uuid NOT NULL,
  stage integer NOT NULL,
  first_row integer NOT NULL,
  row_count integer NOT NULL,
  queue text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'queued', 'running', 'done')),
  fence integer NOT NULL DEFAULT 0,
  claims integer NOT NULL DEFAULT 0,
  lease_until timestamptz(3),
  job_no integer NOT NULL DEFAULT 1,
  enqueued_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Not to be run before, because a domain's policy holds it back.
  not_before timestamptz(3),
  waiting json,
  PRIMARY KEY (query_id, stage, first_row),
  FOREIGN KEY (query_id, stage) REFERENCES query_stages ON DELETE CASCADE
);
CREATE INDEX query_units_live_idx ON query_units (enqueued_at) WHERE status IN ('queued', 'running');
CREATE INDEX query_units_pending_idx ON query_units (query_id, stage, first_row) WHERE status = 'pending';

CREATE TABLE query_commands (
  query_id uuid NOT NULL REFERENCES queries ON DELETE CASCADE,
  stage integer NOT NULL,
  index integer NOT NULL,
  command text NOT NULL,
  args json NOT NULL,
  flags json NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  ms double precision NOT NULL,
  cached boolean NOT NULL,
  warnings json NOT NULL,
  error json,
  screenshot text,
  PRIMARY KEY (query_id, stage, index)
);

-- The rows of a stage. Several queries may share one set through the cache; a set that nothing names is reaped.
CREATE TABLE row_sets (
  id uuid PRIMARY KEY,
  -- The query that made it.
  query_id uuid NOT NULL,
  complete boolean NOT NULL DEFAULT false,
  rows bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX row_sets_query_id_idx ON row_sets (query_id);
CREATE INDEX row_sets_created_at_idx ON row_sets (created_at);

-- Whoever takes rows over from the cache holds them by this, or finds that they are gone.
ALTER TABLE queries ADD FOREIGN KEY (result_set) REFERENCES row_sets ON DELETE SET NULL;
ALTER TABLE query_stages ADD FOREIGN KEY (row_set) REFERENCES row_sets ON DELETE SET NULL;

-- Rows as compressed JSON. Chunks that units write side by side learn their first row when the stage ends.
CREATE TABLE row_chunks (
  set_id uuid NOT NULL REFERENCES row_sets ON DELETE CASCADE,
  sequence bigint NOT NULL,
  row_start bigint,
  row_count integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (set_id, sequence)
);
ALTER TABLE row_chunks ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX row_chunks_row_start_idx ON row_chunks (set_id, row_start);

-- Sets in another order, made when they are first asked for.
CREATE TABLE row_orders (
  set_id uuid NOT NULL REFERENCES row_sets ON DELETE CASCADE,
  key text NOT NULL,
  descending boolean NOT NULL,
  sorted_id uuid NOT NULL REFERENCES row_sets ON DELETE CASCADE,
  CONSTRAINT row_orders_pkey PRIMARY KEY (set_id, key, descending)
);
CREATE INDEX row_orders_sorted_id_idx ON row_orders (sorted_id);

-- Rows of stages that another query may use, by a hash of all that determines them.
CREATE TABLE stage_cache (
  key bytea PRIMARY KEY,
  set_id uuid NOT NULL REFERENCES row_sets ON DELETE CASCADE,
  rows bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX stage_cache_set_id_idx ON stage_cache (set_id);
CREATE INDEX stage_cache_expires_at_idx ON stage_cache (expires_at);

-- Rows of single runs of expanding commands.
CREATE TABLE command_cache (
  key bytea PRIMARY KEY,
  row_count integer NOT NULL,
  data bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
ALTER TABLE command_cache ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX command_cache_expires_at_idx ON command_cache (expires_at);

-- Jobs that are to be put into a queue; written in the transaction that needs them.
CREATE TABLE outbox (
  id bigserial PRIMARY KEY,
  queue text NOT NULL,
  name text NOT NULL,
  job_id text NOT NULL,
  payload json NOT NULL,
  delay_ms integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Who does what only one process may do at a time.
CREATE TABLE leases (
  name text PRIMARY KEY,
  owner text NOT NULL,
  lease_until timestamptz(3) NOT NULL
);
