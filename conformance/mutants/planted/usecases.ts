import { inFile, type Mutant } from "../Mutant.ts"

/** Faults in the use cases. */
export const usecases: ReadonlyArray<Mutant> = [
  ...inFile("usecases", "core/usecases/dispatch/Worker.ts", [
    {
      id: "worker.lease",
      find: "if (leaseUntil - now < leastLease || now >= deadline)",
      replace: "if (now >= deadline)",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST NOT begin what it had claimed ahead when what is left of the lease is less than an attempt may last",
      ],
    },
    {
      id: "worker.deadline",
      find: "leaseUntil - now < leastLease || now >= deadline",
      replace: "leaseUntil - now < leastLease",
      caughtBy: [
        "core/usecases/dispatch/Attempts.test.ts > MUST begin nothing from its deadline on, not even what it had claimed before",
      ],
    },
    {
      id: "worker.release",
      find: "    return store.release(claims)\n",
      replace: "    return Effect.void\n",
      caughtBy: ["core/usecases/dispatch/Worker.test.ts > MUST leave to others at once what it had claimed ahead"],
    },
    {
      id: "worker.settled-slots",
      find: "attempts.count() + Math.max(0, unsettled - options.concurrency)",
      replace: "attempts.count()",
      caughtBy: [
        "core/usecases/dispatch/Attempts.test.ts > MUST be free when its attempt has ended, be it settled or not",
      ],
    },
    {
      id: "worker.slots",
      find: "while (waiting.length > 0 && slotsInUse() < options.concurrency)",
      replace: "while (waiting.length > 0 && slotsInUse() <= options.concurrency)",
      caughtBy: ["core/usecases/dispatch/Worker.test.ts > MUST leave to others at once what it had claimed ahead"],
    },
    {
      id: "worker.share",
      find: "      perShop: share,\n",
      replace: "      perShop: options.concurrency,\n",
      caughtBy: [
        "core/usecases/dispatch/ShopShare.test.ts > A shop MUST have half of a worker's slots at most, though nobody else has anything due (D45)",
      ],
    },
    {
      id: "worker.unproven",
      find: "limit: Math.max(0, share - busy.unproven)",
      replace: "limit: options.concurrency",
      caughtBy: [
        "core/usecases/dispatch/Slots.test.ts > MUST let a proven endpoint receive at once what happens while hundreds of others hang, whatever they do",
      ],
    },
    {
      id: "worker.busy",
      find: "      busy: busy.list(),\n",
      replace: "      busy: [],\n",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST serve the others while one endpoint hangs, which costs its own share alone",
      ],
    },
    {
      id: "worker.freed",
      find: "      madeRoom = free(claim, proven) || madeRoom\n",
      replace: "      free(claim, proven)\n",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST go on with an endpoint that was at its limit as soon as one of its attempts is settled",
      ],
    },
    {
      id: "worker.exhausted",
      find: "    if (size === 0) exhausted = false\n",
      replace: "",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST claim what happens while it holds enough as soon as a slot is free, though an attempt hangs",
      ],
    },
    {
      id: "worker.own-fault",
      find: "if (attempt === undefined) return goOn(free(claim))",
      replace: "if (attempt === undefined) return",
      caughtBy: ["core/usecases/dispatch/Faults.test.ts > MUST NOT try again before the lease is over, and MUST then"],
    },
    {
      id: "worker.end",
      find: "Effect.timeoutOption(idle, attemptTimeout + 500)",
      replace: "idle",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST end within 7 seconds though the store never takes what was attempted, however long the lease",
      ],
    },
    {
      id: "worker.proven",
      find: "claim.proven && proves({ success: isSuccess(attempt), durationMs: attempt.durationMs })",
      replace: "claim.proven",
      caughtBy: [
        "core/usecases/dispatch/Attempts.test.ts > MUST be taken at once by the next of an endpoint that failed since it was claimed (D45)",
      ],
      reason: "A worker that is not idle otherwise looks again a quarter of a second later.",
    },
    {
      id: "worker.token",
      find: "token: Hex.encode(yield* random.randomBytes(16))",
      replace: 'token: "worker"',
      caughtBy: ["core/usecases/dispatch/ClaimTokens.test.ts > Every claim MUST have a token of its own"],
    },
  ]),
  ...inFile("usecases", "core/usecases/dispatch/Attempt.ts", [
    {
      id: "attempt.timestamp",
      find: "headersOf(delivery, startedAt, key, standard)",
      replace: "headersOf(delivery, clock.currentTimeMillisUnsafe(), key, standard)",
      caughtBy: ["core/usecases/dispatch/SlowLookup.test.ts > MUST be signed with the time that the log shows"],
    },
    {
      id: "attempt.time-left",
      find: "const timeout = startedAt + attemptTimeout - clock.currentTimeMillisUnsafe()",
      replace: "const timeout = attemptTimeout",
      caughtBy: [
        "core/usecases/dispatch/Hosts.test.ts > MUST give the sender what is left of the 5 seconds once the name is found, and 3 seconds to connect (§6, D26)",
      ],
    },
    {
      id: "attempt.no-time",
      find: 'if (timeout <= 0) return withoutResponse("timeout")',
      replace: 'if (timeout < 0) return withoutResponse("timeout")',
      caughtBy: [
        "core/usecases/dispatch/SlowLookup.test.ts > MUST NOT be sent where the look-up has left no time at all, to the millisecond (D26)",
      ],
    },
    {
      id: "attempt.refused",
      find: 'Effect.succeed(withoutResponse("address_refused"))',
      replace: "Effect.undefined",
      caughtBy: ["core/usecases/dispatch/Hosts.test.ts > by now, log address_refused, count it and retry"],
    },
    {
      id: "attempt.dns",
      find: 'Effect.succeed(withoutResponse("dns"))',
      replace: "Effect.undefined",
      caughtBy: [
        "core/usecases/dispatch/Hosts.test.ts > MUST log dns where the name is not found, count it and retry (§6, D32)",
      ],
    },
    {
      id: "attempt.redirect",
      find: "error: statusCode === null ? error : errorOf(statusCode)",
      replace: "error",
      caughtBy: [
        "core/usecases/dispatch/Retries.test.ts > for a failure, log why, count it and try again a minute later (§6, D25, D32)",
      ],
    },
    {
      id: "attempt.twice",
      find: "if (!underWay.delete(one)) return",
      replace: "underWay.delete(one)",
      caughtBy: [
        "core/usecases/dispatch/Attempts.test.ts > MUST count once, as a timeout, where the sender can't be interrupted and responds later",
      ],
      reason:
        "What ends again has been interrupted meanwhile, and counts for nothing: for a moment its endpoint may have one attempt more under way.",
    },
    {
      id: "attempt.late",
      find: '      end(withoutResponse("timeout"))\n',
      replace: "",
      caughtBy: [
        "core/usecases/dispatch/Attempts.test.ts > MUST be a timeout, and be interrupted, a tenth of a second after the sender should have ended it",
      ],
    },
    {
      id: "attempt.limit",
      find: "responseLimit: maximumResponseStart",
      replace: "responseLimit: 4096",
      caughtBy: [
        "core/usecases/dispatch/SlowLookup.test.ts > MUST ask for the first 1,024 bytes of the answer and no more (D26)",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/dispatch/Settling.ts", [
    {
      id: "settling.retry",
      find: "times: Math.ceil(lease / retryInterval)",
      replace: "times: 0",
      caughtBy: [
        "core/usecases/dispatch/Faults.test.ts > MUST make the worker settle again what it could not settle, without sending it again",
      ],
    },
    {
      id: "settling.given-up",
      find: "Effect.andThen(Effect.sync(() => settled(batch)))",
      replace: "Effect.tap(() => settled(batch))",
      caughtBy: [
        "core/usecases/dispatch/Faults.test.ts > MUST let a delivery be attempted again where it could not be settled for as long as its lease, and count once",
      ],
      reason: "What is settled and what is given up both come here as a success.",
    },
    {
      id: "settling.closing",
      find: "while: () => !closing",
      replace: "while: () => true",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST end within 7 seconds though the store never takes what was attempted, however long the lease",
      ],
    },
    {
      id: "settling.advance",
      find: "success: isSuccess(attempt),\n    endedAt",
      replace: "success: attempt.error === null,\n    endedAt",
      caughtBy: [
        "core/usecases/dispatch/SwitchOff.test.ts > MUST switch off at the twentieth, counted over several events",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/dispatch/Dispatch.ts", [
    {
      id: "dispatch.look",
      find: "const longestWait = 5000",
      replace: "const longestWait = 60000",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST find what is due by itself within 5 seconds where the signal is lost",
      ],
    },
    {
      id: "dispatch.signal",
      find: "Effect.race(Queue.take(signals), worker.freed)",
      replace: "worker.freed",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST be woken by the signal at once, in the instant in which something happens",
      ],
    },
    {
      id: "dispatch.due",
      find: "(due > now ? due - now : shortestWait)",
      replace: "(due > now ? due - now + 1 : shortestWait)",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST attempt in the millisecond in which a delivery is due, whenever it looked last",
      ],
    },
    {
      id: "dispatch.fails",
      find: '            Effect.sleep("1 second"),',
      replace: '            Effect.sleep("10 seconds"),',
      caughtBy: [
        "core/usecases/dispatch/Faults.test.ts > MUST make the worker try again every second, and lose nothing",
      ],
    },
    {
      id: "dispatch.drain.max",
      find: "Math.min(worker.claimSize(now), limits.max - claimed)",
      replace: "worker.claimSize(now)",
      caughtBy: ["core/usecases/dispatch/Drain.test.ts > MUST begin no more than max: ${max}"],
    },
    {
      id: "dispatch.drain.idle",
      find: "if (found === 0 && wasIdle) break",
      replace: "if (found === 0) break",
      caughtBy: [
        "core/usecases/dispatch/DrainRoom.test.ts > drain MUST go on while something is under way, though it finds nothing more at that moment",
      ],
    },
    {
      id: "dispatch.drain.settled",
      find: "  yield* worker.idle\n",
      replace: "",
      caughtBy: [
        "core/usecases/dispatch/Drain.test.ts > MUST begin nothing at the deadline or after it, and finish what it began before",
      ],
      reason: "The end of the scope waits for what is under way too, and what is counted is read after it.",
    },
  ]),
  ...inFile("usecases", "core/usecases/dispatch/BusyEndpoints.ts", [
    {
      id: "busy.shop",
      find: "else if (counts.size > 1) counts.delete(endpointId)",
      replace: "else if (counts.size > 2) counts.delete(endpointId)",
      caughtBy: [
        "core/usecases/dispatch/BusyEndpoints.test.ts > MUST leave out endpoints of which nothing is held any more",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/PlaceOrder.ts", [
    {
      id: "place.position",
      find: "position: linked.length + index",
      replace: "position: index",
      caughtBy: [
        "core/usecases/PlaceOrderAgain.test.ts > MUST keep the lines of an order in the order in which they were added",
      ],
    },
    {
      id: "place.etag",
      find: "etag: yield* etagOf(Order.wire({ head }, designs))",
      replace: "etag: yield* etagOf(Order.wire({ head }, ordered))",
      caughtBy: [
        "core/usecases/PlaceOrderAgain.test.ts > MUST give the order another tag each time that designs are added",
      ],
    },
    {
      id: "place.total",
      find: "const total = designs.reduce(",
      replace: "const total = ordered.reduce(",
      caughtBy: [
        "core/usecases/PlaceOrderAgain.test.ts > MUST keep the lines of an order in the order in which they were added",
      ],
    },
    {
      id: "place.again",
      find: "if (existing !== undefined && added.length === 0) {",
      replace: "if (existing !== undefined && added.length < 0) {",
      caughtBy: [
        "core/usecases/PlaceOrderAgain.test.ts > MUST change and send nothing when it is placed again with what it has",
      ],
    },
    {
      id: "place.raced",
      find: "if (record.orderId === order.id) return new StaleRevision({ canRetry: true })",
      replace: "",
      caughtBy: [
        "core/usecases/PlaceOrder.test.ts > MUST change nothing where the same order is placed between reading the order and its designs (D6)",
      ],
    },
    {
      id: "place.currency",
      find: "before?.currency ?? shop.currency",
      replace: "shop.currency",
      caughtBy: ["core/usecases/PlaceOrderAgain.test.ts > MUST keep the currency of the first time"],
    },
    {
      id: "place.repeated",
      find: "    yield* refuseRepeated(lines)\n",
      replace: "",
      caughtBy: ["core/usecases/PlaceOrderAgain.test.ts > MUST refuse a design that is named twice"],
    },
    {
      id: "place.empty",
      find: "if (lines.length === 0) return undefined",
      replace: "if (lines.length < 0) return undefined",
      caughtBy: ["core/usecases/PlaceOrderAgain.test.ts > MUST store nothing where it has no lines"],
    },
    {
      id: "place.name",
      find: "if (before.name !== again.name) {",
      replace: "if (before.name === again.name) {",
      caughtBy: ["core/usecases/PlaceOrderAgain.test.ts > MUST refuse another name, time or line item"],
    },
    {
      id: "place.line-item",
      find: "given !== undefined && given !== lineItemId",
      replace: "given === undefined && given !== lineItemId",
      caughtBy: ["core/usecases/PlaceOrderAgain.test.ts > MUST refuse another name, time or line item"],
    },
    {
      id: "place.events",
      find: "yield* Effect.forEach(ordered, (design) =>\n      Effect.map(newId",
      replace: "yield* Effect.forEach(designs, (design) =>\n      Effect.map(newId",
      caughtBy: [
        "core/usecases/dispatch/Events.test.ts > MUST send design.ordered once per design, when its order links it, and not again",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/CancelOrder.ts", [
    {
      id: "cancel.again",
      find: "if (status === undefined) return new WireForm",
      replace: "if (status === null) return new WireForm",
      caughtBy: [
        "core/usecases/dispatch/Events.test.ts > MUST send order.cancelled once, whose designs are cancelled already (D3)",
      ],
    },
    {
      id: "cancel.body",
      find: "const wire = Order.wire(record, cancelled)",
      replace: "const wire = Order.wire(record, designs)",
      caughtBy: [
        "core/usecases/dispatch/Events.test.ts > MUST send order.cancelled once, whose designs are cancelled already (D3)",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/SaveDesign.ts", [
    {
      id: "save.created",
      find: "existing?.createdAt : parse(createdAt)) ?? now",
      replace: "undefined : parse(createdAt)) ?? now",
      caughtBy: ["core/usecases/SaveDesignAgain.test.ts > MUST keep the time at which it was made"],
    },
    {
      id: "save.event",
      find: "const events = isNew\n",
      replace: "const events = isNew || existing !== undefined\n",
      caughtBy: [
        "core/usecases/dispatch/Events.test.ts > MUST send design.created only to endpoints that chose it, and only when a design is saved first (D4)",
      ],
    },
    {
      id: "save.size",
      find: "utf8Length(text) > maximumDesign",
      replace: "text.length > maximumDesign",
      caughtBy: ["core/usecases/SaveDesignAgain.test.ts > MUST measure its wire form in bytes"],
    },
    {
      id: "save.views",
      find: "const sameFirstView = sameVersion || ",
      replace: "const sameFirstView = ",
      caughtBy: [
        "core/usecases/SaveDesign.test.ts > MUST read the definition of a version once, for all designs that are saved on it",
      ],
    },
    {
      id: "save.urls",
      find: "existing === undefined ? made : yield* givenUrls(existing, made, customizer, definition.views[0])",
      replace: "made",
      caughtBy: ["core/usecases/SaveDesignAgain.test.ts > MUST keep the addresses of its pictures"],
    },
  ]),
  ...inFile("usecases", "core/usecases/Authenticate.ts", [
    {
      id: "auth.mark",
      find: "          if (mark !== changes) return\n",
      replace: "",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST refuse a token at once on the host that revoked it, also while it is being looked up",
      ],
    },
    {
      id: "auth.committed",
      find: "if (committed) known.remember",
      replace: "known.remember",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST NOT remember what is not committed: each request asks the store anew",
      ],
    },
    {
      id: "auth.trusted",
      find: "const trusted = 500",
      replace: "const trusted = 5000",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST believe a revoked token for less than a second where it hears of no revocation",
      ],
    },
    {
      id: "auth.heard",
      find: "if (yield* tokens.caughtUp) heardUntil = now",
      replace: "heardUntil = now",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST believe a revoked token for less than a second where it hears of no revocation",
      ],
    },
    {
      id: "auth.all",
      find: "          known.clear()\n",
      replace: "",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST ask the store about every token again where it may have missed what other hosts changed",
      ],
    },
    {
      id: "auth.form",
      find: "if (!TokenFormat.isWellFormed(text)) return",
      replace: 'if (text === "") return',
      caughtBy: ["core/usecases/Authenticate.test.ts > MUST NOT ask the store about what has not the form of a token"],
    },
    {
      id: "auth.use",
      find: "now - token.lastUsedAt >= useResolution",
      replace: "now - token.lastUsedAt >= 0",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST record a use once a minute, without making the request wait or fail",
      ],
    },
    {
      id: "auth.kept",
      find: "          forget(entry.digest)\n",
      replace: "",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST keep nothing of a token in memory for long once it is no longer trusted",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/ReadOrders.ts", [
    {
      id: "orders.filter",
      find: "if (cursor !== undefined && cursor.orderedAfter !== filter) return",
      replace: "if (cursor === null) return",
      caughtBy: ["core/usecases/ReadOrdersCursor.test.ts > MUST refuse a cursor with another orderedAfter"],
    },
    {
      id: "orders.filter.kept",
      find: "query.orderedAfter ?? cursor?.orderedAfter ?? null",
      replace: "query.orderedAfter ?? null",
      caughtBy: ["core/usecases/ReadOrdersCursor.test.ts > MUST carry its filter"],
    },
    {
      id: "orders.shop",
      find: "Cursor.signed(shop, parts.payload, parts.version)",
      replace: 'Cursor.signed("", parts.payload, parts.version)',
      caughtBy: ["core/usecases/ReadOrdersCursor.test.ts > MUST carry its filter"],
    },
    {
      id: "orders.etag",
      find: 'found.orders.map((order) => order.etag).join(" ")',
      replace: '""',
      caughtBy: ["core/usecases/ReadOrdersCursor.test.ts > MUST give a page another tag"],
    },
  ]),
  ...inFile("usecases", "core/usecases/LimitRequest.ts", [
    {
      id: "limit.default",
      find: "limit: 120, window: 60_000",
      replace: "limit: 121, window: 60_000",
      caughtBy: [
        "core/usecases/LimitRequest.test.ts > MUST accept 120 in any 60 seconds by default, by the clock at hand",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/ManageDeliveries.ts", [
    {
      id: "deliveries.test.latest",
      find: "data: designData(wire), now, test: true",
      replace: "data: designData(wire), now",
      caughtBy: [
        "core/usecases/dispatch/TestEvents.test.ts > MUST be the design with the newest orderedAt whose status is ordered",
      ],
    },
    {
      id: "deliveries.redeliver.test",
      find: "event: delivery.event, test: delivery.test }",
      replace: "event: delivery.event, test: false }",
      caughtBy: ["core/usecases/RedeliverTestEvent.test.ts > MUST stay a test"],
    },
    {
      id: "deliveries.recover.plan",
      find: "  yield* requireWebhooks(shop)\n  const now = yield* Clock.currentTimeMillis\n  const run",
      replace: "  const now = yield* Clock.currentTimeMillis\n  const run",
      caughtBy: [
        "core/usecases/ManageDeliveries.test.ts > MUST refuse to redeliver and to recover where the shop's plan is free, adding nothing",
      ],
    },
    {
      id: "deliveries.headers.time",
      find: "headersOf(shown, made.at, yield",
      replace: "headersOf(shown, made.at + made.durationMs, yield",
      caughtBy: ["core/usecases/dispatch/SlowLookup.test.ts > MUST be signed with the time that the log shows"],
    },
  ]),
  ...inFile("usecases", "core/usecases/TellNotices.ts", [
    {
      id: "notices.deadline",
      find: "if (now >= deadline) return",
      replace: "if (now > deadline) return",
      caughtBy: [
        "core/usecases/TellManyNotices.test.ts > MUST tell all notices that are due, more than are claimed at once, and none at the deadline (D42)",
      ],
    },
    {
      id: "notices.more",
      find: "if (claims.length < batch) return",
      replace: "return",
      caughtBy: [
        "core/usecases/TellManyNotices.test.ts > MUST tell all notices that are due, more than are claimed at once, and none at the deadline (D42)",
      ],
    },
    {
      id: "notices.timeout",
      find: "const timeout = lease / 2",
      replace: "const timeout = lease * 2",
      caughtBy: [
        "core/usecases/TellNotices.test.ts > MUST count as not told what takes longer than half of the lease, or is a defect",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/RedactOrder.ts", [
    {
      id: "redact.events",
      find: "if (page.length < pageSize) return changedAny",
      replace: "return changedAny",
      caughtBy: [
        "core/usecases/RedactEvents.test.ts > MUST redact every kept event of its designs, however many there are",
      ],
    },
    {
      id: "redact.other",
      find: "designIds.has(fromWire(wire).id) ? redact(wire) : Effect.succeed(wire)",
      replace: "redact(wire)",
      caughtBy: [
        "core/usecases/RedactEvents.test.ts > MUST redact of an event with several designs those of the order alone",
      ],
    },
  ]),
  ...inFile("usecases", "core/model/Design.ts", [
    {
      id: "images.order",
      find: "new Set([...views.filter((view) => Object.hasOwn(images, view)), ...Object.keys(images)])",
      replace: "new Set(Object.keys(images))",
      caughtBy: [
        "core/model/Wire.test.ts > MUST have the images in the order of the views, whatever order JavaScript gives their names (D7)",
      ],
    },
    {
      id: "images.order.kept",
      find: "replaceMembers(text, new Map(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])))",
      replace: "JSON.stringify({ ...fromWire(text), ...fields })",
      caughtBy: [
        "core/usecases/RedactEvents.test.ts > MUST keep the order of images in designs and in events, whatever order JavaScript gives their names (D7)",
        "core/model/Wire.test.ts > MUST keep all fields that a change does not name, to the byte",
      ],
    },
  ]),
]
