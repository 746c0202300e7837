/** The texts of the overview. */
export const overview = {
  title: "Overview",
  orders: "Newest orders",
  ordersTotal: "Orders, all time",
  noOrders: "No orders with custom items yet.",
  more: (designs: number) => `and ${designs} more`,
  webhooks: "Webhooks",
  allWorking: "All working",
}
