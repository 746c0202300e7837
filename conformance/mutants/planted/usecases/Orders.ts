import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the use cases: in saving designs, placing, cancelling, reading and redacting orders. */
export const orders: ReadonlyArray<Mutant> = [
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
      find: "  yield* refuseRepeated(lines)\n",
      replace: "",
      caughtBy: ["core/usecases/PlaceOrderAgain.test.ts > MUST refuse a design that is named twice"],
    },
    {
      id: "place.empty",
      find: "if (lines.length === 0) return",
      replace: "if (lines.length < 0) return",
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
