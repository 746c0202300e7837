/** The tables of errors in the guide of words, made from the tables of the code: each code, and what to do about it. */
import type { AttemptError } from "../../core/model/Resources.ts"
import { statusOf } from "../../core/operations/Errors.ts"
import type { RequestErrorCode } from "../../hosts/client/DesignwireRequestError.ts"
import type { ErrorCode } from "../../hosts/embed/DesignwireError.ts"
import { paddedTable } from "./PaddedTable.ts"

type Tag = keyof typeof statusOf

interface Advice {
  /** The `code` of `designwire/embed`, unless it is the name of the error, or it has none. */
  readonly embed?: ErrorCode | null
  readonly client?: RequestErrorCode
  readonly words: string
}

/** What to do about each error that an API answers. */
const advice: { readonly [T in Tag]: Advice } = {
  InvalidInput: { words: "give each field in `problems` the form that its message names" },
  BadRequest: { embed: null, client: "bad_request", words: "correct the parameter or id that the message names" },
  Unauthorized: {
    embed: null,
    client: "unauthorized",
    words: "the token or key is missing, unknown, of another shop, or has ended: create another one",
  },
  PlanRequired: { client: "plan_required", words: "the shop's `plan` is `free`: give it another one" },
  ScopeRequired: {
    embed: null,
    client: "scope_required",
    words: "create a token with the scope that the message names",
  },
  NotFound: { client: "not_found", words: "look at the id, and at the shop: tokens see only their own" },
  Conflict: {
    words: "`retryable`: begin again. Else the state does not allow it; `conflict` has the field and both values",
  },
  DesignFrozen: { words: "the design is ordered or cancelled: save the choices as another design" },
  Gone: { client: "gone", words: "begin the feed again without a cursor, and load orders with `GET /orders`" },
  TooLarge: { words: "a definition has at most 512 KiB, a selection 64 KiB, a design 256 KiB" },
  UnknownFields: { embed: "InvalidInput", words: "remove the field, or spell it as the message says" },
  Refused: { words: "well-formed, but not allowed: each message in `problems` says what would be" },
  RateLimited: { embed: null, client: "rate_limited", words: "wait for `Retry-After`, or follow the event feed" },
  Unavailable: {
    client: "unavailable",
    words: "try again; look before you repeat a change, or send it with an `Idempotency-Key`",
  },
}

/** Errors of one way in only, without a status of ours. */
const others: Readonly<
  Record<Exclude<ErrorCode, Tag> | "server_error" | "unexpected_answer" | "network" | "timeout", string>
> = {
  NotMigrated: "run `npx designwire migrate`, or `designwire.migrate()`",
  NotPermitted: "run the GRANT that the message names",
  server_error: "500: a defect of the service. Its log has the cause, `http.request_failed`",
  unexpected_answer: "not an answer of the REST API: the `url` is wrong, or a proxy answers",
  network: "no connection, or it broke: `cause` has the reason",
  timeout: "no whole answer in time: try again, or raise `timeout`",
}

/** Why an attempt to deliver failed. */
const attempts: Readonly<Record<AttemptError, string>> = {
  dns: "the host's name leads nowhere: look at the URL, and at the name servers by `npx designwire doctor`",
  connect: "nothing listens at that host and port, or a firewall refuses",
  tls: "the certificate has ended or is another host's; `responseStart` says it in a sentence",
  timeout: "no answer within 5 seconds: answer first, and work afterwards",
  reset: "the receiver closed the connection: look at its log, or at a limit of a proxy in front of it",
  redirect: "redirects are not followed: give the endpoint the address that they lead to",
  address_refused:
    "the address is not public: for a receiver of yours set `allowNetworks`, and `allowHttp` for `http:`",
  token: "the token URL gave no access token: `responseStart` says why",
}

const code = (name: string | null | undefined): string => (name ? `\`${name}\`` : "")

const embedOf = (tag: Tag): string => {
  const { embed } = advice[tag]
  return embed === undefined ? code(tag) : code(embed)
}

const answers = (): string =>
  paddedTable([
    ["status", "`DesignwireError`", "client", "what to do"],
    ...Object.entries(statusOf).map(([tag, status]) => {
      const { client, words } = advice[tag as Tag]
      return [String(status), embedOf(tag as Tag), code(client), words]
    }),
    ...Object.entries(others).map(([name, words]) =>
      /^[A-Z]/.test(name) ? ["503", code(name), "", words] : ["", "", code(name), words],
    ),
  ])

const failures = (): string =>
  paddedTable([
    ["`error`", "what to do"],
    ...Object.entries(attempts).map(([name, words]) => [code(name), words]),
    ["`null`", "the receiver answered with another `statusCode` than 2xx: `responseStart` is the beginning of it"],
  ])

/** The guide with these tables in the place of those that it has. */
export const withErrorTables = (guide: string): string =>
  guide
    .replace(/^\| status +\| `DesignwireError` .*\n(\|.*\n)+/m, () => `${answers()}\n`)
    .replace(/^\| `error` +\| what to do +\|\n(\|.*\n)+/m, () => `${failures()}\n`)
