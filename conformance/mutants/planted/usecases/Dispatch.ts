import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the use cases: in what a worker does. */
export const dispatch: ReadonlyArray<Mutant> = [
  ...inFile("usecases", "core/usecases/dispatch/Worker.ts", [
    {
      id: "worker.lease",
      find: "if (leaseUntil - now < leastLease) madeRoom = free(claim) || madeRoom\n      else begin(claim)",
      replace: "begin(claim)",
      caughtBy: [
        "core/usecases/dispatch/Worker.test.ts > MUST NOT begin what it had claimed ahead when what is left of the lease is less than an attempt may last",
      ],
    },
    {
      id: "worker.deadline",
      find: "      if (now >= deadline) break\n",
      replace: "",
      caughtBy: [
        "core/usecases/dispatch/Attempts.test.ts > MUST begin nothing from its deadline on, not even what it had claimed before",
      ],
    },
    {
      id: "worker.deadline.hold",
      find: "      if (now >= deadline) break\n      const { claim, leaseUntil } = waiting.shift() as Waiting\n      if (leaseUntil - now < leastLease)",
      replace:
        "      const { claim, leaseUntil } = waiting.shift() as Waiting\n      if (leaseUntil - now < leastLease || now >= deadline)",
      caughtBy: [
        "core/usecases/dispatch/Drain.test.ts > MUST begin nothing at the deadline of what it has claimed ahead either, and hold none of it",
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
        "core/usecases/dispatch/Attempts.test.ts > MUST be taken at once by the next of an endpoint that has failed and has none under way any more, while another endpoint hangs (D45)",
      ],
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
        "core/usecases/dispatch/Attempts.test.ts > MUST make room for one other where the sender can't be interrupted and responds later (D45)",
      ],
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
      find: 'Effect.catch((error) => Effect.logError("Gave up settling deliveries: they are attempted again", error)),\n      Effect.andThen(Effect.sync(() => settled(batch))),',
      replace:
        'Effect.andThen(Effect.sync(() => settled(batch))),\n      Effect.catch((error) => Effect.logError("Gave up settling deliveries: they are attempted again", error)),',
      caughtBy: [
        "core/usecases/dispatch/Faults.test.ts > MUST let a delivery be attempted again where it could not be settled for as long as its lease, and count once",
      ],
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
        "core/usecases/dispatch/Drain.test.ts > MUST settle what it began before the deadline, for as long as it holds it, though the store fails",
      ],
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
]
