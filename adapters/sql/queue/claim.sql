WITH commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), named AS MATERIALIZED (
  -- The shops whose turn it is, for each standing of their endpoints.
  SELECT * FROM unnest($1::text::text[],$2::text::text[],$3::text::int4[]) AS r (standing, shop, step) WHERE r.shop = coalesce(r.shop, '')
), busy AS MATERIALIZED (
  -- What the worker has under way counts towards the limits of endpoints and shops.
  SELECT * FROM unnest($4::text::text[],$5::text::text[],$6::text::int4[]) AS r (shop, endpoint_id, attempts)
), newcomer AS MATERIALIZED (
  -- First, because the first delivery of an endpoint must not wait for those that hang (D45).
  SELECT o.* FROM (SELECT * FROM named WHERE standing = 'newcomer' ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER due AS place, CASE WHEN (e.options ->> 'maxPerSecond')::float8 IS NOT NULL THEN p.first + (row_number() OVER due - 1) * (1008 / (e.options ->> 'maxPerSecond')::float8) END AS starts_at,
      (1008 / (e.options ->> 'maxPerSecond')::float8) AS spacing, (e.options ->> 'maxConcurrent')::int4 IS NOT NULL AS bounded, CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN p.under_way END AS under_way
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b LEFT JOIN LATERAL (
      SELECT greatest(l.next_start, $7::text::float8 + 15) AS first, k.under_way,
        CASE WHEN (e.options ->> 'maxPerSecond')::float8 IS NOT NULL THEN floor(($8::text::float8 + 50 - greatest(l.next_start, $9::text::float8 + 15)) / (1008 / (e.options ->> 'maxPerSecond')::float8))::int4 + 1 END AS starts,
        CASE WHEN (e.options ->> 'maxConcurrent')::int4 IS NOT NULL THEN greatest(0, (e.options ->> 'maxConcurrent')::int4 - k.held) END AS free
      FROM (
        SELECT p.next_start, p.under_way FROM designwire.paces p
        WHERE (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) AND p.shop = e.shop AND p.endpoint_id = e.id
          AND ((e.options ->> 'maxPerSecond')::float8 IS NULL OR p.next_start <= $10::text::float8 + 50) FOR UPDATE SKIP LOCKED
      ) l CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(u.key, u.value), '{}') AS under_way, count(*)::int4 AS held
        FROM jsonb_each(l.under_way) u WHERE u.value::float8 > $11::text::float8
      ) k
    ) p ON true CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
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
      b.attempts + row_number() OVER due AS place, CASE WHEN (e.options ->> 'maxPerSecond')::float8 IS NOT NULL THEN p.first + (row_number() OVER due - 1) * (1008 / (e.options ->> 'maxPerSecond')::float8) END AS starts_at,
      (1008 / (e.options ->> 'maxPerSecond')::float8) AS spacing, (e.options ->> 'maxConcurrent')::int4 IS NOT NULL AS bounded, CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN p.under_way END AS under_way
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b LEFT JOIN LATERAL (
      SELECT greatest(l.next_start, $18::text::float8 + 15) AS first, k.under_way,
        CASE WHEN (e.options ->> 'maxPerSecond')::float8 IS NOT NULL THEN floor(($19::text::float8 + 50 - greatest(l.next_start, $20::text::float8 + 15)) / (1008 / (e.options ->> 'maxPerSecond')::float8))::int4 + 1 END AS starts,
        CASE WHEN (e.options ->> 'maxConcurrent')::int4 IS NOT NULL THEN greatest(0, (e.options ->> 'maxConcurrent')::int4 - k.held) END AS free
      FROM (
        SELECT p.next_start, p.under_way FROM designwire.paces p
        WHERE (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) AND p.shop = e.shop AND p.endpoint_id = e.id
          AND ((e.options ->> 'maxPerSecond')::float8 IS NULL OR p.next_start <= $21::text::float8 + 50) FOR UPDATE SKIP LOCKED
      ) l CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(u.key, u.value), '{}') AS under_way, count(*)::int4 AS held
        FROM jsonb_each(l.under_way) u WHERE u.value::float8 > $22::text::float8
      ) k
    ) p ON true CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $23::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $24::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT least(greatest(0, $25::int4 - b.attempts), CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN coalesce(least(p.starts, p.free), 0) END) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'troubled' WINDOW due AS (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id)
    ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($26::int4, greatest(0, $27::int4 - (SELECT count(*) FROM newcomer t WHERE t.shop = w.shop) - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT least($28::int4, $29::int4 - (SELECT count(*) FROM newcomer))
), proven AS MATERIALIZED (
  -- All that is left.
  SELECT o.* FROM (SELECT * FROM named WHERE standing = 'proven' ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER due AS place, CASE WHEN (e.options ->> 'maxPerSecond')::float8 IS NOT NULL THEN p.first + (row_number() OVER due - 1) * (1008 / (e.options ->> 'maxPerSecond')::float8) END AS starts_at,
      (1008 / (e.options ->> 'maxPerSecond')::float8) AS spacing, (e.options ->> 'maxConcurrent')::int4 IS NOT NULL AS bounded, CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN p.under_way END AS under_way
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b LEFT JOIN LATERAL (
      SELECT greatest(l.next_start, $30::text::float8 + 15) AS first, k.under_way,
        CASE WHEN (e.options ->> 'maxPerSecond')::float8 IS NOT NULL THEN floor(($31::text::float8 + 50 - greatest(l.next_start, $32::text::float8 + 15)) / (1008 / (e.options ->> 'maxPerSecond')::float8))::int4 + 1 END AS starts,
        CASE WHEN (e.options ->> 'maxConcurrent')::int4 IS NOT NULL THEN greatest(0, (e.options ->> 'maxConcurrent')::int4 - k.held) END AS free
      FROM (
        SELECT p.next_start, p.under_way FROM designwire.paces p
        WHERE (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) AND p.shop = e.shop AND p.endpoint_id = e.id
          AND ((e.options ->> 'maxPerSecond')::float8 IS NULL OR p.next_start <= $33::text::float8 + 50) FOR UPDATE SKIP LOCKED
      ) l CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(u.key, u.value), '{}') AS under_way, count(*)::int4 AS held
        FROM jsonb_each(l.under_way) u WHERE u.value::float8 > $34::text::float8
      ) k
    ) p ON true CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $35::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $36::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT least(greatest(0, $37::int4 - b.attempts), CASE WHEN (e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL) THEN coalesce(least(p.starts, p.free), 0) END) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'proven' WINDOW due AS (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id)
    ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($38::int4, greatest(0, $39::int4 - (SELECT count(*) FROM newcomer t WHERE t.shop = w.shop) - (SELECT count(*) FROM troubled t WHERE t.shop = w.shop) - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT $40::int4 - (SELECT count(*) FROM newcomer) - (SELECT count(*) FROM troubled)
), taken AS (
  -- An event mostly goes to several endpoints: its body and trace are read for one of them.
  SELECT t.*, row_number() OVER (PARTITION BY t.shop, t.event_id) = 1 AS has_body FROM (
    SELECT 0 AS kind, * FROM newcomer UNION ALL SELECT 1, * FROM troubled UNION ALL SELECT 2, * FROM proven
  ) t
), leased AS (
  -- Nobody else can have changed what is locked: each of them is taken.
  UPDATE designwire.deliveries d SET leased_until = $41::timestamptz, claim_token = $42
  FROM taken t WHERE d.shop = t.shop AND d.id = t.id
), planned AS (
  UPDATE designwire.paces p SET next_start = coalesce(t.next_start, p.next_start),
    under_way = CASE WHEN t.bounded THEN t.under_way || t.added ELSE '{}' END
  FROM (
    SELECT shop, endpoint_id, max(starts_at) + max(spacing) AS next_start, (array_agg(under_way))[1] AS under_way, bool_or(bounded) AS bounded,
      jsonb_object_agg(id, $43::text::float8) AS added
    FROM taken WHERE under_way IS NOT NULL GROUP BY shop, endpoint_id
  ) t WHERE p.shop = t.shop AND p.endpoint_id = t.endpoint_id
)
SELECT t.shop, t.id AS "deliveryId", t.endpoint_id AS "endpointId", t.event_id AS "eventId", t.event, t.test,
  t.attempts + 1 AS attempt, t.proven, t.troubled, ev.body, ev.trace, t.url, t.standard_webhooks AS "standardWebhooks", t.options, t.secret,
  t.starts_at AS "startsAt", t.new_secret AS "newSecret", (extract(epoch FROM t.rotates_at) * 1000)::float8 AS "rotatesAt"
FROM commit CROSS JOIN taken t
LEFT JOIN designwire.events ev ON t.has_body AND ev.shop = t.shop AND ev.id = t.event_id
ORDER BY t.kind, t.step, t.place, t.next_attempt_at, t.id
