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
      b.attempts + row_number() OVER (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id) AS place
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $7::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $8::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, $9::int4 - b.attempts) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'newcomer' ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($10::int4, greatest(0, $11::int4 - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT $12::int4
), troubled AS MATERIALIZED (
  -- They leave a part of the unproven endpoints' share free for newcomers.
  SELECT o.* FROM (SELECT * FROM named WHERE standing = 'troubled' ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id) AS place
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $13::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $14::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, $15::int4 - b.attempts) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'troubled' ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($16::int4, greatest(0, $17::int4 - (SELECT count(*) FROM newcomer t WHERE t.shop = w.shop) - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT least($18::int4, $19::int4 - (SELECT count(*) FROM newcomer))
), proven AS MATERIALIZED (
  -- All that is left.
  SELECT o.* FROM (SELECT * FROM named WHERE standing = 'proven' ORDER BY step) w CROSS JOIN LATERAL (
    -- Of a shop, endpoints with the fewest attempts under way come first.
    SELECT w.shop, w.step, e.id AS endpoint_id, e.proven, e.troubled, e.url, e.standard_webhooks, e.options::text AS options, e.secret,
      e.new_secret, e.rotates_at, d.*,
      b.attempts + row_number() OVER (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id) AS place
    FROM (SELECT 1) one CROSS JOIN LATERAL (
    SELECT s.plan FROM designwire.shops s WHERE s.id = w.shop OFFSET 0
  ) s CROSS JOIN LATERAL (
    SELECT e.* FROM designwire.endpoints e WHERE e.shop = w.shop OFFSET 0
  ) e CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.attempts), 0)::int4 AS attempts FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id
    ) b CROSS JOIN LATERAL (SELECT d.id, d.event_id, d.event, d.test, d.attempts, d.next_attempt_at FROM designwire.deliveries d
    WHERE d.shop = w.shop AND d.endpoint_id = e.id AND d.queue = 'due' AND d.next_attempt_at <= $20::timestamptz
      AND (d.leased_until IS NULL OR d.leased_until <= $21::timestamptz) AND (s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)
    ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, $22::int4 - b.attempts) FOR UPDATE SKIP LOCKED) d
    WHERE CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END = 'proven' ORDER BY place, d.next_attempt_at, d.id
    LIMIT least($23::int4, greatest(0, $24::int4 - (SELECT count(*) FROM newcomer t WHERE t.shop = w.shop) - (SELECT count(*) FROM troubled t WHERE t.shop = w.shop) - (
      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop
    )))
  ) o LIMIT $25::int4 - (SELECT count(*) FROM newcomer) - (SELECT count(*) FROM troubled)
), taken AS (
  -- An event mostly goes to several endpoints: its body and trace are read for one of them.
  SELECT t.*, row_number() OVER (PARTITION BY t.shop, t.event_id) = 1 AS has_body FROM (
    SELECT 0 AS kind, * FROM newcomer UNION ALL SELECT 1, * FROM troubled UNION ALL SELECT 2, * FROM proven
  ) t
), leased AS (
  -- Nobody else can have changed what is locked: each of them is taken.
  UPDATE designwire.deliveries d SET leased_until = $26::timestamptz, claim_token = $27
  FROM taken t WHERE d.shop = t.shop AND d.id = t.id
)
SELECT t.shop, t.id AS "deliveryId", t.endpoint_id AS "endpointId", t.event_id AS "eventId", t.event, t.test,
  t.attempts + 1 AS attempt, t.proven, t.troubled, ev.body, ev.trace, t.url, t.standard_webhooks AS "standardWebhooks", t.options, t.secret,
  t.new_secret AS "newSecret", (extract(epoch FROM t.rotates_at) * 1000)::float8 AS "rotatesAt"
FROM commit CROSS JOIN taken t
LEFT JOIN designwire.events ev ON t.has_body AND ev.shop = t.shop AND ev.id = t.event_id
ORDER BY t.kind, t.step, t.place, t.next_attempt_at, t.id
