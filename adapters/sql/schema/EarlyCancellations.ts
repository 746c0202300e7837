/** Cancellations that came before their orders, for up to 24 hours (D50). */
export const earlyCancellations = [
  `CREATE TABLE designwire.early_cancellations (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (shop, id)
)`,
  "CREATE INDEX early_cancellations_ended ON designwire.early_cancellations (until)",
  // Locks an order's id until the transaction ends, and then looks. A query within a function sees what others have
  // committed meanwhile, so a new order and its cancellation can't both come in unseen.
  `CREATE FUNCTION designwire.known_of_order(of_shop text, of_order text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(of_shop || ' ' || of_order, 7361950031));
  RETURN CASE
    WHEN EXISTS (SELECT FROM designwire.orders o WHERE o.shop = of_shop AND o.id = of_order) THEN 'order'
    WHEN EXISTS (SELECT FROM designwire.early_cancellations c WHERE c.shop = of_shop AND c.id = of_order) THEN 'cancellation'
  END;
END $$`,
]
