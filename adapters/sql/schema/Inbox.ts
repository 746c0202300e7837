/** Events that shop platforms send, and what became of them (D57). A body is dropped once its event is done. */
export const inbox: ReadonlyArray<string> = [
  `CREATE TABLE designwire.inbox (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  topic text NOT NULL,
  event_id text COLLATE "C",
  order_id text COLLATE "C",
  change text,
  modified_at timestamptz(3),
  content text COLLATE "C",
  property text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  body text,
  state text NOT NULL,
  reason text,
  design_id text COLLATE "C",
  PRIMARY KEY (shop, id)
)`,
  "CREATE UNIQUE INDEX inbox_event ON designwire.inbox (shop, source, event_id) WHERE event_id IS NOT NULL",
  "CREATE UNIQUE INDEX inbox_content ON designwire.inbox (shop, source, content) WHERE content IS NOT NULL",
  "CREATE INDEX inbox_order ON designwire.inbox (shop, order_id) WHERE order_id IS NOT NULL",
  "CREATE INDEX inbox_state ON designwire.inbox (shop, state, id)",
  "CREATE INDEX inbox_waiting ON designwire.inbox (shop, id) WHERE state = 'waiting'",
  "CREATE INDEX inbox_received ON designwire.inbox (shop, received_at)",
]

/** When a platform's message was triggered: it breaks ties of the time of modification, which has whole seconds. */
export const inboxTriggered = ["ALTER TABLE designwire.inbox ADD COLUMN triggered_at timestamptz(3)"]
