import { type RecordWithTtl, Resolver } from "node:dns"
import { readFile } from "node:fs"
import { isIP } from "node:net"
import { type Clock, Effect, Layer } from "effect"
import { HostLookup, LookupFailed } from "../../core/ports/HostLookup.ts"
import { BoundedMap } from "../../core/support/BoundedMap.ts"

/** The sources of names. */
export interface LookupOptions {
  /** DNS servers, `address` or `address:port` (`[address]:port` for IPv6). Default: the system's servers. */
  readonly servers?: ReadonlyArray<string>
  /** A file of addresses and names, read before asking the servers; `null` for none. Default: the system's file. */
  readonly hostsFile?: string | null
}

/** The most milliseconds for which answers and the hosts file are remembered (D36). */
const memory = 5_000
/** The number of names that are remembered. */
const maximumNames = 1_000
/** A server is asked twice; `timeout` is in milliseconds, and holds for the first time. */
const patience = { timeout: 1_000, maxTimeout: 1_500, tries: 2 }
/**
 * Milliseconds to wait for the second address family after the first has answered: some servers drop unknown questions.
 */
const grace = 1_000
/** Milliseconds after which a resolver is replaced: it uses the system's servers at its creation. */
const resolverLifetime = 30_000

const systemHostsFile = (): string =>
  process.platform === "win32"
    ? `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts"

/**
 * {@link HostLookup} for Node: the hosts file, then DNS, without the thread pool that `dns.lookup` would occupy.
 * `localhost` and the names below it are the machine itself (RFC 6761). Names are complete: search domains are not
 * tried.
 */
export const layerHostLookup = (options: LookupOptions = {}): Layer.Layer<HostLookup> =>
  Layer.effect(
    HostLookup,
    Effect.map(
      Effect.acquireRelease(
        Effect.clockWith((clock) => Effect.sync(() => new Names(options, clock))),
        (names) => Effect.sync(() => names.close()),
      ),
      (names) => ({ lookup: (name) => names.lookup(name.toLowerCase().replace(/\.$/, "")) }),
    ),
  )

type Outcome = Effect.Effect<ReadonlyArray<string>, LookupFailed>

interface Found {
  readonly addresses: ReadonlyArray<string>
  /** Milliseconds for which the addresses may be remembered. */
  readonly lifetime: number
}

class Names {
  readonly #options: LookupOptions
  readonly #clock: Clock.Clock
  readonly #known = new BoundedMap<string, { readonly outcome: Outcome; readonly until: number }>(maximumNames)
  /** The callers waiting for a name that is being looked up. */
  readonly #callers = new Map<string, Set<(outcome: Outcome) => void>>()
  #resolver: Resolver | undefined
  #resolverUntil = 0
  #hosts: ReadonlyMap<string, ReadonlyArray<string>> = new Map()
  #hostsUntil = 0

  constructor(options: LookupOptions, clock: Clock.Clock) {
    this.#options = options
    this.#clock = clock
  }

  lookup(name: string): Outcome {
    const known = this.#known.get(name)
    if (known !== undefined && this.#clock.currentTimeMillisUnsafe() < known.until) return known.outcome
    return Effect.callback((resume) => {
      const callers = this.#callers.get(name)
      if (callers === undefined) {
        this.#callers.set(name, new Set([resume]))
        this.#find(name, (found) => this.#settle(name, found))
      } else callers.add(resume)
      return Effect.sync(() => this.#callers.get(name)?.delete(resume))
    })
  }

  close(): void {
    this.#resolver?.cancel()
  }

  #settle(name: string, found: Found | LookupFailed): void {
    const callers = this.#callers.get(name)
    this.#callers.delete(name)
    let outcome: Outcome
    if (found instanceof LookupFailed) outcome = Effect.fail(found)
    else {
      outcome = Effect.succeed(found.addresses)
      const until = this.#clock.currentTimeMillisUnsafe() + Math.min(memory, found.lifetime)
      this.#known.set(name, { outcome, until })
    }
    for (const resume of callers ?? []) resume(outcome)
  }

  #find(name: string, done: (found: Found | LookupFailed) => void): void {
    const now = this.#clock.currentTimeMillisUnsafe()
    this.#readHosts(now, (hosts) => {
      const addresses =
        hosts.get(name) ?? (name === "localhost" || name.endsWith(".localhost") ? ["127.0.0.1", "::1"] : undefined)
      if (addresses !== undefined) done({ addresses, lifetime: memory })
      else resolve(this.#resolverAt(now), name, done)
    })
  }

  #resolverAt(now: number): Resolver {
    if (this.#resolver === undefined || now >= this.#resolverUntil) {
      this.#resolver = new Resolver(patience)
      if (this.#options.servers !== undefined) this.#resolver.setServers(this.#options.servers)
      this.#resolverUntil = now + resolverLifetime
    }
    return this.#resolver
  }

  #readHosts(now: number, use: (hosts: ReadonlyMap<string, ReadonlyArray<string>>) => void): void {
    const { hostsFile = systemHostsFile() } = this.#options
    if (hostsFile === null || now < this.#hostsUntil) {
      use(this.#hosts)
      return
    }
    readFile(hostsFile, "utf8", (error, text) => {
      this.#hosts = error === null ? parseHosts(text) : new Map()
      this.#hostsUntil = now + memory
      use(this.#hosts)
    })
  }
}

/** DNS error codes in words, for refusals and the log. */
const explanations: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOTFOUND", "there is no such name"],
  ["ENODATA", "the name has no addresses"],
  ["ETIMEOUT", "no DNS server answered in time"],
  ["ECONNREFUSED", "no DNS server can be reached"],
  ["ESERVFAIL", "the DNS server failed"],
  ["EREFUSED", "the DNS server refused to answer"],
  ["EBADNAME", "DNS has no names of this form"],
])

const explain = (error: NodeJS.ErrnoException): string =>
  explanations.get(error.code) ?? `${error.message}${error.code === undefined ? "" : ` (${error.code})`}`

/** Asks for both address families at once; one of them is enough. */
const resolve = (resolver: Resolver, name: string, done: (found: Found | LookupFailed) => void): void => {
  const records: Array<RecordWithTtl> = []
  const reasons: Array<string> = []
  let left = 2
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(timer)
    left = 0
    if (records.length === 0) {
      return done(new LookupFailed({ message: `${name} could not be found: ${[...new Set(reasons)].join("; ")}` }))
    }
    const addresses = [...new Set(records.map(({ address }) => address))]
    done({ addresses, lifetime: Math.min(...records.map(({ ttl }) => ttl)) * 1_000 })
  }
  const collect = (error: NodeJS.ErrnoException | null, found: ReadonlyArray<RecordWithTtl>) => {
    if (left === 0) return
    if (error === null) records.push(...found)
    else reasons.push(explain(error))
    if (--left === 0) end()
    else if (records.length > 0) timer = setTimeout(end, grace)
  }
  resolver.resolve4(name, { ttl: true }, collect)
  resolver.resolve6(name, { ttl: true }, collect)
}

/** Addresses by name, in the order of the file. No webhook may go to an address with a zone. */
const parseHosts = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const hosts = new Map<string, Array<string>>()
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/)
    if (isIP(address) === 0 || address.includes("%")) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const addresses = hosts.get(key)
      if (addresses === undefined) hosts.set(key, [address])
      else if (!addresses.includes(address)) addresses.push(address)
    }
  }
  return hosts
}
