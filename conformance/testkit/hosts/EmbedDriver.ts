import { type Designwire, DesignwireError, type TokenScope } from "../../../hosts/embed/index.ts"
import { CallRefused, type ServiceDriver } from "../../suites/service/ServiceDriver.ts"

/** Statuses of refusals. A missing plan has no fixed status, because that depends on the caller. */
const statuses: Readonly<Record<string, number>> = {
  NotFound: 404,
  InvalidInput: 400,
  Refused: 422,
  TooLarge: 413,
  Conflict: 409,
  DesignFrozen: 409,
}

/** Changes a service through the embedder's interface. */
export const embedDriver = (designwire: Designwire): Omit<Required<ServiceDriver>, "dropEvents"> => {
  const { customizers, designs, orders, shops, tokens, webhooks } = designwire
  const refusing = async <A>(call: Promise<A>): Promise<A> => {
    try {
      return await call
    } catch (error) {
      if (!(error instanceof DesignwireError) || error.code === "Unavailable") throw error
      throw new CallRefused(error.message, statuses[error.code])
    }
  }
  return {
    putShop: ({ input, shop }) => refusing(shops.put(shop, input)),
    putCustomizer: ({ id, input, shop }) => refusing(customizers.put(shop, id, input)),
    publish: ({ definition, id, shop }) => refusing(customizers.publish(shop, id, { definition: definition as never })),
    putDesign: ({ id, input, shop }) => refusing(designs.save(shop, id, input as never)),
    putOrder: ({ id, input, shop }) => refusing(orders.place(shop, id, input)),
    cancelOrder: ({ id, shop }) => refusing(orders.cancel(shop, id)),
    createToken: ({ shop }) => refusing(tokens.create(shop, { name: "Conformance" })),
    createLimitedToken: ({ expiresAt, scopes, shop }) =>
      refusing(
        tokens.create(shop, {
          name: "Conformance",
          expiresAt,
          scopes: scopes as ReadonlyArray<TokenScope> | undefined,
        }),
      ),
    deleteToken: ({ id, shop }) => refusing(tokens.delete(shop, id)),
    createEndpoint: ({ input, shop }) => refusing(webhooks.create(shop, input as never)),
    pause: ({ endpoint, shop }) => refusing(webhooks.pause(shop, endpoint)),
    enable: ({ endpoint, shop }) => refusing(webhooks.enable(shop, endpoint)),
    test: ({ endpoint, shop }) => refusing(webhooks.test(shop, endpoint)),
    deliveries: ({ endpoint, shop }) => refusing(webhooks.deliveries(shop, endpoint)),
    redeliver: ({ delivery, endpoint, shop }) => refusing(webhooks.redeliver(shop, endpoint, delivery)),
    recover: ({ endpoint, shop, since }) => refusing(webhooks.recover(shop, endpoint, { since })),
    rotate: ({ endpoint, shop, ...input }) => refusing(webhooks.rotate(shop, endpoint, input)),
    promote: ({ endpoint, shop }) => refusing(webhooks.promote(shop, endpoint)),
    standardWebhooks: ({ enabled, endpoint, shop }) =>
      refusing(webhooks.update(shop, endpoint, { standardWebhooks: enabled })),
    endpointOptions: ({ endpoint, options, shop }) => refusing(webhooks.update(shop, endpoint, options)),
  }
}
