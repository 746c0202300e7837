/** Every storage port of designwire on an SQLite file: an example of a third-party adapter. */
import {
  AuditStore,
  CustomizerStore,
  DeliveryLog,
  DeliveryQueue,
  DeliverySearch,
  DeliverySignal,
  EndpointStore,
  EventStore,
  Inbox,
  KeptAnswers,
  NoticeStore,
  OrderStore,
  RateLimits,
  SealedSecrets,
  SettingsSessions,
  ShopStore,
  ShopViews,
  type StoragePorts,
  TokenStore,
  Upkeep,
} from "designwire/ports"
import { Context, Effect, Layer } from "effect"
import { makeAnswers } from "./Answers.ts"
import { makeAudit } from "./Audit.ts"
import { makeCustomizers } from "./Customizers.ts"
import { Database } from "./Database.ts"
import { makeEndpoints, makeSecrets } from "./Endpoints.ts"
import { makeEvents, makeLog, makeNotices } from "./Events.ts"
import { Host } from "./Host.ts"
import { makeInbox } from "./Inbox.ts"
import { makeOrders } from "./Orders.ts"
import { makeQueue } from "./Queue.ts"
import { makeSearch } from "./Search.ts"
import { makeSessions } from "./Sessions.ts"
import { makeRateLimits, makeShops, makeTokens } from "./Shops.ts"
import { makeViews } from "./ShopViews.ts"
import { makeUpkeep } from "./Upkeep.ts"

/** A process's view of the file, which is created if missing. */
export const layer = (path: string): Layer.Layer<StoragePorts> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const database = yield* Effect.acquireRelease(
        Effect.sync(() => new Database(path)),
        (opened) => Effect.sync(() => opened.close()),
      )
      const host = new Host(database)
      return Context.make(ShopStore, makeShops(host)).pipe(
        Context.add(TokenStore, makeTokens(host)),
        Context.add(RateLimits, makeRateLimits(host)),
        Context.add(CustomizerStore, makeCustomizers(host)),
        Context.add(OrderStore, makeOrders(host)),
        Context.add(EndpointStore, makeEndpoints(host)),
        Context.add(SealedSecrets, makeSecrets(host)),
        Context.add(DeliveryQueue, makeQueue(host)),
        Context.add(DeliveryLog, makeLog(host)),
        Context.add(DeliverySearch, makeSearch(host)),
        Context.add(EventStore, makeEvents(host)),
        Context.add(NoticeStore, makeNotices(host)),
        Context.add(KeptAnswers, makeAnswers(host)),
        Context.add(Inbox, makeInbox(host)),
        Context.add(ShopViews, makeViews(host)),
        Context.add(SettingsSessions, makeSessions(host)),
        Context.add(AuditStore, makeAudit(host)),
        Context.add(Upkeep, makeUpkeep(host)),
        Context.add(DeliverySignal, { wake: Effect.sync(() => host.wake(null)), subscribe: host.subscribe }),
      )
    }),
  )
