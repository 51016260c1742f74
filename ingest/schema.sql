-- The tables of the store: the one declaration of their columns, types and order.
-- Readers fill the row types of ingest/records.py; a test compares the two.
--
-- Ids: `run` is the first 10 hexadecimal digits of a hash of the report and the run's place in it, so a
-- file gives the same runs in every store. `trial` and `definition` are 40 bits of that hash followed by a
-- 22-bit ordinal inside the run: unique across runs, and equal values of one run lie together.
-- Big tables carry no key: an index on ten million rows costs more than the load. `report` is the ledger
-- that keeps a file from being stored twice.
-- Payloads (JSON text exactly as written) are zstd-compressed; nothing but a case page reads them.

CREATE TABLE meta (schema_version INTEGER NOT NULL);

CREATE TABLE report (
    report VARCHAR PRIMARY KEY,             -- sha256 of the file's bytes (decompressed)
    path VARCHAR NOT NULL,                  -- as given on the command line
    format VARCHAR NOT NULL,                -- evaluation-report | trial-row | sample-report
    dialect VARCHAR,                        -- contract | live-runner | replay-report, joined by ' + ' when mixed; null for other formats
    version INTEGER,                        -- schemaVersion / report_version; null where the format has none
    bytes BIGINT NOT NULL,
    ingested_at TIMESTAMP NOT NULL,         -- UTC
    extra VARCHAR USING COMPRESSION zstd    -- JSON object: top-level members the contract does not list
);

CREATE TABLE file (                         -- where a report was last seen, so that it need not be read again
    path VARCHAR NOT NULL,                  -- absolute
    report VARCHAR NOT NULL,
    bytes BIGINT NOT NULL,                  -- length on disk, compressed if it is
    changed VARCHAR NOT NULL,               -- inode and times of change: equal only while nobody touched the file
    read_at BIGINT NOT NULL                 -- when it was read, nanoseconds
);

CREATE TABLE run_loaded (
    run VARCHAR NOT NULL,
    report VARCHAR NOT NULL,
    position INTEGER NOT NULL,              -- order of the run in its report
    format VARCHAR NOT NULL,
    dialect VARCHAR,
    version INTEGER,
    suite VARCHAR,                          -- suite.id / tool / suite; null when the row names no tool
    suite_name VARCHAR,
    suite_digest VARCHAR,                   -- own sha256 of the definition, canonical JSON; null where none is recorded
    subject VARCHAR,                        -- target.id / model as written; null when the report names none
    subject_fingerprint VARCHAR,
    native_run VARCHAR,                     -- runId; null where the format has none
    arm VARCHAR,                            -- full | ablated, live-runner dialect only
    status VARCHAR,                         -- running | completed | cancelled | limited; null where the format has none
    started_at VARCHAR,                     -- as written
    finished_at VARCHAR,
    resumed_from VARCHAR,                   -- native_run of the report this one continues
    settled BIGINT NOT NULL,                -- progress of a snapshot: trials with a final status …
    turns BIGINT NOT NULL,                  -- … and turns recorded
    begun BIGINT NOT NULL,                  -- … and trials no longer pending
    rejected BIGINT NOT NULL,               -- cases or rows of this run that could not be loaded; the run is incomplete when > 0
    fingerprint VARCHAR,                    -- the report's own compatibility identity
    config VARCHAR USING COMPRESSION zstd,      -- C: config; B: bounds seen (JSON array, distinct)
    definition VARCHAR USING COMPRESSION zstd   -- A: the suite exactly as written
);

CREATE TABLE item (
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    name VARCHAR,
    description VARCHAR,
    tags VARCHAR[] NOT NULL,
    write_policy VARCHAR,
    skip_reason VARCHAR,
    steps VARCHAR[] NOT NULL,               -- step ids in definition order
    digest VARCHAR,                         -- own sha256 of the item's definition, canonical JSON
    metadata VARCHAR USING COMPRESSION zstd
);

CREATE TABLE part (                         -- fingerprint parts of an item (C)
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    part VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL
);

