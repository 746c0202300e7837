// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile } from "../RowFault.ts"

/** Decisions on what the specification leaves open, and beyond it. */
export const decisions = [
  ...inFile("adapters/sql/schema/KnownMigrations.ts", [
    ["D78", "names.map((name) => compatibleWith[name] ?? numberOf(name))", "names.map(numberOf)"],
  ]),
  ...inFile("adapters/sql/schema/Migrations.ts", [["D78", "newer.filter(({ least }) => least > latest)", "newer"]]),
  ...inFile("core/api/Errors.ts", [["D49", 'method === "GET" || method === "HEAD"', "true"]]),
  ...inFile("core/api/AnswerBytes.ts", [["D46", "<= this.#maximum - this.#held", "<= this.#maximum"]]),
  ...inFile("hosts/manage/Retryable.ts", [["D89", "status === 429 || status >= 500", "status === 429"]]),
  ...inFile("core/api/PagesUnderWay.ts", [["D46", "reading.interruptUnsafe()", "undefined"]]),
  ...inFile("adapters/sql/tokens/Tokens.ts", [
    [
      "D49",
      "sql\n          .withTransaction(\n            Effect.tap(\n              sql<TokenRow>",
      "Effect\n          .suspend(() =>\n            Effect.tap(\n              sql<TokenRow>",
    ],
  ]),
  ...inFile("hosts/ingest/Secrets.ts", [
    ["D57", "yield* Effect.orDie(mac.verify(key, tag, body))", "yield* Effect.as(mac.verify(key, tag, body), true)"],
  ]),
  ...inFile("hosts/ingest/Ingest.ts", [
    ["D57", "if (!(yield* orAnswer(isSigned(shop, signature, bytes)))) return unsigned", ""],
    ["D57", "yield* orAnswer(Effect.fail(tooSlow))", "pong"],
  ]),
  ...inFile("hosts/ingest/shopify/Shopify.ts", [["D57", "eventId: webhookId ?? eventId ?? null", "eventId: null"]]),
  ...inFile("core/usecases/ingest/ReceiveEvent.ts", [
    ["D57", "if (isDomainOf(shop, reading.domain)) return", "return"],
  ]),
  ...inFile("core/rules/ingest/Shopify.ts", [["D57", 'topic === "orders/cancelled" && !isCancelled', "false"]]),
  ...inFile("core/rules/ingest/WooCommerce.ts", [["D57", '(key) => key !== "id"', "() => false"]]),
  ...inFile("core/rules/ingest/Recency.ts", [["D57", "state.triggeredAt < other.triggeredAt", "false"]]),
  ...inFile("core/usecases/ingest/OrderChanges.ts", [
    ["D57", "domain?.toLowerCase() === shop.domain.toLowerCase()", "domain !== null"],
  ]),
  ...inFile("core/usecases/ingest/ApplyEvent.ts", [
    ["D57", "if ((yield* Clock.currentTimeMillis) >= end) return id", ""],
  ]),
  ...inFile("core/usecases/ingest/InboxRoom.ts", [["D57", "known.size.events >= mostEvents || ", ""]]),
  ...inFile("core/usecases/orders/WithdrawCancellation.ts", [["D50", '=== "cancelled"', '=== "ordered"']]),
  ...inFile("core/support/StoreClock.ts", [
    ["D33a", "if (this.#offset < at - end) this.#offset = at - end", ""],
    ["D33a", "Math.abs(this.#apart) > tolerance", "this.#apart > tolerance"],
  ]),
  ...inFile("hosts/server/Health.ts", [["D33b", "[ready, probe, requireClose]", "[ready, requireClose]"]]),
  ...inFile("core/usecases/AnswerOnce.ts", [
    ["D49", "answerKept = 24 * 60 * 60 * 1000", "answerKept = 25 * 60 * 60 * 1000"],
    ["D49", 'outcome._tag === "Kept" && outcome.request !== request', "false"],
  ]),
  ...inFile("core/model/Token.ts", [
    ["D56", "maximumTokens = 100", "maximumTokens = 99"],
    ["D77", "expiresAt !== null && expiresAt <= now", "expiresAt !== null && expiresAt < now"],
    ["D77", "new Set(scopes).size === scopes.length", "scopes.length > 0"],
  ]),
  ...inFile("core/api/Admission.ts", [
    ["D77", "?? (scope === undefined ? undefined : scopeRefusal(caller, scope))", ""],
    ["D77", "refusal === undefined ? limitRequest", 'refusal?._tag !== "PlanRequired" ? limitRequest'],
  ]),
  ...inFile("core/api/Scopes.ts", [["D77", '/:platformOrderId": "orders:read"', '/:platformOrderId": "designs:read"']]),
  ...inFile("core/model/Input.ts", [["D48", 'onExcessProperty: "error"', 'onExcessProperty: "ignore"']]),
  ...inFile("core/model/Instant.ts", [
    ["D1", 'Number(decimals.slice(0, 3).padEnd(3, "0"))', "Math.round(Number(`0.${decimals || 0}`) * 1000)"],
    ["D13", "day > daysIn(year, month)", "day > 31"],
    ["D13", 'const ahead = (offset.startsWith("-") ? -1 : 1)', 'const ahead = (offset.startsWith("-") ? 1 : 1)'],
  ]),
  ...inFile("core/usecases/orders/CancelOrder.ts", [
    ["D3", "designs: nextDesigns, order: next, events", "designs: [], order: next, events"],
  ]),
  ...inFile("core/rules/OrderState.ts", [["D50", "reportKept = 86_400_000", "reportKept = 864_000_000"]]),
  ...inFile("core/support/Cancelling.ts", [
    [
      "D2",
      "const text = changeWire(record.wire, { status })",
      "const text = changeWire(record.wire, { status, orderedAt: null })",
    ],
  ]),
  ...inFile("core/usecases/designs/SaveDesign.ts", [
    [
      "D4",
      "const isNew = existing === undefined",
      'const isNew = existing === undefined || existing.status === "draft"',
    ],
    ["D6a", "currency: shop.currency,", 'currency: "USD",'],
    ["D38", "maximumSelection) > maximumSelection", "maximumSelection) > 10 * maximumSelection"],
    [
      "D44",
      "selection: selection as Selection,",
      'selection: Object.fromEntries(Object.entries(selection as Selection).map(([id, value]) => [id, typeof value === "object" && value !== null && "text" in value ? { text: value.text } : value])),',
    ],
    ["D46", "utf8Length(text) > maximumDesign", "utf8Length(text) > 100 * maximumDesign"],
  ]),
  ...inFile("adapters/memory/Customizers.ts", [
    ["D5", "definitions[version - 1]?.definition", "definitions.at(-1)?.definition"],
  ]),
  ...inFile("core/support/Placing.ts", [
    ["D6a", "if (currency !== order.currency)", 'if (currency === "")'],
    ["D23", "order: record, events }", "order: record, events: [] }"],
  ]),
  ...inFile("core/usecases/orders/PlaceOrder.ts", [
    [
      "D6",
      "const lines = report.lines.filter((line) => !already.has(line.designId))",
      "const lines = report.lines.filter((line) => !already.has(line.designId) || report.lines.length > 1)",
    ],
    ["D81", "yield* refuseSharedLines(report, existing)", "yield* Effect.void"],
    ["D6", "yield* noteEmpty(store, shopId, report.orderId)", "return yield* tooLarge"],
    ["D57", "Option.isSome(before.found) || currency !== shop.currency", "Option.isSome(before.found)"],
  ]),
  ...inFile("core/rules/ImageUrls.ts", [["D7", "}/designs/${segment(designId)}`", "}/design/${segment(designId)}`"]]),
  ...inFile("core/usecases/tokens/Authenticate.ts", [
    ["D77", " && !hasEnded(entry, now)", ""],
    ["D8", "includesApi(plan) ? undefined", 'plan !== ("none" as never) ? undefined'],
    [
      "D18",
      "const isTrusted = ({ since }: Known, now: number): boolean =>",
      "const isTrusted = ({ since }: Known, now: number): boolean => now < since + 60_000 ||",
    ],
  ]),
  ...inFile("core/support/NewId.ts", [["D9", "return `${prefix}${base62", "return `${prefix.toUpperCase()}${base62"]]),
  ...inFile("core/model/Design.ts", [
    [
      "D10",
      "JSON.stringify({ thumbnail, createdAt, orderedAt })",
      "JSON.stringify({ createdAt, thumbnail, orderedAt })",
    ],
  ]),
  ...inFile("hosts/server/ArrivingBodies.ts", [
    ["D46a", "this.#sum > this.#maximum", "false"],
    ["D46a", "arrived >= (now - since - grace) * leastRate", "arrived > 0"],
  ]),
  ...inFile("hosts/server/Connections.ts", [
    ["D46a", "if (request instanceof CountedRequest && isOfStranger(request)) return !arrives(request, response)", ""],
  ]),
  ...inFile("hosts/server/Origin.ts", [["D46a", "forwarded.reverse()", "forwarded"]]),
  ...inFile("core/model/json/ExactNumbers.ts", [
    ["D44a", "Number.isInteger(value) && !Number.isSafeInteger(value)", "false"],
    ["D44a", "digits !== digitsOf(String(value))", "false && digits !== digitsOf(String(value))"],
  ]),
  ...inFile("hosts/manage/Body.ts", [["D44a", "problems.length > 0", "problems.length > 100"]]),
  ...inFile("core/model/json/ParseJson.ts", [
    ["D38a", "if (values > maximumValues) return tooMany", ""],
    ["D38a", "++depth > maximumDepth", "++depth > 100 * maximumDepth"],
  ]),
  ...inFile("hosts/embed/mount/NodeRequest.ts", [
    ["D57a", "return hadBody ? readBefore() : null", "return hadBody ? JSON.stringify(body) : null"],
  ]),
  ...inFile("hosts/server/Refusals.ts", [["D11", "head : head + body)", "head : head)"]]),
  ...inFile("core/rules/QueryParameters.ts", [
    ["D12", "limitShape.test(limit) && Number(limit) <= maximumLimit", "limitShape.test(limit)"],
    [
      "D12",
      'typeof found === "number" ? String(found) : found',
      'Array.isArray(found) ? String(found[0]) : typeof found === "number" ? String(found) : found',
    ],
  ]),
  ...inFile("core/rules/Cursor.ts", [
    ["D14", "designwire cursor ${version}\\n${shop}\\n${payload}", "designwire cursor ${version}\\n${payload}"],
  ]),
  ...inFile("core/model/Ids.ts", [
    ["D15", "/^[1-9][0-9]{0,15}$/", "/^[0-9]{1,16}$/"],
    ["D9", "codePointLength(text) <= 255", "codePointLength(text) <= 200"],
  ]),
  ...inFile("core/api/RateLimit.ts", [
    ["D16", '"retry-after": String(seconds)', '"retry-after": String(seconds - seconds)'],
  ]),
  ...inFile("adapters/memory/RateLimits.ts", [
    ["D16", "if (accepted) {\n          times.push(at)", "{\n          times.push(at)"],
  ]),
  ...inFile("core/api/StoredAnswer.ts", [["D17", '"private, no-cache"', '"public, no-cache"']]),
  ...inFile("core/api/Answer.ts", [["D19", '{ "x-api-version": apiVersion }', "{}"]]),
  ...inFile("core/support/SealedSecret.ts", [
    ["D20", "const [newest] = yield* aeadKeys", "const newest = (yield* aeadKeys).at(-1)"],
  ]),
  ...inFile("core/rules/Signature.ts", [
    ["D20", "utf8.encode(secret)", "utf8.encode(secret.slice(prefix.length))"],
    ["D41", "`v1,${Base64.encode(mac)}`", "`v1=${Base64.encode(mac)}`"],
  ]),
  ...inFile("core/support/DeliveryHeaders.ts", [
    ["D20a", '"X-Service-Timestamp": timestamp', '"x-service-timestamp": timestamp'],
  ]),
  ...inFile("core/usecases/dispatch/Attempt.ts", [
    [
      "D21",
      "        body,\n        timeout,",
      "        body: JSON.stringify(JSON.parse(body), null, 1),\n        timeout,",
    ],
    ["D24", "signingSecret(claim, startedAt)", "claim.rotation?.secret ?? claim.secret"],
    ["D27", "(defect) => uncounted(claim, defect)", '() => Effect.succeed(withoutResponse("reset"))'],
  ]),
  ...inFile("core/rules/DeliveryState.ts", [
    ["D22", "`dlv_${withoutPrefix(eventId)}${withoutPrefix(endpointId)}`", "`dlv_${withoutPrefix(eventId)}`"],
    [
      "D28",
      '(delivery.test || endpoint.status === "active")',
      '(delivery.test || endpoint.status !== "paused" as never)',
    ],
  ]),
  ...inFile("core/rules/RetryPolicy.ts", [["D25", "30 * units.m", "3 * units.m"]]),
  ...inFile("core/usecases/dispatch/WorkerOptions.ts", [
    ["D26", "attemptTimeout = 5000", "attemptTimeout = 9000"],
    ["D26", "connectTimeout = 3000", "connectTimeout = 8000"],
  ]),
  ...inFile("core/rules/EndpointState.ts", [
    ["D27", 'attempt.test || before.status !== "active"', 'before.status !== "active"'],
    ["D51", '{ from: "active", trigger: "pause", to: "paused" }', '{ from: "active", trigger: "pause", to: "active" }'],
    ["D45", "slowAttempt = 2000", "slowAttempt = 20_000"],
    ["D45", "(!attempt.success && !before.proven)", "!attempt.success"],
  ]),
  ...inFile("core/usecases/dispatch/Settling.ts", [
    ["D27", "success: isSuccess(attempt),", 'success: isSuccess(attempt) || attempt.error === "address_refused",'],
  ]),
  ...inFile("core/usecases/webhooks/ManageDeliveries.ts", [
    ["D29", "test: delivery.test }", "test: false }"],
    [
      "D30",
      "latest = yield* OrderStore.use((orders) => orders.latestOrderedDesign(shop.id))",
      "latest = Option.none<string>()",
    ],
    [
      "D32",
      "DeliveryLog.use((log) => log.list(shop.id, endpoint.id, logLength))",
      "DeliveryLog.use((log) => log.list(shop.id, endpoint.id, 10))",
    ],
    ["D32", "deliveryLog === undefined ? null : now - deliveryLog", "null"],
  ]),
  ...inFile("core/model/Delivery.ts", [
    ["D32", "responseStart: attempt.responseStart,", "responseStart: null,"],
    ["D32", "error: attempt.error,", 'error: attempt.error === null ? null : "connect",'],
  ]),
  ...inFile("core/model/Event.ts", [
    ["D31", '["design.ordered", "order.cancelled"]\n', '["design.ordered", "order.cancelled", "design.created"]\n'],
  ]),
  ...inFile("core/model/Endpoint.ts", [["D31", "kinds.length > 0 && new Set", "new Set"]]),
  ...inFile("adapters/memory/Upkeep.ts", [
    ["D33", "createdAt < eventsBefore && !used.has(id)", "createdAt < eventsBefore"],
  ]),
  ...inFile("core/rules/PublicHost.ts", [
    ["D34", '"lan",\n', '"lam",\n'],
    ["D35", '"169.254.0.0/16",\n', '"169.254.0.0/24",\n'],
    ["D37", 'protocol === "http:" && policy.allowHttp', 'protocol === "http:"'],
    [
      "D47",
      "if (isIn(address, policy.denyNetworks))",
      "if (!isIn(address, policy.allowNetworks) && isIn(address, policy.denyNetworks))",
    ],
  ]),
  ...inFile("core/usecases/webhooks/ManageEndpoints.ts", [
    [
      "D36",
      "...(url === undefined ? {} : { url: yield* approvedUrl({ shop: shop.id, url }) }),",
      "...(url === undefined ? {} : { url }),",
    ],
    ["D40", "defaultOverlap = 86_400", "defaultOverlap = 8640"],
  ]),
  ...inFile("core/support/Approval.ts", [
    ["D37", "exception.shop === shop && exception.url === url", "exception.shop === shop"],
  ]),
  ...inFile("core/usecases/ReadEvents.ts", [
    ["D39", "const kinds = isLatest ? [] : query.kinds", "const kinds = query.kinds"],
  ]),
  ...inFile("core/rules/NoticeRules.ts", [
    ["D77", "beforeEnd = 604_800_000", "beforeEnd = 86_400_000"],
    [
      "D42",
      'before.status === "active" && after.status === "switched_off"',
      'before.status === "switched_off" && after.status === "switched_off"',
    ],
  ]),
  ...inFile("core/usecases/notices/SendNotices.ts", [["D42", "  return next\n})", "  return null\n})"]]),
  ...inFile("core/rules/Redaction.ts", [
    ["D43", "selection: redactSelection(design.selection, chosen),", "selection: design.selection,"],
    ["D43", 'export const redacted = "[redacted]"', 'export const redacted = ""'],
  ]),
  ...inFile("adapters/node/WebhookSender.ts", [
    ["D90", "const answered = (this.#connection?.statusCode ?? 0) > 0", "const answered = false"],
  ]),
  ...inFile("core/rules/SlotShare.ts", [
    ["D45", "Math.ceil(slots / 2)", "slots"],
    ["D45", "Math.max(4, Math.ceil(slots / 8))", "0"],
    ["D45", "const leastPause = 50", "const leastPause = 5_000"],
  ]),
  ...inFile("core/usecases/dispatch/ShopTurns.ts", [["D45", "const last = heard[index] ?? shop", "const last = shop"]]),
  ...inFile("core/rules/deliveries/RetryAfter.ts", [
    ["D71", "|| !options.heedRetryAfter) return change", ") return change"],
    ["D71", "askingCodes.includes(attempt.statusCode)", "true"],
    ["D71", "Math.max(nextAttemptAt, Math.min(asked, ended + longestDelay))", "asked"],
    ["D71", "longestDelay = 86_400_000", "longestDelay = 864_000_000"],
  ]),
  ...inFile("core/rules/deliveries/Ordering.ts", [
    ["D53", 'options.ordering === "none" || test', "test"],
    ["D53", "order !== null", "design === null && order !== null"],
  ]),
  ...inFile("core/usecases/bulk/ImportMany.ts", [
    // A commit drops the record after a rejected one.
    ["D75", "const outcome = made[at]", "const outcome = made[at] ?? Result.void"],
    ["D75", "names.some((name) => seen.has(name))", "false"],
    ["D75", "error instanceof StorageError\n", "false\n"],
  ]),
  ...inFile("core/usecases/bulk/ImportDesigns.ts", [
    ["D75", "designs.has(index) ? undefined : outcome", "outcome"],
    ["D75", "Equal.equals(selection, input.selection)", "true"],
    ["D75", "[String(id)]", "[]"],
  ]),
  ...inFile("core/usecases/bulk/ImportOrders.ts", [
    ["D75", "[`order ${id}`, ...designs", "[...designs"],
    ["D75", "...designs.map((line) => `design ${line?.designId}`)", ""],
    ["D75", "isPlaced.has(index) ? undefined : outcome", "outcome"],
    ["D75", "if (design.orderId !== orderId) return false", ""],
  ]),
  ...inFile("hosts/cli/bulk/ImportFile.ts", [
    ["D75", "kept.digest !== hexOf(done)", "false"],
    ["D75", 'end === 0 ? line.replace(/^\\ufeff/, "") : line', "line"],
  ]),
  ...inFile("core/rules/bulk/DesignTable.ts", [
    ["D75", "formula.test(field) ? `'${field}` : field", "field"],
    ["D75", 'keys.map((key) => values.get(key) ?? "")', 'keys.map(() => "")'],
    ["D75", "before === undefined ? textOf(entry) : `${before}; ${textOf(entry)}`", "textOf(entry)"],
  ]),
  ...inFile("hosts/server/ObservedResponse.ts", [["D75", "this.socket.resetAndDestroy()", "this.socket.destroy()"]]),
  ...inFile("core/usecases/bulk/ExportShop.ts", [
    ["D75", "Stream.concat(pages, Stream.fromEffectDrain(stillThere(shops, shop)))", "pages"],
  ]),
  ...inFile("core/rules/bulk/ExportQuery.ts", [
    ["D75", "return { kind, since, format }", "return { kind, since: null, format }"],
  ]),
  ...inFile("core/rules/deliveries/Pace.ts", [
    ["D54", "period = 1000 + tolerance + 2", "period = 500"],
    ["D54", "filter(([, until]) => until > now)", "filter(() => true)"],
    ["D54", "Math.max(planned.nextStart, now + lead)", "planned.nextStart || now"],
    ["D54", "length < maxConcurrent", "length <= maxConcurrent"],
    ["D54", "nextStart > now)", "nextStart > now + 60_000)"],
  ]),
  ...inFile("core/usecases/dispatch/PacedSlots.ts", [
    ["D54", "now() > claim.startsAt + tolerance", "false"],
    ["D54", "startsAt > now()) at(startsAt", "false) at(startsAt"],
  ]),
  ...inFile("core/rules/deliveries/Reference.ts", [
    ["D72", "design: idOf(data.design)", "design: data.design"],
    ["D72", "designs: data.order.designs.map(idOf)", "designs: data.order.designs"],
  ]),
  ...inFile("core/rules/deliveries/Wanted.ts", [
    ["D76", "customizers === null || customizersOf(body)", "customizersOf(body)"],
    ["D76", ".some((id) => customizers.includes(id))", ".every((id) => customizers.includes(id))"],
    ["D76", "data.order?.designs ??", "data.order?.designs.slice(0, 1) ??"],
  ]),
  ...inFile("core/usecases/dispatch/Attempt.ts", [
    ["D72", "event: claim.event, body }", "event: claim.event, body: claim.body }"],
  ]),
  ...inFile("core/model/deliveries/OwnHeaders.ts", [
    ["D55", "(content|x-service|webhook)", "(content|webhook)"],
    ["D55", "isReserved(name.toLowerCase())", "isReserved(name)"],
    ["D55", "maximumHeaders = 10", "maximumHeaders = 11"],
  ]),
  ...inFile("core/rules/deliveries/AccessToken.ts", [
    ["D55", "encoded(clientId)", "clientId"],
    ["D55", "margin = 60", "margin = 0"],
    ["D55", "codes.includes(answer", "!codes.includes(answer"],
    ["D55", 'name.toLowerCase() !== "authorization"', 'name !== "authorization"'],
  ]),
  ...inFile("adapters/node/Pool.ts", [["D55", "${address} ${target.identity}", "${address}"]]),
  ...inFile("adapters/node/CertificateReader.ts", [["D55", "!read.checkPrivateKey(privateKey)", "false"]]),
  ...inFile("core/usecases/dispatch/AccessTokens.ts", [
    ["D55", "Option.contains(kept, token)", "!Option.contains(kept, token)"],
    ["D55", "onFailure: () => 0", "onFailure: () => 60_000"],
  ]),
  ...inFile("core/usecases/webhooks/ManageEndpoints.ts", [
    ["D55", 'name.toLowerCase() === "authorization"', 'name === "Authorization"'],
    ["D55", "endsAt <= (yield* Clock", "endsAt < (yield* Clock"],
  ]),
  ...inFile("core/model/deliveries/EndpointOptions.ts", [
    ["D55", "headers: headers?.names ?? [],", "headers: [],"],
    ["D76", "maximumCustomizers = 100", "maximumCustomizers = 101"],
    ["D76", "new Set(ids).size === ids.length", "ids.length > 0"],
  ]),
]
