import type { TokenScope } from "../model/access/Token.ts"

/** The scope that each read of the contract needs (D77), by its path. Other addresses need none: nothing is there. */
export const scopeOf = {
  "/orders": "orders:read",
  "/orders/:platformOrderId": "orders:read",
  "/designs/:id": "designs:read",
  "/customizers/:id": "customizers:read",
  "/events": "events:read",
} as const satisfies Readonly<Record<string, TokenScope>>