CREATE TABLE definition (                   -- one row per node of what a criterion demands
    run VARCHAR NOT NULL,
    definition BIGINT NOT NULL,             -- key of the criterion; all nodes of one criterion share it
    position INTEGER NOT NULL,              -- pre-order place of the node; 0 is the criterion itself
    leaf BOOLEAN NOT NULL,
    scope VARCHAR NOT NULL,                 -- turn | trial | run
    item VARCHAR,                           -- null for scope run
    step VARCHAR,                           -- scope turn only
    criterion VARCHAR NOT NULL,             -- id of the root
    path VARCHAR NOT NULL,                  -- ids from the root, joined by '/'
    label VARCHAR,
    kind VARCHAR NOT NULL,                  -- check | all | any | not | custom (A); check (B); expectation (C)
    operator VARCHAR,
    target VARCHAR,                         -- A: JSON array of the observation path
    evaluator VARCHAR,
    expectation VARCHAR,                    -- C
    fault VARCHAR,                          -- B: a definition per (item, check name, fault, code) seen
    code VARCHAR,
    value VARCHAR USING COMPRESSION zstd    -- A: value of a check, parameters of a custom evaluator
);

CREATE TABLE trial (
    run VARCHAR NOT NULL,
    trial BIGINT NOT NULL,
    item VARCHAR NOT NULL,
    variants VARCHAR NOT NULL,              -- canonical JSON object step id -> variant id, '{}' when none
    repetition INTEGER,                     -- 0-based; null when the row records none
    native_id VARCHAR,                      -- A: case id
    thread VARCHAR,                         -- A: threadId
    outcome VARCHAR NOT NULL,               -- passed failed | error blocked skipped cancelled pending running rate_limited absent unknown
    graded BOOLEAN NOT NULL,                -- outcome is passed or failed
    native_status VARCHAR,                  -- as written; null where the format has no status
    error_code VARCHAR,                     -- resolved: trial, else turn, else criterion
    error_scope VARCHAR,                    -- trial | turn | turn-criterion | trial-criterion
    reason VARCHAR,                         -- skip reason (A), harness error (C), invalid_output (B), notes
    bound_reached VARCHAR,
    unfinished BOOLEAN NOT NULL,            -- B: cut short (bound reached, invalid output): later faults are not tickets
    retry_delay_ms BIGINT,
    duration_ms BIGINT,                     -- sum of its turns; null without turns
    turns INTEGER NOT NULL,
    signature VARCHAR USING COMPRESSION zstd,         -- C: as written
    masked_signature VARCHAR USING COMPRESSION zstd,  -- uuids and long hex replaced
    provider_failures BIGINT,               -- C counters; null for other formats
    cards_created BIGINT,
    acts_proposed BIGINT,
    acts_refused BIGINT,
    commands_journaled BIGINT,
    abandoned BOOLEAN,
    discards BIGINT,                        -- number of discarded answers
    task_segment BOOLEAN,                   -- null = the item states nothing this task decides
    task_route BOOLEAN,
    task_locate BOOLEAN,
    task_extract BOOLEAN,
    bounds VARCHAR,                         -- B: JSON object as written
    place VARCHAR NOT NULL,                 -- where in the file: JSON path or line
    raw VARCHAR USING COMPRESSION zstd      -- the record as written, when it has members with no column here
);

CREATE TABLE turn (
    run VARCHAR NOT NULL,
    trial BIGINT NOT NULL,
    turn INTEGER NOT NULL,                  -- 0-based
    step VARCHAR,
    native_id VARCHAR,
    status VARCHAR,
    error_code VARCHAR,
    duration_ms BIGINT,
    observed BOOLEAN NOT NULL,              -- an observation was recorded
    bytes BIGINT NOT NULL,                  -- length of input, observation and checkpoint
    input VARCHAR USING COMPRESSION zstd,
    observation VARCHAR USING COMPRESSION zstd,
    checkpoint VARCHAR USING COMPRESSION zstd
);

