-- What format 1 kept of HTTP apart from the entries becomes entries at the end: heads, and how it ended.
INSERT INTO entries (seq, at, until, channel, side, kind, flags, size, bytes)
SELECT
    (SELECT coalesce(max(seq), 0) FROM entries) + row_number() OVER (ORDER BY at, id, part),
    at, at, channel, side, kind,
    CASE WHEN instr(bytes, CAST('(left out)' AS BLOB)) THEN 128 ELSE 0 END,
    length(bytes),
    bytes
FROM (
    SELECT id, 1 AS part, requested AS at, channel, 'client' AS side, 'head' AS kind, CAST(request_head AS BLOB) AS bytes
    FROM http
    UNION ALL
    SELECT id, 2, coalesce(responded, requested), channel, 'server', 'head', CAST(response_head AS BLOB)
    FROM http WHERE response_head IS NOT NULL
    UNION ALL
    SELECT id, 3, ended, channel, NULL, 'lifecycle', CAST('{"event":"http-ended","how":"complete"}' AS BLOB)
    FROM http WHERE ended IS NOT NULL
);

DROP TABLE http;

CREATE VIEW http AS
WITH
heads AS (
    SELECT
        seq, at, channel, side,
        rtrim(CAST(substr(bytes, 1, max(instr(bytes, x'0a'), 1) - 1) AS TEXT), char(13)) AS line
    FROM entries
    WHERE kind = 'head'
),
requests AS (
    SELECT channel, min(seq) AS seq, at, line FROM heads
    WHERE side = 'client' AND instr(line, ' HTTP/')
    GROUP BY channel
),
responses AS (
    SELECT channel, min(seq) AS seq, at, substr(line, instr(line, ' ') + 1, 3) AS status FROM heads
    WHERE side = 'server' AND line LIKE 'HTTP/%' AND substr(line, instr(line, ' ') + 1, 1) <> '1'
    GROUP BY channel
),
bodies AS (
    SELECT channel, min(seq) AS seq, at FROM entries
    WHERE side = 'server' AND kind IN ('body', 'event', 'frame')
    GROUP BY channel
),
ends AS (
    SELECT
        channel, min(seq) AS seq, until,
        CASE WHEN kind = 'lifecycle' THEN CAST(bytes AS TEXT) ->> '$.how' ELSE 'complete' END AS how
    FROM entries
    WHERE side = 'server' AND flags & 32
        OR kind = 'lifecycle' AND instr(bytes, CAST('"event":"http-ended"' AS BLOB))
    GROUP BY channel
)
SELECT
    requests.channel,
    substr(requests.line, 1, instr(requests.line, ' ') - 1) AS method,
    substr(
        requests.line,
        instr(requests.line, ' ') + 1,
        instr(requests.line, ' HTTP/') - instr(requests.line, ' ') - 1) AS target,
    CAST(responses.status AS INTEGER) AS status,
    requests.at AS requested,
    responses.at AS responded,
    bodies.at AS first_byte,
    ends.until AS ended,
    ends.how
FROM requests
LEFT JOIN responses ON responses.channel = requests.channel
LEFT JOIN bodies ON bodies.channel = requests.channel
LEFT JOIN ends ON ends.channel = requests.channel;

DROP VIEW messages;

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
        CASE WHEN kind = 'event' THEN (
            -- The data of an event: what follows data: in each of its lines.
            WITH RECURSIVE lines (line, rest) AS (
                SELECT NULL, replace(replace(whole, char(13, 10), char(10)), char(13), char(10)) || char(10)
                UNION ALL
                SELECT substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
                FROM lines WHERE rest <> ''
            )
            SELECT group_concat(substr(line, CASE WHEN substr(line, 6, 1) = ' ' THEN 7 ELSE 6 END), char(10))
            FROM lines WHERE substr(line, 1, 5) = 'data:'
        ) ELSE whole END AS text
    FROM (
        SELECT
            seq, at, channel, side, size, kind,
            CAST(bytes AS TEXT) || coalesce(
                (SELECT group_concat(CAST(piece AS TEXT), '')
                 FROM (SELECT chunks.bytes AS piece FROM chunks WHERE chunks.seq = entries.seq ORDER BY n)), '') AS whole
        FROM entries
        WHERE kind IN ('frame', 'body', 'event')
    )
)
WHERE text <> '';
