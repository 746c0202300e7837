/**
 * Lines of deliveries of ordered endpoints (D53). A delivery that is about an object has it in the column `object`, and
 * its place in the line: the position in the feed, or a later one for a redelivery. Of an object's pending deliveries,
 * at most one, the front, is in a queue that claims and retries read; the others are in two queues of their own:
 *
 * - `joining`: just added. Adding takes no lock, because its transaction may be long, and others must not wait for it;
 * - `behind`: in line. When the front leaves, the first of them becomes the front.
 *
 * Both steps hold a lock of the object, and their functions look at the deliveries after they have got it: a query
 * within a function sees what others have committed meanwhile. So no line has two fronts, or deliveries and no front.
 */
export const ordering: ReadonlyArray<string> = [
  'ALTER TABLE designwire.deliveries ADD COLUMN object text COLLATE "C", ADD COLUMN place bigint',
  // The lock of a line, as the number of an advisory lock.
  `CREATE FUNCTION designwire.line_lock(of_shop text, of_endpoint text, of_object text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(of_shop || ' ' || of_endpoint || ' ' || of_object, 7361950032)
$$`,
  // Puts those that are joining in line, and makes the first the front if there is none. Its caller has the lock.
  `CREATE FUNCTION designwire.line_up(of_shop text, of_endpoint text, of_object text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE designwire.deliveries SET queue = 'behind'
  WHERE shop = of_shop AND endpoint_id = of_endpoint AND object = of_object AND queue = 'joining';
  IF EXISTS (
    SELECT FROM designwire.deliveries
    WHERE shop = of_shop AND endpoint_id = of_endpoint AND object = of_object AND queue <> 'behind'
  ) THEN RETURN false; END IF;
  UPDATE designwire.deliveries d SET queue = CASE
    WHEN NOT (s.plan IN ('pro', 'plus') AND (d.test OR e.status = 'active')) THEN 'suspended'
    WHEN d.next_attempt_at > d.created_at THEN 'scheduled' ELSE 'due'
  END
  FROM designwire.endpoints e, designwire.shops s
  WHERE e.shop = of_shop AND e.id = of_endpoint AND s.id = of_shop AND d.shop = of_shop AND d.id = (
    SELECT f.id FROM designwire.deliveries f LEFT JOIN designwire.events ev ON ev.shop = f.shop AND ev.id = f.event_id
    WHERE f.shop = of_shop AND f.endpoint_id = of_endpoint AND f.object = of_object AND f.queue = 'behind'
    ORDER BY f.place, ev.position, f.id LIMIT 1
  );
  RETURN FOUND;
END $$`,
  // Lines up joining deliveries of at most `most` objects, and returns the shops that have a new front. It waits for
  // nobody: what others have locked is left for later, and a changed endpoint for the end of the change.
  `CREATE FUNCTION designwire.line_up_joining(of_shop text, most integer) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line record;
  done integer := 0;
BEGIN
  FOR line IN
    SELECT DISTINCT d.shop, d.endpoint_id, d.object FROM designwire.deliveries d
    WHERE d.queue = 'joining' AND (of_shop IS NULL OR d.shop = of_shop)
  LOOP
    EXIT WHEN done >= most;
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(designwire.line_lock(line.shop, line.endpoint_id, line.object));
    PERFORM FROM designwire.endpoints e WHERE e.shop = line.shop AND e.id = line.endpoint_id FOR KEY SHARE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    done := done + 1;
    IF designwire.line_up(line.shop, line.endpoint_id, line.object) THEN RETURN NEXT line.shop; END IF;
  END LOOP;
END $$`,
  // Whatever ends a pending delivery of a line, a host of an earlier version included, lets the line continue.
  `CREATE FUNCTION designwire.line_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(designwire.line_lock(OLD.shop, OLD.endpoint_id, OLD.object));
  PERFORM designwire.line_up(OLD.shop, OLD.endpoint_id, OLD.object);
  RETURN NULL;
END $$`,
  `CREATE TRIGGER line_goes_on AFTER UPDATE OF queue ON designwire.deliveries FOR EACH ROW
WHEN (OLD.object IS NOT NULL AND OLD.queue IS NOT NULL AND NEW.queue IS NULL) EXECUTE FUNCTION designwire.line_goes_on()`,
]

/** The indexes of lines. Deliveries of endpoints without an order are in none of them. */
export const orderingIndexes: ReadonlyArray<string> = [
  "CREATE INDEX IF NOT EXISTS deliveries_of_object ON designwire.deliveries (shop, endpoint_id, object, place) " +
    "WHERE object IS NOT NULL AND queue IS NOT NULL",
  "CREATE INDEX IF NOT EXISTS deliveries_joining ON designwire.deliveries (shop, endpoint_id, object) " +
    "WHERE queue = 'joining'",
  "CREATE INDEX IF NOT EXISTS deliveries_behind ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) " +
    "WHERE queue IN ('behind', 'joining')",
]
