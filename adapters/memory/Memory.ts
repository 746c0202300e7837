/** All storage ports in one process: for tests, examples and trying things out. Nothing survives the process. */
import { Context, Layer } from "effect"
import { AuditStore } from "../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { SettingsSessions } from "../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { makeRateLimits } from "./access/RateLimits.ts"
import { makeSettingsSessions } from "./access/SettingsSessions.ts"
import { makeTokens } from "./access/Tokens.ts"
import { makeAudit } from "./audit/Audit.ts"
import { makeCustomizers } from "./catalog/Customizers.ts"
import { makeEvents } from "./events/Events.ts"
import { makeInbox } from "./ingest/Inbox.ts"
import { makeOrders } from "./orders/Orders.ts"
import { makeState, type State } from "./State.ts"
import { makeKeptAnswers } from "./shops/KeptAnswers.ts"
import { makeShops } from "./shops/Shops.ts"
import { makeUpkeep } from "./Upkeep.ts"
import { makeDeliveryLog } from "./webhooks/DeliveryLog.ts"
import { makeDeliveryQueue } from "./webhooks/DeliveryQueue.ts"
import { makeEndpoints } from "./webhooks/Endpoints.ts"
import { makeNotices } from "./webhooks/Notices.ts"
import { makeSignals } from "./webhooks/Signals.ts"

export { makeState, type State } from "./State.ts"

/** One host's view of a store. Layers of the same state are hosts that share it. */
export const layerShared = (state: State): Layer.Layer<StoragePorts> =>
  Layer.syncContext(() =>
    Context.make(ShopStore, makeShops(state)).pipe(
      Context.add(CustomizerStore, makeCustomizers(state)),
      Context.add(OrderStore, makeOrders(state)),
      Context.add(TokenStore, makeTokens(state)),
      Context.add(RateLimits, makeRateLimits(state)),
      Context.add(EndpointStore, makeEndpoints(state)),
      Context.add(DeliveryQueue, makeDeliveryQueue(state)),
      Context.add(DeliveryLog, makeDeliveryLog(state)),
      Context.add(Upkeep, makeUpkeep(state)),
      Context.add(DeliverySignal, makeSignals(state)),
      Context.add(EventStore, makeEvents(state)),
      Context.add(NoticeStore, makeNotices(state)),
      Context.add(KeptAnswers, makeKeptAnswers(state)),
      Context.add(SettingsSessions, makeSettingsSessions(state)),
      Context.add(AuditStore, makeAudit(state)),
      Context.add(Inbox, makeInbox(state)),
    ),
  )

/** A new, separate store. */
export const layer: Layer.Layer<StoragePorts> = Layer.suspend(() => layerShared(makeState()))
