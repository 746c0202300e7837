BEGIN;
SELECT pg_advisory_xact_lock(7361950021);
-- 1_baseline
CREATE SCHEMA IF NOT EXISTS "designwire";
CREATE TABLE IF NOT EXISTS designwire.migrations (
  migration_id integer PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL
);
INSERT INTO designwire.migrations (migration_id, name) VALUES (1, 'baseline');
CREATE TABLE designwire.shops (
  id text COLLATE "C" PRIMARY KEY,
  domain text NOT NULL,
  currency text NOT NULL,
  plan text NOT NULL,
  rounding_step bigint NOT NULL,
  image_base text NOT NULL
);
CREATE TABLE designwire.removed_shops (
  shop text COLLATE "C" PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL
);
CREATE TABLE designwire.tokens (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  hint text NOT NULL,
  digest text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  PRIMARY KEY (shop, id)
);
CREATE UNIQUE INDEX tokens_digest ON designwire.tokens (digest);
CREATE UNLOGGED TABLE designwire.rate_windows (
  shop text COLLATE "C" NOT NULL,
  token_id text COLLATE "C" NOT NULL,
  accepted bigint[] NOT NULL,
  granted integer NOT NULL,
  PRIMARY KEY (shop, token_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.5, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE designwire.customizers (
  shop text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  title text NOT NULL,
  platform_product_id text NOT NULL,
  asset_base text NOT NULL,
  -- The published version, null before the first
  version integer,
  PRIMARY KEY (shop, id)
);
CREATE TABLE designwire.customizer_versions (
  shop text COLLATE "C" NOT NULL,
  customizer_id bigint NOT NULL,
  version integer NOT NULL,
  definition text NOT NULL,
  published_at timestamptz(3) NOT NULL,
  -- Of the definition, so that a host need not read a definition that it holds already
  digest text NOT NULL DEFAULT '',
  PRIMARY KEY (shop, customizer_id, version)
);
CREATE TABLE designwire.designs (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  order_id text COLLATE "C",
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The bytes that reads and webhooks send
  wire text NOT NULL,
  etag text NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (shop, id)
);
CREATE INDEX designs_of_order ON designwire.designs (shop, order_id, position) WHERE order_id IS NOT NULL;
CREATE TABLE designwire.orders (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  ordered_at timestamptz(3) NOT NULL,
  -- The bytes before those of the designs
  head text NOT NULL,
  etag text NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (shop, id)
);
CREATE INDEX orders_newest ON designwire.orders (shop, ordered_at DESC, id DESC);
CREATE TABLE designwire.order_counts (
  shop text COLLATE "C" NOT NULL,
  -- An hour, day or month in UTC, which begins at since, or all
  unit text COLLATE "C" NOT NULL,
  since timestamp NOT NULL,
  orders integer NOT NULL,
  PRIMARY KEY (shop, unit, since)
);
CREATE TABLE designwire.uncounted_orders (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  ordered_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE FUNCTION designwire.refuse_stale() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Another change came between' USING ERRCODE = 'serialization_failure';
END $$;
CREATE TABLE designwire.endpoints (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  kinds text[] NOT NULL,
  status text NOT NULL,
  consecutive_failures integer NOT NULL,
  switched_off_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  -- Sealed with an encryption key of the installation
  secret text NOT NULL,
  -- Whether the last attempt succeeded promptly
  proven boolean NOT NULL DEFAULT false,
  -- When the secret took the place of another, null for the first
  secret_since timestamptz(3),
  -- The secret, sealed, that takes its place at rotates_at
  new_secret text,
  rotates_at timestamptz(3),
  standard_webhooks boolean NOT NULL DEFAULT false,
  PRIMARY KEY (shop, id)
);
CREATE INDEX endpoints_switched_off ON designwire.endpoints (shop, id) WHERE status = 'switched_off';
CREATE SEQUENCE designwire.feed_positions;
SELECT setval('designwire.feed_positions', 1);
CREATE TABLE designwire.events (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  event text NOT NULL,
  test boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The bytes that are delivered
  body text NOT NULL,
  -- The place in the feed (Feed.ts)
  position bigint NOT NULL DEFAULT nextval('designwire.feed_positions'),
  PRIMARY KEY (shop, id)
);
CREATE INDEX events_oldest ON designwire.events (shop, created_at, id);
CREATE INDEX events_feed ON designwire.events (shop, event, position) WHERE NOT test;
CREATE TABLE designwire.dropped_events (
  shop text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL
);
CREATE TABLE designwire.received (
  shop text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (shop, event_id, endpoint_id)
);
CREATE TABLE designwire.deliveries (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event text NOT NULL,
  test boolean NOT NULL,
  status text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  claim_token text,
  attempts integer NOT NULL,
  -- The queue of a pending delivery (DeliveryRules.ts), null once it is finished
  queue text,
  -- The attempts, in order, as objects
  attempt_log jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (shop, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX deliveries_due ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) WHERE queue = 'due';
CREATE INDEX deliveries_probation ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) WHERE queue = 'probation';
CREATE INDEX deliveries_scheduled ON designwire.deliveries (next_attempt_at) WHERE queue = 'scheduled';
CREATE INDEX deliveries_not_due ON designwire.deliveries (shop, endpoint_id) WHERE queue IN ('scheduled', 'suspended');
CREATE INDEX deliveries_log ON designwire.deliveries (shop, endpoint_id, created_at, id) INCLUDE (queue);
CREATE INDEX deliveries_of_event ON designwire.deliveries (shop, event_id)
WHERE id <> 'dlv_' || substr(event_id, 5) || substr(endpoint_id, 5);
CREATE TABLE designwire.notices (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  body text NOT NULL,
  -- Null once it was sent or given up
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  claim_token text,
  attempts integer NOT NULL,
  PRIMARY KEY (shop, id)
);
CREATE INDEX notices_newest ON designwire.notices (shop, created_at, id);
CREATE INDEX notices_due ON designwire.notices (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
COMMIT;

INSERT INTO designwire.customizer_versions (shop, customizer_id, version, definition, published_at, digest) VALUES ('acme', '101', '1', '{"schemaVersion":1,"steps":[{"id":"metal","title":"Metal","view":"front"},{"id":"stone","title":"Stone","view":"front"},{"id":"engraving","title":"Engraving","view":"inside","printAreas":[{"id":"band","x":40,"y":310,"width":720,"height":60}]}],"questions":[{"id":"metal","step":"metal","title":"Metal","type":"single","required":true,"productionKey":"METAL","answers":[{"id":"silver","title":"Sterling silver","productionCode":"AG925","price":0,"layers":[{"view":"front","path":"metal/silver.png"},{"view":"inside","path":"inside/silver.png"}]},{"id":"gold14","title":"Yellow gold 14k","orderValue":"14k yellow gold","productionCode":"AU585Y","price":38900,"variantId":"gid://platform/ProductVariant/44120001","layers":[{"view":"front","path":"metal/gold14.png"}]},{"id":"plat","title":"Platinum","productionCode":"PT950","price":71500,"variantId":"gid://platform/ProductVariant/44120002","layers":[{"view":"front","path":"metal/plat.png"}]}]},{"id":"size","step":"metal","title":"Ring size","orderKey":"Size (EU)","type":"single","required":true,"productionKey":"SIZE","answers":[{"id":"s52","title":"52","productionCode":"52"},{"id":"s54","title":"54","productionCode":"54"},{"id":"s56","title":"56","productionCode":"56"},{"id":"s68","title":"68","productionCode":"68","price":1900}]},{"id":"stones","step":"stone","title":"Stones","type":"multiple","min":1,"max":3,"productionKey":"STONES","answers":[{"id":"ruby","title":"Ruby","productionCode":"ST-RB","price":4500},{"id":"onyx","title":"Onyx","productionCode":"ST-ON","price":2100},{"id":"opal","title":"Opal","productionCode":"ST-OP","price":3300},{"id":"none","title":"Plain","productionCode":"ST-00","price":-500}]},{"id":"engrave","step":"engraving","title":"Engraving","type":"single","required":true,"productionKey":"ENGRAVE","answers":[{"id":"no","title":"No engraving","productionCode":"E0"},{"id":"text","title":"Text","productionCode":"E1","price":900},{"id":"fingerprint","title":"Fingerprint","productionCode":"E2","price":4900}]},{"id":"line","step":"engraving","title":"Engraved line","type":"text","hidden":true,"required":true,"maxLength":24,"productionKey":"TEXT","printArea":"band"},{"id":"font","step":"engraving","title":"Typeface","type":"single","hidden":true,"required":true,"productionKey":"FONT","answers":[{"id":"serif","title":"Garamond","productionCode":"F-GAR"},{"id":"script","title":"Script","productionCode":"F-SCR","price":300}]},{"id":"print","step":"engraving","title":"Fingerprint photo","type":"upload","hidden":true,"required":true,"productionKey":"PRINT","price":1200,"printArea":"band"}],"rules":[{"id":"r-text","when":{"question":"engrave","is":"text"},"show":["line","font"]},{"id":"r-print","when":{"question":"engrave","is":"fingerprint"},"show":["print"]},{"id":"r-plat-big","when":{"all":[{"question":"metal","is":"plat"},{"question":"size","is":"s68"}]},"disable":[{"question":"engrave","answers":["fingerprint"]}]},{"id":"r-plain","when":{"question":"stones","is":"none"},"disable":[{"question":"engrave","answers":["fingerprint"]}]}]}', '2026-11-20 09:30:00+00', 'dbDlY8rUptDTdhFs44ekGA');
INSERT INTO designwire.customizers (shop, id, title, platform_product_id, asset_base, version) VALUES ('acme', '101', 'Signet ring', 'gid://platform/Product/8120001', 'https://assets.example.com/c/101/', '1');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0350n660SBXYdNza6GGmVy0350n660P4gE3RUzJGaAKe', 'whe_0350n660P4gE3RUzJGaAKe', 'evt_0350n660SBXYdNza6GGmVy', 'design.ordered', 'false', 'pending', '2026-11-20 09:30:00+00', '2026-11-21 20:30:00+00', NULL, NULL, '6', 'suspended', '[{"at": 1795167000000, "error": null, "number": 1, "durationMs": 0, "statusCode": 500, "responseStart": "down"}, {"at": 1795170600000, "error": null, "number": 2, "durationMs": 0, "statusCode": 500, "responseStart": "down"}, {"at": 1795174200000, "error": null, "number": 3, "durationMs": 0, "statusCode": 500, "responseStart": "down"}, {"at": 1795177800000, "error": null, "number": 4, "durationMs": 0, "statusCode": 500, "responseStart": "down"}, {"at": 1795185000000, "error": null, "number": 5, "durationMs": 0, "statusCode": 500, "responseStart": "down"}, {"at": 1795206600000, "error": null, "number": 6, "durationMs": 0, "statusCode": 500, "responseStart": "down"}]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPu4YUJeaKUc4bIE0350n660QlmzqFyIvEbZIS', 'whe_0350n660QlmzqFyIvEbZIS', 'evt_0351jznPu4YUJeaKUc4bIE', 'design.created', 'false', 'succeeded', '2026-11-22 01:30:00+00', NULL, NULL, NULL, '1', NULL, '[{"at": 1795311000000, "error": null, "number": 1, "durationMs": 0, "statusCode": 200, "responseStart": "received"}]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPw7cTgl5Aj2WLko0350n660QlmzqFyIvEbZIS', 'whe_0350n660QlmzqFyIvEbZIS', 'evt_0351jznPw7cTgl5Aj2WLko', 'design.ordered', 'false', 'succeeded', '2026-11-22 01:30:00+00', NULL, NULL, NULL, '1', NULL, '[{"at": 1795311000000, "error": null, "number": 1, "durationMs": 0, "statusCode": 200, "responseStart": "received"}]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPw7cTgl5Aj2WLko0351jznPuj9dTaNtJxPYEv', 'whe_0351jznPuj9dTaNtJxPYEv', 'evt_0351jznPw7cTgl5Aj2WLko', 'design.ordered', 'false', 'pending', '2026-11-22 01:30:00+00', '2026-11-22 01:31:00+00', NULL, NULL, '1', 'scheduled', '[{"at": 1795311000000, "error": null, "number": 1, "durationMs": 0, "statusCode": 500, "responseStart": "down"}]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPwxOc2WPt5YSvlO0350n660QlmzqFyIvEbZIS', 'whe_0350n660QlmzqFyIvEbZIS', 'evt_0351jznPwxOc2WPt5YSvlO', 'design.ordered', 'false', 'pending', '2026-11-22 01:30:00+00', '2026-11-22 01:30:00+00', NULL, NULL, '0', 'due', '[]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPwxOc2WPt5YSvlO0351jznPuj9dTaNtJxPYEv', 'whe_0351jznPuj9dTaNtJxPYEv', 'evt_0351jznPwxOc2WPt5YSvlO', 'design.ordered', 'false', 'pending', '2026-11-22 01:30:00+00', '2026-11-22 01:30:00+00', NULL, NULL, '0', 'probation', '[]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPwxOc2WPt5YSvlO0351jznPvjgJrmuRYqPPtV', 'whe_0351jznPvjgJrmuRYqPPtV', 'evt_0351jznPwxOc2WPt5YSvlO', 'design.ordered', 'false', 'pending', '2026-11-22 01:30:00+00', '2026-11-22 01:30:00+00', NULL, NULL, '0', 'probation', '[]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPwxOc2WPt5YSvlO0351jznPzaeKmLwpyyf1Cs', 'whe_0351jznPzaeKmLwpyyf1Cs', 'evt_0351jznPwxOc2WPt5YSvlO', 'design.ordered', 'false', 'pending', '2026-11-22 01:30:00+00', '2026-11-22 01:30:00+00', NULL, NULL, '0', 'probation', '[]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPxB8nWSofKidoOT0350n660QlmzqFyIvEbZIS', 'whe_0350n660QlmzqFyIvEbZIS', 'evt_0351jznPxB8nWSofKidoOT', 'design.created', 'false', 'succeeded', '2026-11-22 01:30:00+00', NULL, NULL, NULL, '1', NULL, '[{"at": 1795311000000, "error": null, "number": 1, "durationMs": 0, "statusCode": 200, "responseStart": "received"}]');
INSERT INTO designwire.deliveries (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, leased_until, claim_token, attempts, queue, attempt_log) VALUES ('acme', 'dlv_0351jznPzgxP62Xwu4DCEk0350n660QlmzqFyIvEbZIS', 'whe_0350n660QlmzqFyIvEbZIS', 'evt_0351jznPzgxP62Xwu4DCEk', 'design.created', 'false', 'pending', '2026-11-22 01:30:00+00', '2026-11-22 01:30:00+00', NULL, NULL, '0', 'due', '[]');
INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision) VALUES ('acme', 'a', 'cancelled', '1001', '0', '2026-11-20 09:30:00+00', '{"id":"a","status":"cancelled","customizer":{"id":101,"title":"Signet ring","version":1},"order":{"id":"1001","name":"#1001","lineItemId":"line-of-a"},"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/a/front.png","inside":"https://images.example.com/i/designs/a/inside.png"},"thumbnail":"https://images.example.com/i/designs/a/front_thumb.png","createdAt":"2026-11-20T09:30:00.000+00:00","orderedAt":"2026-10-05T14:48:00.000+00:00"}', '118F7OJvFXhgDA3YGIeXwQ', '3');
INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision) VALUES ('acme', 'b', 'cancelled', '1001', '1', '2026-11-20 09:30:00+00', '{"id":"b","status":"cancelled","customizer":{"id":101,"title":"Signet ring","version":1},"order":{"id":"1001","name":"#1001","lineItemId":"line-of-b"},"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/b/front.png","inside":"https://images.example.com/i/designs/b/inside.png"},"thumbnail":"https://images.example.com/i/designs/b/front_thumb.png","createdAt":"2026-11-20T09:30:00.000+00:00","orderedAt":"2026-10-05T14:48:00.000+00:00"}', 'ewldMSpRVn_APnJq9QDE3w', '3');
INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision) VALUES ('acme', 'c', 'ordered', '1002', '0', '2026-11-22 01:30:00+00', '{"id":"c","status":"ordered","customizer":{"id":101,"title":"Signet ring","version":1},"order":{"id":"1002","name":"#1002","lineItemId":"line-of-c"},"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/c/front.png","inside":"https://images.example.com/i/designs/c/inside.png"},"thumbnail":"https://images.example.com/i/designs/c/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":"2026-10-06T14:48:00.000+00:00"}', 'ILnenXF4BNFIgTlPsUhY5A', '2');
INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision) VALUES ('acme', 'd', 'ordered', '1003', '0', '2026-11-22 01:30:00+00', '{"id":"d","status":"ordered","customizer":{"id":101,"title":"Signet ring","version":1},"order":{"id":"1003","name":"#1003","lineItemId":"line-of-d"},"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/d/front.png","inside":"https://images.example.com/i/designs/d/inside.png"},"thumbnail":"https://images.example.com/i/designs/d/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":"2026-10-07T14:48:00.000+00:00"}', 'BM6CQDhcxLwrzHEOUQLVQQ', '2');
INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision) VALUES ('acme', 'draft', 'draft', NULL, '0', '2026-11-22 01:30:00+00', '{"id":"draft","status":"draft","customizer":{"id":101,"title":"Signet ring","version":1},"order":null,"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/draft/front.png","inside":"https://images.example.com/i/designs/draft/inside.png"},"thumbnail":"https://images.example.com/i/designs/draft/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":null}', 'Lzabx-nCP9F9RC_EyKBljw', '1');
INSERT INTO designwire.dropped_events (shop, position) VALUES ('acme', '6');
INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, switched_off_at, created_at, secret, proven, secret_since, new_secret, rotates_at, standard_webhooks) VALUES ('acme', 'whe_0350n660P4gE3RUzJGaAKe', 'https://off.example.com/hook', 'off.example.com', '{design.ordered,order.cancelled}', 'switched_off', '20', '2026-11-21 20:30:00+00', '2026-11-20 09:30:00+00', '2.tACLg7lurbRPce4GfwC26DmToNo22j04NJWqKUqnJ8cODjbbvccOARgHF/SreXr44aCoNfkQc7v3cmKinhbQq/KlV3IuRzBFjYCFAO5Y', 'false', NULL, NULL, NULL, 'false');
INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, switched_off_at, created_at, secret, proven, secret_since, new_secret, rotates_at, standard_webhooks) VALUES ('acme', 'whe_0350n660QlmzqFyIvEbZIS', 'https://proven.example.com/hook', 'proven.example.com', '{design.ordered,order.cancelled,design.created}', 'active', '0', NULL, '2026-11-20 09:30:00+00', '2.au/0kF62FMoYW4LbW1N80cSweCCTDtXfjRr60R1GZvO16N7cvairZQ7uVwvz7DF4wTJk64+bYSC8Ov15wPBHyOayUB5R+VUp9Se96pfJ', 'true', NULL, NULL, NULL, 'false');
INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, switched_off_at, created_at, secret, proven, secret_since, new_secret, rotates_at, standard_webhooks) VALUES ('acme', 'whe_0351jznPuj9dTaNtJxPYEv', 'https://retried.example.com/hook', 'retried.example.com', '{design.ordered,order.cancelled}', 'active', '1', NULL, '2026-11-22 01:30:00+00', '2.5rZ5TnCnr+TqFOzxC48QPfK/SLCCnUFaw514PXEtrIhqtrmBukauTbv58nPxlwtDqWPbdf0OQ6/Uk87YEFyJZkkFei6s6ZM4QkZPeVhz', 'false', NULL, NULL, NULL, 'false');
INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, switched_off_at, created_at, secret, proven, secret_since, new_secret, rotates_at, standard_webhooks) VALUES ('acme', 'whe_0351jznPvjgJrmuRYqPPtV', 'https://standard.example.com/hook', 'standard.example.com', '{design.ordered,order.cancelled}', 'active', '0', NULL, '2026-11-22 01:30:00+00', '2.3wfYWoLZW/CbIU2bXBfSWVmkQodu6HnhLpDDid2rCvaJKl5nOb9Y5+PuXDIOlavLcqNmdF/+gicUb2FckUcyUlrgPPw18D0fM2AmeDeS', 'false', NULL, NULL, NULL, 'true');
INSERT INTO designwire.endpoints (shop, id, url, description, kinds, status, consecutive_failures, switched_off_at, created_at, secret, proven, secret_since, new_secret, rotates_at, standard_webhooks) VALUES ('acme', 'whe_0351jznPzaeKmLwpyyf1Cs', 'https://rotating.example.com/hook', 'rotating.example.com', '{design.ordered,order.cancelled}', 'active', '0', NULL, '2026-11-22 01:30:00+00', '2.0OKqtvjX5olUkdIqIPVfRVULwuiZXLgXjfCHVy9Tl3rs2unFs/A4Gw1I/+nsd60RtvdVlAT0LHP9vmXyNsKBlRKDTyi87bvQuVSuMYSR', 'false', NULL, '2.gUKqB9f3nUip0CItrvim6+exMRw/wOc0F/mqSaBJecZVXDNI2p3kpUDrna0y4UV4lZPKS3f24V7uT8qBZbLcDpGGWZSn134dImSfXauT', '2026-11-29 01:30:00+00', 'false');
INSERT INTO designwire.events (shop, id, event, test, created_at, body, position) VALUES ('acme', 'evt_0350n660SBXYdNza6GGmVy', 'design.ordered', 'false', '2026-11-20 09:30:00+00', '{"id":"evt_0350n660SBXYdNza6GGmVy","event":"design.ordered","apiVersion":"2026-10","createdAt":"2026-11-20T09:30:00.000+00:00","shop":"shop.example.com","data":{"design":{"id":"b","status":"ordered","customizer":{"id":101,"title":"Signet ring","version":1},"order":{"id":"1001","name":"#1001","lineItemId":"line-of-b"},"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/b/front.png","inside":"https://images.example.com/i/designs/b/inside.png"},"thumbnail":"https://images.example.com/i/designs/b/front_thumb.png","createdAt":"2026-11-20T09:30:00.000+00:00","orderedAt":"2026-10-05T14:48:00.000+00:00"}},"test":false}', '5');
INSERT INTO designwire.events (shop, id, event, test, created_at, body, position) VALUES ('acme', 'evt_0351jznPu4YUJeaKUc4bIE', 'design.created', 'false', '2026-11-22 01:30:00+00', '{"id":"evt_0351jznPu4YUJeaKUc4bIE","event":"design.created","apiVersion":"2026-10","createdAt":"2026-11-22T01:30:00.000+00:00","shop":"shop.example.com","data":{"design":{"id":"c","status":"draft","customizer":{"id":101,"title":"Signet ring","version":1},"order":null,"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/c/front.png","inside":"https://images.example.com/i/designs/c/inside.png"},"thumbnail":"https://images.example.com/i/designs/c/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":null}},"test":false}', '8');
INSERT INTO designwire.events (shop, id, event, test, created_at, body, position) VALUES ('acme', 'evt_0351jznPw7cTgl5Aj2WLko', 'design.ordered', 'false', '2026-11-22 01:30:00+00', '{"id":"evt_0351jznPw7cTgl5Aj2WLko","event":"design.ordered","apiVersion":"2026-10","createdAt":"2026-11-22T01:30:00.000+00:00","shop":"shop.example.com","data":{"design":{"id":"c","status":"ordered","customizer":{"id":101,"title":"Signet ring","version":1},"order":{"id":"1002","name":"#1002","lineItemId":"line-of-c"},"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/c/front.png","inside":"https://images.example.com/i/designs/c/inside.png"},"thumbnail":"https://images.example.com/i/designs/c/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":"2026-10-06T14:48:00.000+00:00"}},"test":false}', '9');
INSERT INTO designwire.events (shop, id, event, test, created_at, body, position) VALUES ('acme', 'evt_0351jznPwxOc2WPt5YSvlO', 'design.ordered', 'false', '2026-11-22 01:30:00+00', '{"id":"evt_0351jznPwxOc2WPt5YSvlO","event":"design.ordered","apiVersion":"2026-10","createdAt":"2026-11-22T01:30:00.000+00:00","shop":"shop.example.com","data":{"design":{"id":"d","status":"ordered","customizer":{"id":101,"title":"Signet ring","version":1},"order":{"id":"1003","name":"#1003","lineItemId":"line-of-d"},"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/d/front.png","inside":"https://images.example.com/i/designs/d/inside.png"},"thumbnail":"https://images.example.com/i/designs/d/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":"2026-10-07T14:48:00.000+00:00"}},"test":false}', '11');
INSERT INTO designwire.events (shop, id, event, test, created_at, body, position) VALUES ('acme', 'evt_0351jznPxB8nWSofKidoOT', 'design.created', 'false', '2026-11-22 01:30:00+00', '{"id":"evt_0351jznPxB8nWSofKidoOT","event":"design.created","apiVersion":"2026-10","createdAt":"2026-11-22T01:30:00.000+00:00","shop":"shop.example.com","data":{"design":{"id":"draft","status":"draft","customizer":{"id":101,"title":"Signet ring","version":1},"order":null,"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/draft/front.png","inside":"https://images.example.com/i/designs/draft/inside.png"},"thumbnail":"https://images.example.com/i/designs/draft/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":null}},"test":false}', '7');
INSERT INTO designwire.events (shop, id, event, test, created_at, body, position) VALUES ('acme', 'evt_0351jznPzgxP62Xwu4DCEk', 'design.created', 'false', '2026-11-22 01:30:00+00', '{"id":"evt_0351jznPzgxP62Xwu4DCEk","event":"design.created","apiVersion":"2026-10","createdAt":"2026-11-22T01:30:00.000+00:00","shop":"shop.example.com","data":{"design":{"id":"d","status":"draft","customizer":{"id":101,"title":"Signet ring","version":1},"order":null,"selection":{"metal":"silver","size":"s54","engrave":"no"},"summary":[{"key":"Metal","value":"Sterling silver"},{"key":"Size (EU)","value":"54"},{"key":"Engraving","value":"No engraving"}],"productionData":[{"key":"METAL","value":"AG925","ref":{"questionId":"metal","answerId":"silver"}},{"key":"SIZE","value":"54","ref":{"questionId":"size","answerId":"s54"}},{"key":"ENGRAVE","value":"E0","ref":{"questionId":"engrave","answerId":"no"}}],"price":{"base":12900,"lines":[],"rounding":0,"total":12900,"currency":"EUR"},"images":{"front":"https://images.example.com/i/designs/d/front.png","inside":"https://images.example.com/i/designs/d/inside.png"},"thumbnail":"https://images.example.com/i/designs/d/front_thumb.png","createdAt":"2026-11-22T01:30:00.000+00:00","orderedAt":null}},"test":false}', '10');
INSERT INTO designwire.notices (shop, id, created_at, body, next_attempt_at, leased_until, claim_token, attempts) VALUES ('acme', 'ntc_0350n660PEmqdDIXWxN0zg0350n660P4gE3RUzJGaAKe_4f', '2026-11-20 12:30:00+00', '{"id":"ntc_0350n660PEmqdDIXWxN0zg0350n660P4gE3RUzJGaAKe_4f","notice":"endpoint.failing","createdAt":"2026-11-20T12:30:00.000+00:00","shop":"acme","endpoint":{"id":"whe_0350n660P4gE3RUzJGaAKe","url":"https://off.example.com/hook","consecutiveFailures":10},"delivery":{"id":"dlv_0350n660PEmqdDIXWxN0zg0350n660P4gE3RUzJGaAKe","event":"design.ordered","attempts":4,"statusCode":500,"error":null}}', '2026-11-20 12:30:00+00', NULL, NULL, '0');
INSERT INTO designwire.notices (shop, id, created_at, body, next_attempt_at, leased_until, claim_token, attempts) VALUES ('acme', 'ntc_0350n660PEmqdDIXWxN0zg0350n660P4gE3RUzJGaAKe_7g', '2026-11-21 20:30:00+00', '{"id":"ntc_0350n660PEmqdDIXWxN0zg0350n660P4gE3RUzJGaAKe_7g","notice":"delivery.given_up","createdAt":"2026-11-21T20:30:00.000+00:00","shop":"acme","endpoint":{"id":"whe_0350n660P4gE3RUzJGaAKe","url":"https://off.example.com/hook","consecutiveFailures":19},"delivery":{"id":"dlv_0350n660PEmqdDIXWxN0zg0350n660P4gE3RUzJGaAKe","event":"design.ordered","attempts":7,"statusCode":500,"error":null}}', '2026-11-21 20:30:00+00', NULL, NULL, '0');
INSERT INTO designwire.notices (shop, id, created_at, body, next_attempt_at, leased_until, claim_token, attempts) VALUES ('acme', 'ntc_0350n660PjhHYxUg1ScQHl0350n660P4gE3RUzJGaAKe_7g', '2026-11-21 20:30:00+00', '{"id":"ntc_0350n660PjhHYxUg1ScQHl0350n660P4gE3RUzJGaAKe_7g","notice":"delivery.given_up","createdAt":"2026-11-21T20:30:00.000+00:00","shop":"acme","endpoint":{"id":"whe_0350n660P4gE3RUzJGaAKe","url":"https://off.example.com/hook","consecutiveFailures":20},"delivery":{"id":"dlv_0350n660PjhHYxUg1ScQHl0350n660P4gE3RUzJGaAKe","event":"order.cancelled","attempts":7,"statusCode":500,"error":null}}', '2026-11-21 20:30:00+00', NULL, NULL, '0');
INSERT INTO designwire.notices (shop, id, created_at, body, next_attempt_at, leased_until, claim_token, attempts) VALUES ('acme', 'ntc_0350n660PjhHYxUg1ScQHl0350n660P4gE3RUzJGaAKe_7o', '2026-11-21 20:30:00+00', '{"id":"ntc_0350n660PjhHYxUg1ScQHl0350n660P4gE3RUzJGaAKe_7o","notice":"endpoint.switched_off","createdAt":"2026-11-21T20:30:00.000+00:00","shop":"acme","endpoint":{"id":"whe_0350n660P4gE3RUzJGaAKe","url":"https://off.example.com/hook","consecutiveFailures":20},"delivery":{"id":"dlv_0350n660PjhHYxUg1ScQHl0350n660P4gE3RUzJGaAKe","event":"order.cancelled","attempts":7,"statusCode":500,"error":null}}', '2026-11-21 20:30:00+00', NULL, NULL, '0');
INSERT INTO designwire.order_counts (shop, unit, since, orders) VALUES ('acme', 'all', '-infinity', '1');
INSERT INTO designwire.order_counts (shop, unit, since, orders) VALUES ('acme', 'day', '2026-10-05 00:00:00', '1');
INSERT INTO designwire.order_counts (shop, unit, since, orders) VALUES ('acme', 'hour', '2026-10-05 14:00:00', '1');
INSERT INTO designwire.order_counts (shop, unit, since, orders) VALUES ('acme', 'month', '2026-10-01 00:00:00', '1');
INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision) VALUES ('acme', '1001', '2026-10-05 14:48:00+00', '{"id":"1001","name":"#1001","status":"cancelled","currency":"EUR","total":25800,"orderedAt":"2026-10-05T14:48:00.000+00:00","designs":[', 'SlWZIHlkMJ-5MsGOWL4-sQ', '2');
INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision) VALUES ('acme', '1002', '2026-10-06 14:48:00+00', '{"id":"1002","name":"#1002","status":"ordered","currency":"EUR","total":12900,"orderedAt":"2026-10-06T14:48:00.000+00:00","designs":[', 'W8PI7rX_ElPY-7uvGzn6SA', '1');
INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision) VALUES ('acme', '1003', '2026-10-07 14:48:00+00', '{"id":"1003","name":"#1003","status":"ordered","currency":"EUR","total":12900,"orderedAt":"2026-10-07T14:48:00.000+00:00","designs":[', '191Q3w-6OZdHhvkEVd-CNQ', '1');
INSERT INTO designwire.rate_windows (shop, token_id, accepted, granted) VALUES ('acme', 'tok_0350n660P2ctZDRCc6nGYi', '{1795311000000,1795311000000,1795311000000,1795311000000,1795311000000,1795311000000,1795311000000,1795311000000,1795311000000,1795311000000}', '1');
INSERT INTO designwire.received (shop, event_id, endpoint_id) VALUES ('acme', 'evt_0350n660SBXYdNza6GGmVy', 'whe_0350n660QlmzqFyIvEbZIS');
INSERT INTO designwire.removed_shops (shop, removed_at) VALUES ('gone', '2026-11-22 01:30:00+00');
INSERT INTO designwire.shops (id, domain, currency, plan, rounding_step, image_base) VALUES ('acme', 'shop.example.com', 'EUR', 'pro', '1', 'https://images.example.com/i');
INSERT INTO designwire.tokens (shop, id, name, hint, digest, created_at, last_used_at) VALUES ('acme', 'tok_0350n660P2ctZDRCc6nGYi', 'Test', 'm9eM', 'd2f6268de3422a619799b578ffdf10c5d8f61de5d6533d7c8c46d798229ffb98', '2026-11-20 09:30:00+00', '2026-11-22 01:30:00+00');
INSERT INTO designwire.uncounted_orders (shop, id, ordered_at) VALUES ('acme', '1002', '2026-10-06 14:48:00+00');
INSERT INTO designwire.uncounted_orders (shop, id, ordered_at) VALUES ('acme', '1003', '2026-10-07 14:48:00+00');
SELECT setval('designwire.feed_positions', 11);
