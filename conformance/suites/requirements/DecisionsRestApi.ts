import type { Section } from "./Requirement.ts"

/** D11 to D19: how the REST API answers. */
export const decisionsRestApi: ReadonlyArray<Section> = [
  {
    id: "decisions-rest-api",
    title: "Decisions on the REST API",
    from: "decision",
    rows: [
      {
        id: "D11",
        title: "Order of checks",
        text:
          "A request to the REST API MUST be checked in this order: token (401), plan (403), rate limit (429), " +
          "route (404) and method (405 with `Allow`), parameters (400), and the object (404). The body of every " +
          'error MUST be exactly `{"message": string}`, also of requests that the HTTP parser refuses (400, 408, ' +
          "413, 431). A 401 MUST carry `WWW-Authenticate: Bearer`, and MUST read the same for a missing and for an " +
          "unknown token. A 500 MUST reveal nothing about the inside.",
      },
      {
        id: "D12",
        title: "Bad query values",
        text:
          "A bad query value of the REST API MUST be answered with 400 and a message that names the parameter and " +
          "the form that is allowed. No value is adjusted to fit. `limit` MUST match `^[1-9][0-9]{0,2}$` and be at " +
          "most 100. `limit`, `cursor` or `orderedAfter` given twice or empty is 400. Unknown parameters MUST be " +
          "ignored.",
      },
      {
        id: "D13",
        title: "Forms of orderedAfter",
        text:
          "`orderedAfter` is an ISO 8601 date-time with an offset or `Z`, in extended or basic form. Seconds and " +
          "their decimals may be left out, and the offset may be `±hh:mm`, `±hhmm` or `±hh`: `2026-10-05T14:48Z`, " +
          "`2026-10-05T14:48:00+0000`, `20261005T144800Z`. A space in place of an unescaped `+` MUST be read as " +
          "`+`. A date alone means 00:00 UTC. A date-time without an offset MUST be answered with 400, because it " +
          "would be a guess. Orders placed at exactly that time are included. The form that messages and documents " +
          "name is RFC 3339: other forms of ISO 8601, such as `24:00`, decimals behind a comma, and week and ordinal " +
          "dates, are 400.",
      },
      {
        id: "D14",
        title: "Paging by position",
        text:
          "Orders MUST be paged by their position in the order `orderedAt` descending, then `id` descending, so " +
          "that none is shown twice or skipped while others are added. A cursor is opaque, has a version, carries " +
          "its filter, and is bound to its shop by a MAC: one that was altered, comes from another shop or meets a " +
          "different `orderedAfter` MUST be answered with 400. Alongside a cursor `orderedAfter` may be left out. " +
          "`total` counts all orders that match the filter, not only the orders of the page.",
      },
      {
        id: "D15",
        title: "Ids in paths",
        text:
          "A customizer id that is not a positive safe integer (1 to 2^53 − 1) MUST be answered with 404. `%2F` in " +
          "a platform order id is part of the id, and so is every other character that a path segment may have " +
          "(RFC 3986 §3.3), `;` included: a path MUST be matched as it was sent.",
      },
      {
        id: "D15a",
        title: "Addresses that name the shop",
        text:
          "The public address may have `{shop}` once, as a whole label of its host or a whole segment of its path; " +
          "anything else with braces MUST be refused at the start. Then the REST API MUST answer at the address of each " +
          "shop, taken from the `Host` header or the path as they arrive: a token of another shop, and any token at the " +
          "address of an unknown shop, is 401. The token alone decides at `/api/v1` of other hosts, and without `{shop}` " +
          "everywhere. OpenAPI documents name the address with the shop as a variable, links to pages stay relative, and " +
          "the settings app and links to it have the address of the shop. A new shop whose id can't be a label of the " +
          "host MUST be refused by 422; an older one keeps working at other hosts.",
      },
      {
        id: "D16",
        title: "Rate limit",
        text:
          "A request MUST be accepted if fewer than 120 requests of its token were accepted in the 60 seconds " +
          "before it, over all hosts that share a store; otherwise it MUST be refused with 429. Refused requests " +
          "(403, 429) do not count; those answered with 400, 404, 405 and 304 do, unknown addresses included. Every " +
          "answer to a token that is known MUST carry " +
          '`RateLimit-Policy: "default";q=120;w=60` and `RateLimit: "default";r=<left>;t=<seconds>`, 403 and ' +
          "unknown addresses included. A 429 MUST " +
          "also carry `Retry-After`: whole seconds, at least 1, after which a request is accepted.",
      },
      {
        id: "D17",
        title: "Conditional requests",
        text:
          "A successful answer MUST carry `Cache-Control: private, no-cache`, `Vary: Authorization, " +
          "Accept-Encoding` and a strong `ETag` of its body, which does not depend on the token. `If-None-Match` " +
          "with that tag MUST be answered with 304. HEAD MUST work wherever GET does. A page with a `nextCursor` " +
          'MUST also carry `Link: <…>; rel="next"`. Where an answer is compressed for who accepts it, each coding ' +
          "MUST have a tag of its own. An answer that holds a secret alongside what others choose MUST NOT be compressed.",
      },
      {
        id: "D18",
        title: "Form of a token",
        text:
          "A token MUST be `cmz_`, 32 random bytes in base62 and a checksum of 6 characters. The checksum shows " +
          "typing errors, and lets a secret scanner recognise a token. Only its SHA-256 digest may be stored. A " +
          "revoked token MUST be refused at once on the host that revoked it, and within one second on every other " +
          "host.",
      },
      {
        id: "D19",
        title: "Version header",
        text:
          "Every answer of the REST API MUST carry `X-Api-Version: 2026-10`. A request that asks for another " +
          "version with this header MUST be answered with 400.",
      },
    ],
  },
]
