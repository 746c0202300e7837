/**
 * The endpoints that may be sent to (`DeliveryState.maySend`), with everything that a claim needs of them. Of one that
 * isn't active, only tests may be sent. `standing` is `Health.standingOf`, `is_paced` is `Pace.isPaced`.
 */
export const receivers: ReadonlyArray<string> = [
  `CREATE VIEW designwire.receivers AS
SELECT e.shop, e.id AS endpoint_id, e.url, e.standard_webhooks, e.options::text AS options, e.secret, e.new_secret,
  (extract(epoch FROM e.rotates_at) * 1000)::float8 AS rotates_at, e.status = 'active' AS is_active, e.proven, e.troubled,
  CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END AS standing,
  (e.options ->> 'maxPerSecond')::float8 AS max_per_second, (e.options ->> 'maxConcurrent')::int4 AS max_concurrent,
  e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL AS is_paced
FROM designwire.endpoints e WHERE (SELECT s.plan FROM designwire.shops s WHERE s.id = e.shop) IN ('pro', 'plus')`,
]
