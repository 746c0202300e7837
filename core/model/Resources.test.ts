/** Types alone are compared here: the check of types fails where they differ, at run time nothing can. */
import { describe, expectTypeOf, it } from "vitest"
import type { Customizer } from "./Customizer.ts"
import type * as Definition from "./Definition.ts"
import type { Design } from "./Design.ts"
import type { EventPage } from "./EventPage.ts"
import type { Order } from "./Order.ts"
import type { OrderPage } from "./Page.ts"
import type * as Resources from "./Resources.ts"

describe("The plain types of resources", () => {
  it("MUST be those of the schemas (§2)", () => {
    expectTypeOf<Resources.Design>().toEqualTypeOf<Design>()
    expectTypeOf<Resources.Order>().toEqualTypeOf<Order>()
    expectTypeOf<Resources.OrderPage>().toEqualTypeOf<OrderPage>()
    expectTypeOf<Resources.EventPage>().toEqualTypeOf<EventPage>()
    expectTypeOf<Resources.Customizer>().toEqualTypeOf<Customizer>()
  })

  it("MUST be those of the definition's schemas (§2.3)", () => {
    expectTypeOf<Resources.DefinitionStep>().toEqualTypeOf<Definition.Step>()
    expectTypeOf<Resources.DefinitionAnswer>().toEqualTypeOf<Definition.Answer>()
    expectTypeOf<Resources.DefinitionQuestion>().toEqualTypeOf<Definition.Question>()
    expectTypeOf<Resources.DefinitionCondition>().toEqualTypeOf<Definition.Condition>()
    expectTypeOf<Resources.DefinitionRule>().toEqualTypeOf<Definition.Rule>()
    expectTypeOf<Resources.Definition>().toEqualTypeOf<Definition.Definition>()
  })
})
