/** Compares types alone: if they differ, the type check fails. Nothing can fail at run time. */
import { describe, expectTypeOf, it } from "vitest"
import type { Customizer } from "./catalog/Customizer.ts"
import type * as Definition from "./catalog/Definition.ts"
import type { Design } from "./catalog/Design.ts"
import type { EndpointKind } from "./events/Event.ts"
import type { EventPage } from "./events/EventPage.ts"
import type { Order } from "./orders/Order.ts"
import type { LineOfOrder } from "./orders/OrderLine.ts"
import type { OrderPage } from "./Page.ts"
import type * as Resources from "./Resources.ts"
import type { AttemptError } from "./webhooks/Delivery.ts"

describe("The plain types of resources", () => {
  it("MUST equal the types of the schemas (§2)", () => {
    expectTypeOf<Resources.Design>().toEqualTypeOf<Design>()
    expectTypeOf<Resources.Order>().toEqualTypeOf<Order>()
    expectTypeOf<Resources.OrderLine>().toEqualTypeOf<LineOfOrder>()
    expectTypeOf<Resources.OrderPage>().toEqualTypeOf<OrderPage>()
    expectTypeOf<Resources.EventPage>().toEqualTypeOf<EventPage>()
    expectTypeOf<Resources.Customizer>().toEqualTypeOf<Customizer>()
    expectTypeOf<Resources.EndpointKind>().toEqualTypeOf<EndpointKind>()
    expectTypeOf<Resources.FeedEvent["event"]>().toEqualTypeOf<EndpointKind>()
    expectTypeOf<Resources.AttemptError>().toEqualTypeOf<AttemptError>()
  })

  it("MUST equal the types of the definition's schemas (§2.3)", () => {
    expectTypeOf<Resources.DefinitionStep>().toEqualTypeOf<Definition.Step>()
    expectTypeOf<Resources.DefinitionAnswer>().toEqualTypeOf<Definition.DefinitionAnswer>()
    expectTypeOf<Resources.DefinitionQuestion>().toEqualTypeOf<Definition.Question>()
    expectTypeOf<Resources.DefinitionRule>().toEqualTypeOf<Definition.Rule>()
    expectTypeOf<Resources.Definition>().toEqualTypeOf<Definition.Definition>()
  })
})
