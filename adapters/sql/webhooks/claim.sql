-- Claims deliveries (`DeliveryQueue.claim`): locks candidates, of each standing (`limits`) shop by shop (`turns`), and
-- takes those that fit together. Passes over what others have locked.
WITH request AS MATERIALIZED (SELECT (extract(epoch FROM @now::timestamptz) * 1000)::float8 AS at,
    CASE WHEN @alone::bool THEN set_config('synchronous_commit', 'off', true) END
), limits AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(@limits::text::jsonb)
    AS l (standing text, share int4, most int4, of_shop int4, each int4)
), turns AS MATERIALIZED (
  SELECT * FROM unnest(@standings::text::text[], @shops::text::text[], @rooms::text::int4[], @busy::text::jsonb[])
    AS w (standing, shop, room, busy) WHERE w.shop = coalesce(w.shop, '') -- `hintFew`
), found AS MATERIALIZED (
  SELECT l.share, l.most, f.*, row_number() OVER () AS nth FROM limits l CROSS JOIN LATERAL (
    SELECT w.room, o.* FROM (SELECT * FROM turns t WHERE t.standing = l.standing) w CROSS JOIN LATERAL (
      SELECT r.*, p.spacing, p.under_way, d.*, p.first + (row_number() OVER due - 1) * p.spacing AS starts_at
      FROM (SELECT *, coalesce((w.busy ->> endpoint_id)::int4, 0) AS busy FROM designwire.receivers
        WHERE shop = w.shop AND standing = l.standing OFFSET 0) r
      LEFT JOIN LATERAL ( -- `Pace.plan`. Locks nothing before its time, because another claim may be in time.
        SELECT s.*, u.under_way, least(r.max_concurrent - u.held, floor((q.at + 50 - s.first) / s.spacing) + 1) AS room
        FROM request q CROSS JOIN LATERAL (SELECT * FROM designwire.paces p WHERE r.is_paced
          AND p.shop = r.shop AND p.endpoint_id = r.endpoint_id
          AND (p.next_start <= q.at + 50 OR r.max_per_second IS NULL) FOR UPDATE SKIP LOCKED) p
        CROSS JOIN LATERAL (SELECT greatest(p.next_start, q.at + 15) AS first, 1008 / r.max_per_second AS spacing) s
        CROSS JOIN LATERAL (SELECT coalesce(jsonb_object_agg(key, value), '{}') AS under_way, count(*) AS held
          FROM jsonb_each(p.under_way) WHERE value::float8 > q.at) u) p ON true
      CROSS JOIN LATERAL (SELECT id, event_id, event, test, attempts, next_attempt_at FROM designwire.deliveries d
        WHERE d.shop = r.shop AND d.endpoint_id = r.endpoint_id AND queue = 'due'
          AND next_attempt_at >= @scan_from::text::timestamptz AND next_attempt_at <= @now::timestamptz
          AND (leased_until IS NULL OR leased_until <= @now::timestamptz)
          AND CASE WHEN r.is_active THEN true ELSE test END ORDER BY next_attempt_at, id
        LIMIT greatest(0, least(l.each - r.busy, p.room)) FOR UPDATE SKIP LOCKED) d
      WHERE p.room > 0 OR NOT r.is_paced WINDOW due AS (PARTITION BY r.endpoint_id ORDER BY d.next_attempt_at, d.id)
      ORDER BY r.busy + row_number() OVER due, d.next_attempt_at, d.id LIMIT least(of_shop, w.room)) o LIMIT l.share) f
), seated AS (SELECT *, row_number() OVER (PARTITION BY shop ORDER BY nth) AS of_shop FROM found
), sharing AS (SELECT *, count(*) FILTER (WHERE NOT proven) OVER before AS of_share, count(*) FILTER (WHERE troubled)
  OVER before AS of_troubled FROM seated WHERE proven OR of_shop <= room WINDOW before AS (ORDER BY nth)
), fitting AS (SELECT *, row_number() OVER (PARTITION BY shop ORDER BY nth) AS of_room FROM sharing
  WHERE proven OR (of_share <= share AND of_troubled <= most)
), taken AS MATERIALIZED (SELECT * FROM fitting WHERE of_room <= room ORDER BY nth LIMIT (SELECT max(share) FROM limits)
), leased AS (UPDATE designwire.deliveries d SET leased_until = @lease_until::timestamptz, claim_token = @token
  FROM taken t WHERE d.shop = t.shop AND d.id = t.id
), planned AS (
  UPDATE designwire.paces p SET next_start = coalesce(t.next, p.next_start), under_way = coalesce(t.under_way, '{}')
  FROM (SELECT shop, endpoint_id, max(starts_at + spacing) AS next, under_way || jsonb_object_agg(id,
      extract(epoch FROM @lease_until::timestamptz) * 1000) FILTER (WHERE max_concurrent IS NOT NULL) AS under_way
    FROM taken WHERE is_paced GROUP BY 1, 2, taken.under_way) t WHERE p.shop = t.shop AND p.endpoint_id = t.endpoint_id
)
SELECT t.shop, t.id, t.endpoint_id, t.event_id, t.event, t.test, t.attempts, t.proven, t.troubled, t.url, t.options,
  t.standard_webhooks, t.secret, t.new_secret, t.rotates_at, t.starts_at, e.body, e.trace
FROM (SELECT *, row_number() OVER (PARTITION BY shop, event_id ORDER BY nth) AS nth_of_event FROM taken) t
LEFT JOIN designwire.events e ON t.nth_of_event = 1 AND e.shop = t.shop AND e.id = t.event_id ORDER BY t.nth
