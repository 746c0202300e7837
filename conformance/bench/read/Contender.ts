import type postgres from "postgres"

/** An order as columns. */
export interface ContenderOrder {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly currency: string
  readonly total: number
  readonly ordered_at: Date
}

/** A design of an order as columns. */
export interface ContenderDesign {
  readonly id: string
  readonly status: string
  readonly customizer_id: number
  readonly customizer_title: string
  readonly customizer_version: number
  readonly order_id: string
  readonly line_item_id: string
  readonly selection: unknown
  readonly summary: unknown
  readonly production_data: unknown
  readonly price: unknown
  readonly images: unknown
  readonly thumbnail: string
  readonly created_at: Date
}

/** Creates the tables of a typical design without Designwire, and copies a shop's orders and designs into them. */
export const copyToColumns = async (sql: postgres.Sql, shop: string): Promise<void> => {
  await sql`CREATE SCHEMA contender`
  await sql`CREATE TABLE contender.orders (
    shop text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, name text NOT NULL, status text NOT NULL,
    currency text NOT NULL, total integer NOT NULL, ordered_at timestamptz(3) NOT NULL, PRIMARY KEY (shop, id))`
  await sql`CREATE TABLE contender.designs (
    shop text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, status text NOT NULL, customizer_id integer NOT NULL,
    customizer_title text NOT NULL, customizer_version integer NOT NULL, order_id text COLLATE "C" NOT NULL,
    line_item_id text NOT NULL, position integer NOT NULL, selection jsonb NOT NULL, summary jsonb NOT NULL,
    production_data jsonb NOT NULL, price jsonb NOT NULL, images jsonb NOT NULL, thumbnail text NOT NULL,
    created_at timestamptz(3) NOT NULL, PRIMARY KEY (shop, id))`
  await sql`INSERT INTO contender.orders
    SELECT o.shop, o.id, w.j ->> 'name', w.j ->> 'status', w.j ->> 'currency', (w.j ->> 'total')::int, o.ordered_at
    FROM designwire.orders o CROSS JOIN LATERAL (SELECT (o.head || ']}')::jsonb AS j OFFSET 0) w WHERE o.shop = ${shop}`
  await sql`INSERT INTO contender.designs
    SELECT d.shop, d.id, d.status, (w.j #>> '{customizer,id}')::int, w.j #>> '{customizer,title}',
      (w.j #>> '{customizer,version}')::int, d.order_id, w.j #>> '{order,lineItemId}', d.position, w.j -> 'selection',
      w.j -> 'summary', w.j -> 'productionData', w.j -> 'price', w.j -> 'images', w.j ->> 'thumbnail', d.created_at
    FROM designwire.designs d CROSS JOIN LATERAL (SELECT d.wire::jsonb AS j OFFSET 0) w
    WHERE d.shop = ${shop} AND d.order_id IS NOT NULL`
  await sql`CREATE INDEX ON contender.orders (shop, ordered_at DESC, id DESC)`
  await sql`CREATE INDEX ON contender.designs (shop, order_id, position)`
}
