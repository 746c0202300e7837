import type { Section } from "./Requirement.ts"

/** What holds for every call, and what operators rely on. */
export const decisionsOperation: ReadonlyArray<Section> = [
  {
    id: "decisions-operation",
    title: "Decisions on operation",
    from: "decision",
    rows: [
      {
        id: "D44",
        title: "Values kept as given",
        text:
          "`variantId` is a string or an integer and MUST be kept as given. The object of a text answer may have " +
          "further keys alongside `text`: they MUST be kept in `selection` and are used for nothing.",
      },
      {
        id: "D44a",
        title: "Numbers kept as given",
        text:
          "Numbers of a definition and of a selection MUST be returned with the value that they were given. A number " +
          "that can't be MUST be refused with its path, and nothing is stored: an integer beyond ±(2^53 − 1), one that " +
          "is too large or too small for a double, and a decimal whose nearest double is written otherwise. Its " +
          "spelling may change: `1.0` is 1. A body of the management API with such a number anywhere is 422, a line of " +
          "an import is rejected, and the settings app shows its place in a definition.",
      },
      {
        id: "D46",
        title: "Byte budgets",
        text:
          "A page of orders MUST end early, with a `nextCursor`, rather than exceed 8 MiB of body. Every " +
          "other list of the management API MUST have pages that end before their texts exceed 1 MiB, or a bound by " +
          "which its longest answer is no larger. A definition " +
          "has at most 200 steps, the wire form of a design at most 256 KiB, and the designs of an order at most 32 " +
          "MiB together. An answer MUST list at most 100 " +
          "problems and say how many more there are. At most two pages of a shop, and four of all shops, are read " +
          "and prepared at once by a process; more wait, and too many that wait are 503 with `Retry-After`. No other " +
          "read waits behind one, and a page whose client has left is cancelled at the database. " +
          "The answers that a process reads, prepares and sends have at most 64 MiB, of which one shop takes half at " +
          "most: beyond it its pages wait up to 5 seconds and are then 503 with `Retry-After`, as its other long " +
          "answers are at once; other shops' requests continue. The " +
          "compiled definitions that a process keeps have at most 64 MiB.",
      },
      {
        id: "D46a",
        title: "Bodies of unknown callers",
        text:
          "The body of a caller that is known only by it (a platform's signature, a key that is entered) MUST take no " +
          "place of the requests that the service works at before it has arrived, and MUST arrive at 1 KiB a second " +
          "or more after the first second: slower ones are 408. The bytes that have arrived count, with 64 KiB for " +
          "each request and 512 bytes for each piece: at most 64 MiB together, and a quarter of it from one address. " +
          "Beyond it the oldest body that is still arriving MUST be given up with 503 and `Retry-After`, and nothing " +
          "of it is stored. Whole bodies and calls with the management key MUST be answered meanwhile. The address of " +
          "a request that comes from a configured proxy is the last one in `X-Forwarded-For` that is not a proxy's.",
      },
      {
        id: "D47",
        title: "Denied networks",
        text:
          "An operator can deny networks alongside the allowed ones (D37); if a network is both, denied MUST win. " +
          "The addresses of the machine's own network interfaces MUST be refused unless they are allowed.",
      },
      {
        id: "D48",
        title: "Unknown fields",
        text:
          "A field that does not exist MUST be refused in every body of the management API (422), naming it and the " +
          "nearest field that exists, and nothing is stored. Objects that the specification lets grow stay open: the " +
          "further keys of a definition (F-15) and of a text answer (D44).",
      },
      {
        id: "D89",
        title: "Errors that may pass",
        text:
          "Every error of the management API and of the library MUST say whether the same call may succeed later " +
          "(`retryable`): true for a lock that was not got, a deadlock, a store that is away and a request that is " +
          "under way with the same `Idempotency-Key`; false for input that is refused and for a conflict with the state. " +
          "A 503 of the management API MUST carry `Retry-After`.",
      },
      {
        id: "D49",
        title: "Changes of unknown outcome",
        text:
          "A request to change something that is answered 503 may have been carried out, because it took too " +
          "long or the connection to the store was lost. The answer MUST say that nothing was stored, or that " +
          "it is not known. What waits for a lock when a request to the management API is answered so MUST NOT " +
          "take effect afterwards. Every POST " +
          "of the management API takes `Idempotency-Key`, 1 to 255 characters, by shop: for 24 hours the same " +
          "request with the same key MUST get the first answer again, byte for byte and on every host, and " +
          "change nothing. With another body or path the key MUST be 422, and 409 while the first request is " +
          "under way. A change and its answer are stored together or not at all, also if a process is killed; " +
          "answers are kept sealed. After a 503 nothing is kept, and the request may be sent again with its " +
          "key.",
      },
      {
        id: "D70",
        title: "Traces up to receivers",
        text:
          "With a tracer, an event MUST be stored, in its transaction, with the trace in which it happened, and every " +
          "attempt to deliver it MUST be a span of that trace and carry `traceparent` with that span, and the " +
          "`tracestate` that came with the request. No other header of a trace is sent. Without a tracer, or if an " +
          "option says so, receivers MUST NOT get these headers, and what came with a request is not passed on. A " +
          "malformed `traceparent` MUST be ignored, and a malformed `tracestate` dropped. Spans MUST NOT have secrets, " +
          "values of queries, or more of a receiver's URL than scheme, host and port.",
      },
      {
        id: "D78",
        title: "Upgrades without a stop",
        text:
          "A version and the next one MUST work together on one database while it is migrated: no request fails, and no " +
          "event is lost or delivered twice. A migration MUST declare which hosts continue alongside it; if the hosts of the " +
          "version before do, it MUST only add to the schema. A host MUST continue alongside migrations that it does not " +
          "know if they declare that it can, and otherwise MUST stop and name them.",
      },
      {
        id: "D80",
        title: "When a platform's order is placed",
        text:
          "A platform's order MUST be placed when it is to be made: paid, with payment terms, by a gateway that is paid " +
          "later, or in a state that a setting names. One that is not paid MUST wait as an event in the state `unpaid`, and " +
          "be placed by a newer report that says paid, or by hand. A test order, and one that is over when it is first " +
          "heard of, MUST be `ignored` with that reason, and can be placed by hand. A cancellation that came before its " +
          "order MUST hold against all reports that are not newer.",
      },
      {
        id: "D82",
        title: "A line that is gone",
        text:
          "The design of a line that its platform has removed or refunded before fulfilment, or that a caller cancels, " +
          "MUST be cancelled, and the order with its last one. Whatever order the events arrive in, the end MUST be the same.",
      },
      {
        id: "D83",
        title: "Reports about what is linked",
        text:
          "A platform's report MUST NOT fail because of what is linked already. A line that can't be placed MUST hold up " +
          "itself alone, by name.",
      },
      {
        id: "D84",
        title: "Copies for reorders",
        text:
          "A platform's line with a design of another order, or with one that was removed before, MUST get a copy, and the " +
          "event MUST say of which. A part of another order that repeats its designs is ignored.",
      },
    ],
  },
]