CREATE TABLE "check" (                      -- one row per node of an evaluated criterion
    run VARCHAR NOT NULL,
    trial BIGINT,                           -- null for scope run
    definition BIGINT,                      -- definition.definition; null for a synthetic result without definition
    position INTEGER NOT NULL,              -- pre-order place among the trial's nodes (the run's, for scope run)
    parent INTEGER,                         -- position of the parent; null: this node is the criterion
    scope VARCHAR NOT NULL,
    turn INTEGER,                           -- scope turn only
    criterion VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    label VARCHAR,
    kind VARCHAR NOT NULL,
    operator VARCHAR,
    target VARCHAR,
    evaluator VARCHAR,
    passed BOOLEAN NOT NULL,
    errored BOOLEAN NOT NULL,
    error_code VARCHAR,
    decisive BOOLEAN NOT NULL,              -- explains why its criterion failed or errored
    negated BOOLEAN NOT NULL,               -- under an odd number of `not`
    graded BOOLEAN NOT NULL,                -- its trial is graded (false for scope run)
    unfinished BOOLEAN NOT NULL,            -- its trial was cut short
    fault VARCHAR,
    code VARCHAR,
    reason VARCHAR USING COMPRESSION zstd,
    actual_present BOOLEAN,                 -- A: false = nothing at that path; null = the node has no actual
    actual VARCHAR USING COMPRESSION zstd,
    expected VARCHAR USING COMPRESSION zstd,
    evidence VARCHAR USING COMPRESSION zstd
);

CREATE TABLE vote (
    run VARCHAR NOT NULL,
    trial BIGINT NOT NULL,
    criterion VARCHAR NOT NULL,             -- judge criterion
    position INTEGER NOT NULL,              -- order of the judged criterion in its trial
    vote INTEGER,                           -- null: the criterion was judged without a single vote
    score INTEGER,                          -- null: this vote has no verdict
    reason VARCHAR USING COMPRESSION zstd,
    error VARCHAR
);

CREATE TABLE discard (
    run VARCHAR NOT NULL,
    trial BIGINT NOT NULL,
    position INTEGER NOT NULL,
    code VARCHAR NOT NULL
);

CREATE TABLE flag (                         -- kept, but breaks a rule of its contract that does not refuse it
    report VARCHAR NOT NULL,
    run VARCHAR,
    trial BIGINT,
    place VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    message VARCHAR NOT NULL
);

CREATE TABLE rejection (                    -- what was not loaded, and why
    path VARCHAR NOT NULL,
    report VARCHAR,                         -- null when nothing of the file was loaded
    place VARCHAR NOT NULL,                 -- JSON path or line; '' for the whole file
    rule VARCHAR NOT NULL,
    message VARCHAR NOT NULL,
    remedy VARCHAR NOT NULL,
    excerpt VARCHAR NOT NULL
);

CREATE TABLE forgotten (                    -- so that a lake can be told
    report VARCHAR NOT NULL,                -- once each time
    forgotten_at TIMESTAMP NOT NULL         -- UTC
);

-- Supersession depends on all runs together, so it is computed when asked: loading order cannot matter.
-- Snapshots of one native run replace each other: a finished one wins, then the one that got further.
-- A report that resumes a run replaces it, unless it started before it.
CREATE VIEW run AS
WITH ranked AS (
    SELECT run, native_run, resumed_from,
        first_value(run) OVER (
            PARTITION BY coalesce(native_run, run)
            ORDER BY (status IS DISTINCT FROM 'running') DESC, settled DESC, turns DESC, begun DESC, rejected, run
        ) AS winner
    FROM run_loaded
),
resumed AS (
    SELECT resumed_from AS native_run, max_by(winner, (started_at, winner)) AS successor,
        max(started_at) AS resumed_at
    FROM ranked JOIN run_loaded USING (run, native_run, resumed_from)
    WHERE resumed_from IS NOT NULL AND resumed_from IS DISTINCT FROM native_run
    GROUP BY ALL
)
SELECT run_loaded.*,
    CASE
        WHEN ranked.winner <> run_loaded.run THEN ranked.winner
        WHEN resumed.resumed_at < run_loaded.started_at THEN NULL
        ELSE resumed.successor
    END AS superseded_by
FROM run_loaded
JOIN ranked USING (run)
LEFT JOIN resumed ON resumed.native_run = run_loaded.native_run;
