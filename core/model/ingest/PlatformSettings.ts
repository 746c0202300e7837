/** The choices of shops about when production makes an order of a platform (D80). */

/** The settings of a connection to a platform. */
export interface PlatformSettings {
  /** States of payment of Shopify with which an order is placed. */
  readonly paidStates: ReadonlyArray<string>
  /** Names of payment gateways of Shopify that need no payment before production, in lower case. */
  readonly laterGateways: ReadonlyArray<string>
  /** Whether Shopify's test orders are placed. */
  readonly takesTests: boolean
  /** States of WooCommerce with which an order is placed. */
  readonly placedStates: ReadonlyArray<string>
  /** States of WooCommerce of an order that was made and shipped. */
  readonly doneStates: ReadonlyArray<string>
  /** Whether a reorder gets copies of its designs (D84). */
  readonly copies: boolean
}

export const defaultSettings: PlatformSettings = {
  paidStates: ["paid", "partially_refunded"],
  laterGateways: ["cash on delivery (cod)", "cash on delivery", "cod"],
  takesTests: false,
  placedStates: ["processing"],
  doneStates: ["completed", "refunded"],
  copies: true,
}
