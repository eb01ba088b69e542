-- Every resource of the interface, the audit log, idempotent requests and the installation's own keys.
-- Names that people give may have 1,000 characters of any script, more than a B-tree entry can hold:
-- those columns are unique by a hash exclusion constraint, which has no such bound and serves look-ups as well.

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  lookup text NOT NULL UNIQUE,
  hash bytea NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  username text NOT NULL,
  password_hash text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT users_username_key EXCLUDE USING hash (username WITH =)
);

CREATE TABLE secrets (
  id uuid PRIMARY KEY,
  type text NOT NULL,
  name text NOT NULL,
  provider_type text,
  sealed text,
  metadata json,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT secrets_type_name_key UNIQUE (type, name)
);

CREATE TABLE credentials (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  type text NOT NULL,
  config json NOT NULL,
  sealed text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT credentials_name_key EXCLUDE USING hash (name WITH =)
);

CREATE TABLE stores (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  type text NOT NULL,
  config json NOT NULL,
  sealed text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT stores_name_key UNIQUE (name)
);

CREATE TABLE checkpoints (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  checkpoint text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT checkpoints_name_key EXCLUDE USING hash (name WITH =)
);

CREATE TABLE prompts (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  prompt text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT prompts_name_key EXCLUDE USING hash (name WITH =)
);

CREATE TABLE policies (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  domain text NOT NULL,
  per_second integer,
  per_ten_seconds integer,
  per_minute integer,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT policies_domain_key UNIQUE (domain)
);

CREATE TABLE cellar_contents (
  id uuid PRIMARY KEY,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE cellar_chunks (
  content_id uuid NOT NULL REFERENCES cellar_contents ON DELETE CASCADE,
  sequence integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (content_id, sequence)
);

CREATE TABLE cellar_files (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  content_id uuid NOT NULL REFERENCES cellar_contents,
  content_type text NOT NULL,
  format text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT cellar_files_name_key UNIQUE (name)
);
CREATE INDEX cellar_files_content_id_idx ON cellar_files (content_id);

CREATE TABLE manifests (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  store text NOT NULL,
  type text NOT NULL,
  screenshots json NOT NULL,
  attributes_context json,
  touched_at timestamptz(3),
  error_count integer NOT NULL DEFAULT 0,
  error_touched_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT manifests_name_key UNIQUE (name)
);

CREATE TABLE templates (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL,
  query text NOT NULL,
  template_schema json,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT templates_name_key EXCLUDE USING hash (name WITH =)
);

CREATE TABLE schedules (
  id text PRIMARY KEY,
  query text NOT NULL,
  minutes integer NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  ttl integer,
  metadata json,
  summary boolean,
  cleanup boolean,
  sirp_url text,
  anchor_at timestamptz(3) NOT NULL,
  next_run_at timestamptz(3),
  last_run_at timestamptz(3),
  last_query_id uuid,
  last_status text,
  fired integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX schedules_due_idx ON schedules (next_run_at) WHERE enabled;

CREATE TABLE streams (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  config json NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT streams_name_key EXCLUDE USING hash (name WITH =)
);

CREATE TABLE licenses (
  id uuid PRIMARY KEY,
  licensee text NOT NULL,
  plan text NOT NULL,
  services text[] NOT NULL,
  issued_at timestamptz(3),
  expires_at timestamptz(3),
  token text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE idempotent_requests (
  api_key_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  work_id uuid NOT NULL,
  lease_until timestamptz(3) NOT NULL,
  status integer,
  sealed text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (api_key_id, key)
);
CREATE INDEX idempotent_requests_created_at_idx ON idempotent_requests (created_at);

CREATE TABLE vault (
  name text PRIMARY KEY,
  sealed text NOT NULL
);

CREATE TABLE sign_in_failures (
  subject text PRIMARY KEY,
  failures integer NOT NULL,
  blocked_until timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE audit_log (
  seq bigserial PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  actor text NOT NULL,
  operation text NOT NULL,
  target text,
  outcome text NOT NULL,
  request_id text NOT NULL,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL
);

-- The one text of an entry that its hash covers; the fields are JSON-quoted, so that none can run into its neighbour.
CREATE FUNCTION audit_entry_text(entry audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT json_build_array(
    entry.seq, (extract(epoch FROM entry.at) * 1000)::bigint, entry.actor, entry.operation,
    entry.target, entry.outcome, entry.request_id, encode(entry.prev_hash, 'hex'))::text
$$;

-- Chains an entry to the one before it. The lock puts writers in line, and the number is drawn under it,
-- so that the order of numbers is the order of the chain.
CREATE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7235123990112);
  NEW.seq := nextval('audit_log_seq_seq');
  NEW.prev_hash := coalesce((SELECT hash FROM audit_log ORDER BY seq DESC LIMIT 1), sha256('quern'));
  NEW.hash := sha256(convert_to(audit_entry_text(NEW), 'UTF8'));
  RETURN NEW;
END $$;

CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;

CREATE TRIGGER audit_chain BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_chain();
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
