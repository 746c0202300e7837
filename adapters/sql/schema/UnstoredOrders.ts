/** What platforms have reported of orders that are not stored, for up to 24 hours (D50). */
export const unstoredOrders = [
  `CREATE TABLE designwire.unstored_orders (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  cancelled boolean NOT NULL,
  empty boolean NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (shop, id)
)`,
  "CREATE INDEX unstored_orders_ended ON designwire.unstored_orders (until)",
  // Locks an order's id until the transaction ends, and then looks. A query within a function sees what others have
  // committed meanwhile, so a new order and a report without it can't both come in unseen.
  `CREATE FUNCTION designwire.known_of_order(of_shop text, of_order text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(of_shop || ' ' || of_order, 7361950031));
  RETURN CASE
    WHEN EXISTS (SELECT FROM designwire.orders o WHERE o.shop = of_shop AND o.id = of_order) THEN 'order'
    WHEN EXISTS (SELECT FROM designwire.unstored_orders c WHERE c.shop = of_shop AND c.id = of_order) THEN 'report'
  END;
END $$`,
]
