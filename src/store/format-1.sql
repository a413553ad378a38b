CREATE TABLE facts (
    key TEXT PRIMARY KEY NOT NULL,
    value
) WITHOUT ROWID;

CREATE TABLE channels (
    id INTEGER PRIMARY KEY,
    transport TEXT NOT NULL,
    peer TEXT,
    session TEXT,
    version TEXT,
    resumes TEXT
);

CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    side TEXT,
    kind TEXT NOT NULL,
    flags INTEGER NOT NULL,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL
);

CREATE TABLE chunks (
    seq INTEGER NOT NULL,
    n INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (seq, n)
);

CREATE TABLE hashes (
    seq INTEGER PRIMARY KEY,
    sha256 BLOB NOT NULL
);

CREATE TABLE http (
    id INTEGER PRIMARY KEY,
    channel INTEGER NOT NULL,
    method TEXT NOT NULL,
    target TEXT NOT NULL,
    request_head BLOB NOT NULL,
    requested INTEGER NOT NULL,
    status INTEGER,
    response_head BLOB,
    responded INTEGER,
    first_byte INTEGER,
    ended INTEGER
);

CREATE VIEW messages AS
SELECT
    seq,
    strftime('%Y-%m-%dT%H:%M:%S', at / 1000000000, 'unixepoch') || printf('.%09dZ', at % 1000000000) AS time,
    channel,
    side,
    CASE WHEN json_valid(text) THEN text ->> '$.method' END AS method,
    CASE WHEN json_valid(text) THEN text -> '$.id' END AS id,
    CASE
        WHEN NOT json_valid(text) THEN 'broken'
        WHEN json_type(text) = 'array' THEN 'batch'
        WHEN json_type(text, '$.method') IS NOT NULL AND json_type(text, '$.id') IS NOT NULL THEN 'request'
        WHEN json_type(text, '$.method') IS NOT NULL THEN 'notification'
        WHEN json_type(text, '$.error') IS NOT NULL THEN 'error'
        WHEN json_type(text, '$.result') IS NOT NULL THEN 'result'
        ELSE 'broken'
    END AS kind,
    size,
    text
FROM (
    SELECT
        seq, at, channel, side, size,
        CAST(bytes AS TEXT) || coalesce(
            (SELECT group_concat(CAST(piece AS TEXT), '')
             FROM (SELECT chunks.bytes AS piece FROM chunks WHERE chunks.seq = entries.seq ORDER BY n)), '') AS text
    FROM entries
    WHERE kind = 'frame'
);
