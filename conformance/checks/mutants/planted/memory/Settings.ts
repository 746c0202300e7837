import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in marks of the settings app's sessions, and in what its pages show at once. */
export const settings: ReadonlyArray<Mutant> = [
  ...inFile("memory", "adapters/memory/SettingsSessions.ts", [
    {
      id: "sessions.used-again",
      find: "        if (marks.has(usedId(id))) return false\n",
      replace: "",
      caughtBy: ["sessions.spend"],
    },
    {
      id: "sessions.goes-on",
      find: "isEnded: isSpent(state, shop, session),",
      replace: "isEnded: false,",
      caughtBy: ["sessions.spend"],
    },
    {
      id: "sessions.names-meet",
      find: "`epoch ${owner}`",
      replace: "`used ${owner}`",
      caughtBy: ["sessions.apart"],
    },
    {
      id: "sessions.every-shop",
      find: "state.holdings.get(shop)?.marks.has(usedId(id)) === true",
      replace: "[...state.holdings.values()].some(({ marks }) => shop !== id && marks.has(usedId(id)))",
      caughtBy: ["sessions.apart"],
    },
    {
      id: "sessions.clock",
      find: "epoch: Math.max(now, (before?.epoch ?? 0) + 1),",
      replace: "epoch: now,",
      caughtBy: ["sessions.epoch"],
    },
    {
      id: "sessions.counted",
      find: "epoch: Math.max(now, (before?.epoch ?? 0) + 1),",
      replace: "epoch: now - now + (before?.epoch ?? 0) + 1,",
      caughtBy: ["sessions.epoch"],
    },
    {
      id: "sessions.forgotten",
      find: "until: Math.max(until, before?.until ?? until),",
      replace: "until: Math.min(until, before?.until ?? until),",
      caughtBy: ["sessions.until"],
    },
  ]),
  ...inFile("memory", "adapters/memory/ShopViews.ts", [
    {
      id: "views.set-up",
      find: "isSpent(state, id, setUpMark)",
      replace: "(state.holdings.get(id)?.marks.size ?? 0) > 0 && setUpMark !== null",
      caughtBy: ["views.set-up"],
    },
    {
      id: "views.pending-tests",
      find: "queue.pending.length + queue.pendingTests.length",
      replace: "queue.pending.length",
      caughtBy: ["views.activity"],
    },
    {
      id: "views.latest",
      find: "(latest, { record: { createdAt } }) => Math.max(latest ?? createdAt, createdAt)",
      replace: "(latest, { record: { createdAt } }) => Math.min(latest ?? createdAt, createdAt)",
      caughtBy: ["views.activity"],
    },
    {
      id: "views.hours.from",
      find: "from <= hour && hour < until",
      replace: "from - from <= hour && hour < until",
      caughtBy: ["views.activity"],
    },
    {
      id: "views.mark.claims",
      find: "].map(({ token }) => token),",
      replace: "].map(({ record }) => record.id),",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.page.domain",
      find: " || domain.startsWith(search)",
      replace: " || domain === search",
      caughtBy: ["views.page"],
    },
    {
      id: "views.page.after",
      find: "compareIds(id, after) > 0",
      replace: "compareIds(id, after) >= 0",
      caughtBy: ["views.page"],
    },
    {
      id: "views.page.order",
      find: "          .sort((left, right) => compareIds(left.id, right.id))\n",
      replace: "",
      caughtBy: ["views.page"],
    },
    {
      id: "views.page.limit",
      find: ".slice(0, limit),\n      ),\n\n    mark",
      replace: ".slice(0, limit + 1),\n      ),\n\n    mark",
      caughtBy: ["views.page"],
    },
    {
      id: "views.mark.shop",
      find: "    state.shops.get(shop) ?? null,\n",
      replace: "",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.mark.endpoints",
      find: "    endpointsOfShop(state, shop),\n    queuesOf",
      replace: "    queuesOf",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.mark.tokens",
      find: "    [...(holdings?.tokens.keys() ?? [])],\n",
      replace: "",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.mark.orders",
      find: "    holdings?.orders.size ?? 0,\n",
      replace: "",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.mark.deliveries",
      find: "      last(all, newest).map(({ record: { attempts, id, status } }) => [id, status, attempts.length]),\n",
      replace: "      last(all, newest).length * 0,\n",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.mark.every-shop",
      find: "  const holdings = state.holdings.get(shop)\n  return JSON",
      replace: "  const holdings = [...state.holdings.values()].at(-1)\n  return JSON",
      caughtBy: ["views.mark"],
    },
  ]),
]
