/** Which bucket a shop is in, and in which database each bucket is: pure, as hosts hold it in memory. */

/** A bucket: a whole schema of tables in one database. */
export interface Bucket {
  /** From 0. */
  readonly number: number
  /** The name of its database. */
  readonly database: string
  /** How often it has moved. */
  readonly epoch: number
}

/** A move of a shop, as hosts know it. */
export interface ShopOnMove {
  readonly source: number
  /** Whether the source refuses writes and the target is not open yet. */
  readonly isSwitching: boolean
}

/** The buckets of a deployment, the shops that are in another one than their hash says, and those that move. */
export class BucketMap {
  /** By number. */
  readonly all: ReadonlyArray<Bucket>
  readonly #exceptions: ReadonlyMap<string, number>
  readonly #moves: ReadonlyMap<string, ShopOnMove>
  /** The exceptions by their home, once somebody asks. */
  #away: ReadonlyMap<number, ReadonlyArray<string>> | undefined

  constructor(
    all: ReadonlyArray<Bucket>,
    exceptions: ReadonlyMap<string, number> = new Map(),
    moves: ReadonlyMap<string, ShopOnMove> = new Map(),
  ) {
    this.all = all
    this.#exceptions = exceptions
    this.#moves = moves
  }

  /** The bucket of a shop, whether or not the shop exists; `undefined` before the map was read. */
  of(shop: string): Bucket | undefined {
    return this.all[this.#exceptions.get(shop) ?? this.homeOf(shop)]
  }

  /** The number of the bucket that the hash of a shop names. It never changes. */
  homeOf(shop: string): number {
    return hashOf(shop) % this.all.length
  }

  /** The shops whose home is a bucket, but that are in another one. */
  awayFrom({ number }: Bucket): ReadonlyArray<string> {
    this.#away ??= Map.groupBy(this.#exceptions.keys(), (shop) => this.homeOf(shop))
    return (this.#away.get(number) ?? []).filter((shop) => this.#exceptions.get(shop) !== number)
  }

  /** The move of a shop: while there is one, only the directory knows its place. */
  moveOf(shop: string): ShopOnMove | undefined {
    return this.#moves.get(shop)
  }

  /** Whether a shop moves out of a bucket, which may refuse what concerns that shop. */
  isSource({ number }: Bucket): boolean {
    return [...this.#moves.values()].some(({ source }) => source === number)
  }
}

/** The 32-bit FNV-1a hash of a text in UTF-8. It decides the places of shops, so it never changes. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of utf8.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

const utf8 = new TextEncoder()

/** The schema of a bucket: `designwire_07`. All buckets of a deployment have names of one length. */
export const bucketSchema = (schema: string, bucket: number, count: number): string =>
  `${schema}_${bucketName(bucket, count)}`

/** A bucket as operators write it: `07`. */
export const bucketName = (bucket: number, count: number): string =>
  String(bucket).padStart(Math.max(2, String(count - 1).length), "0")
