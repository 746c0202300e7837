/** The name of pg-boss's queue. */
export const queue = "deliveries"
