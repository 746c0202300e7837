import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in shops, their tokens and the rates of those. */
export const shops: ReadonlyArray<Mutant> = [
  ...inFile("memory", "adapters/memory/Shops.ts", [
    {
      id: "shops.removed-rest",
      find: "if (state.removed.delete(shop.id)) dropHoldings(state, shop.id)",
      replace: "state.removed.delete(shop.id)",
      caughtBy: ["shops.remove.again"],
    },
    {
      id: "shops.removed-tokens",
      find: "Effect.as(publishTokens(state, dropHoldings(state, shop)), true)",
      replace: "Effect.sync(() => dropHoldings(state, shop).length >= 0)",
      caughtBy: ["shops.remove.tokens"],
    },
    {
      id: "shops.plan-wakes",
      find: "!includesApi(before.plan) && includesApi(shop.plan)",
      replace: "includesApi(before.plan) && includesApi(shop.plan)",
      caughtBy: ["signals.plan.here"],
    },
  ]),
  ...inFile("memory", "adapters/memory/KeptAnswers.ts", [
    {
      id: "answers.ended",
      find: "kept !== undefined && kept.until > now",
      replace: "kept !== undefined",
      caughtBy: ["answers.ended"],
    },
    {
      id: "answers.under-way",
      find: "        state.underWay.add(place)\n",
      replace: "",
      caughtBy: ["answers.under-way"],
    },
    {
      id: "answers.erased",
      find: "if (kept.hasTexts) answers?.set(key, { ...kept, answer: null })",
      replace: "if (kept.hasTexts) answers?.delete(key)",
      caughtBy: ["answers.erase"],
    },
  ]),
  ...inFile("memory", "adapters/memory/Tokens.ts", [
    {
      id: "tokens.revoked-digest",
      find: "        state.digests.delete(token.digest)\n",
      replace: "",
      caughtBy: ["tokens.revoke.gone"],
      reason:
        "The token itself is gone, and the digest leads to nothing: only memory is lost, until the shop is removed.",
    },
    {
      id: "tokens.ending",
      find: "        addNotices(holdings, endingOf(token))\n",
      replace: "",
      caughtBy: ["notices.token"],
    },
    {
      id: "tokens.revoke.ending",
      find: "        if (isUnsent) holdings.notices.delete(endingId(id))\n",
      replace: "",
      caughtBy: ["notices.token.revoked"],
    },
    {
      id: "tokens.revoke.told",
      find: "if (isUnsent) ",
      replace: "",
      caughtBy: ["notices.token.revoked"],
    },
    {
      id: "tokens.touch-back",
      find: "token.lastUsedAt === null || token.lastUsedAt < now",
      replace: "true",
      caughtBy: ["tokens.touch.later"],
    },
    {
      id: "tokens.listeners",
      find: "const own = (digest: string) => listener(digest)",
      replace: "const own = listener",
      caughtBy: ["tokens.listen.same"],
    },
    {
      id: "tokens.order",
      find: "right.createdAt - left.createdAt || compareIds(right.id, left.id)",
      replace: "left.createdAt - right.createdAt || compareIds(right.id, left.id)",
      caughtBy: ["tokens.list.order"],
    },
  ]),
  ...inFile("memory", "adapters/memory/RateLimits.ts", [
    {
      id: "rates.window",
      find: "const times = kept.filter((time) => time > at - window)\n        const accepted",
      replace: "const times = kept.filter((time) => time >= at - window)\n        const accepted",
      caughtBy: ["rate.sliding"],
      sample: true,
    },
    {
      id: "rates.clock-back",
      find:
        "const at = Math.max(now, kept.at(-1) ?? now)\n" +
        "        const times = kept.filter((time) => time > at - window)\n        const accepted",
      replace:
        "const at = now\n        const times = kept.filter((time) => time > at - window)\n        const accepted",
      caughtBy: ["rate.clock.behind"],
    },
    {
      id: "rates.refused",
      find: "        if (accepted) {",
      replace: "        {",
      caughtBy: ["rate.limit"],
    },
    {
      id: "rates.lowered",
      find: "times[accepted ? 0 : times.length - limit] ?? at",
      replace: "times[0] ?? at",
      caughtBy: ["rate.limit.lowered"],
    },
  ]),
]
