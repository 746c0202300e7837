/** The texts of an endpoint's log. */
export const deliveryTable = {
  columns: ["State", "Event", "Time", "Response", "Duration", "Attempt"],
  noResponse: "None yet",
}
