/** The queue that pg-boss keeps the deliveries in. */
export const queue = "deliveries"
