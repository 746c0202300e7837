import type { BusyShop } from "./BusyShop.ts"

/** The pages whose size and time are measured, as paths in the app. A new page is one line. */
export const settingsPaths = (
  { endpoints: { failing, healthy, off, quiet } }: BusyShop,
  delivery: string,
): ReadonlyArray<`/${string}`> => [
  "/",
  "/?range=30d",
  "/webhooks",
  "/webhooks/new",
  `/webhooks/${healthy}`,
  `/webhooks/${healthy}?range=30d`,
  `/webhooks/${failing}`,
  `/webhooks/${off}`,
  `/webhooks/${healthy}/update`,
  `/webhooks/${quiet}/delete`,
  `/webhooks/${quiet}/rotate`,
  `/webhooks/${healthy}/secret`,
  `/webhooks/${failing}/deliveries/${delivery}`,
  "/events",
  "/tokens",
  "/tokens?q=system",
  "/stores",
  "/stores?q=store-1",
]
