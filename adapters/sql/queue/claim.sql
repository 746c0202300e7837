WITH commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), named AS MATERIALIZED (
  -- The shops whose turn it is, for each standing of their endpoints.
  SELECT * FROM unnest($1::text::text[],$2::text::text[],$3::text::int4[]) AS r (standing, shop, step) WHERE r.shop = coalesce(r.shop, '')
), busy AS MATERIALIZED (
  -- What the worker has under way counts towards the limits of endpoints and shops.
  SELECT * FROM unnest($4::text::text[],$5::text::text[],$6::text::int4[]) AS r (shop, endpoint_id, attempts)
), paced AS MATERIALIZED (
  SELECT l.shop, l.endpoint_id, greatest(l.next_start, $7::text::float8 + 15) AS first, l.spacing, k.under_way, l.bound IS NOT NULL AS bounded,
    floor(($8::text::float8 + 50 - greatest(l.next_start, $9::text::float8 + 15)) / l.spacing)::int4 + 1 AS starts,
    CASE WHEN l.bound IS NOT NULL THEN greatest(0, l.bound - k.held) END AS free
  FROM (
    SELECT p.shop, p.endpoint_id, p.next_start, p.under_way, (1008 / (e.options ->> 'maxPerSecond')::float8) AS spacing, (e.options ->> 'maxConcurrent')::int4 AS bound
    FROM (SELECT DISTINCT shop FROM named) w JOIN designwire.paces p ON p.shop = w.shop
    JOIN designwire.endpoints e ON e.shop = p.shop AND e.id = p.endpoint_id
    WHERE (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) AND ((e.options ->> 'maxPerSecond')::float8 IS NULL OR p.next_start <= $10::text::float8 + 50) FOR UPDATE OF p SKIP LOCKED
  ) l CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_object_agg(u.key, u.value), '{}') AS under_way, count(*)::int4 AS held
    FROM jsonb_each(l.under_way) u WHERE u.value::float8 > $11::text::float8
  ) k
), newcomer AS MATERIALIZED (
  -- First, because the first delivery of an endpoint must not wait for those that hang (D45).
  SELECT o.* FROM (SELECT * FROM named WHERE standing = 'newcomer' ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER due AS place, p.first + (row_number() OVER due - 1) * p.spacing AS starts_at
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b LEFT JOIN paced p ON p.shop = e.shop AND p.endpoint_id = e.id CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $12::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $13::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT least(greatest(0, $14::int4 - b.attempts), CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN coalesce(least(p.starts, p.free), 0) END) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'newcomer' WINDOW due AS (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id)
    ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($15::int4, greatest(0, $16::int4 - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT $17::int4
), troubled AS MATERIALIZED (
  -- They leave a part of the unproven endpoints' share free for newcomers.
  SELECT o.* FROM (SELECT * FROM named WHERE standing = 'troubled' ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER due AS place, p.first + (row_number() OVER due - 1) * p.spacing AS starts_at
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b LEFT JOIN paced p ON p.shop = e.shop AND p.endpoint_id = e.id CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $18::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $19::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT least(greatest(0, $20::int4 - b.attempts), CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN coalesce(least(p.starts, p.free), 0) END) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'troubled' WINDOW due AS (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id)
    ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($21::int4, greatest(0, $22::int4 - (SELECT count(*) FROM newcomer t WHERE t.shop = w.shop) - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT least($23::int4, $24::int4 - (SELECT count(*) FROM newcomer))
), proven AS MATERIALIZED (
  -- All that is left.
  SELECT o.* FROM (SELECT * FROM named WHERE standing = 'proven' ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER due AS place, p.first + (row_number() OVER due - 1) * p.spacing AS starts_at
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b LEFT JOIN paced p ON p.shop = e.shop AND p.endpoint_id = e.id CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $25::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $26::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT least(greatest(0, $27::int4 - b.attempts), CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN coalesce(least(p.starts, p.free), 0) END) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'proven' WINDOW due AS (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id)
    ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($28::int4, greatest(0, $29::int4 - (SELECT count(*) FROM newcomer t WHERE t.shop = w.shop) - (SELECT count(*) FROM troubled t WHERE t.shop = w.shop) - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT $30::int4 - (SELECT count(*) FROM newcomer) - (SELECT count(*) FROM troubled)
), taken AS (
  -- An event mostly goes to several endpoints: its body and trace are read for one of them.
  SELECT t.*, row_number() OVER (PARTITION BY t.shop, t.event_id) = 1 AS has_body FROM (
    SELECT 0 AS kind, * FROM newcomer UNION ALL SELECT 1, * FROM troubled UNION ALL SELECT 2, * FROM proven
  ) t
), leased AS (
  -- Nobody else can have changed what is locked: each of them is taken.
  UPDATE designwire.deliveries d SET leased_until = $31::timestamptz, claim_token = $32
  FROM taken t WHERE d.shop = t.shop AND d.id = t.id
), planned AS (
  UPDATE designwire.paces p SET next_start = coalesce(t.first + t.taken * t.spacing, p.next_start),
    under_way = CASE WHEN t.bounded THEN t.under_way || t.added ELSE '{}' END
  FROM (
    SELECT c.*, a.taken, a.added FROM paced c CROSS JOIN LATERAL (
      SELECT count(*) AS taken, jsonb_object_agg(t.id, $33::text::float8) AS added
      FROM taken t WHERE t.shop = c.shop AND t.endpoint_id = c.endpoint_id
    ) a WHERE a.taken > 0
  ) t WHERE p.shop = t.shop AND p.endpoint_id = t.endpoint_id
)
SELECT t.shop, t.id AS "deliveryId", t.endpoint_id AS "endpointId", t.event_id AS "eventId", t.event, t.test,
  t.attempts + 1 AS attempt, t.proven, t.troubled, ev.body, ev.trace, t.url, t.standard_webhooks AS "standardWebhooks", t.options, t.secret,
  t.starts_at AS "startsAt", t.new_secret AS "newSecret", (extract(epoch FROM t.rotates_at) * 1000)::float8 AS "rotatesAt"
FROM commit CROSS JOIN taken t
LEFT JOIN designwire.events ev ON t.has_body AND ev.shop = t.shop AND ev.id = t.event_id
ORDER BY t.kind, t.step, t.place, t.next_attempt_at, t.id
