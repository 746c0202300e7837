import type { ManagedShop } from "./Manage.ts"

/** The id of a customizer for this purpose only, which no buyer sees. */
const customizerId = 999_999_999

const definition = {
  schemaVersion: 1,
  steps: [{ id: "choose", title: "Choose", view: "front" }],
  questions: [
    {
      id: "colour",
      step: "choose",
      title: "Colour",
      type: "single",
      answers: [{ id: "red", title: "Red", productionCode: "RED", price: 250 }],
    },
  ],
  rules: [],
}

/** Saves a design of a customizer of its own, and returns the design's id. */
export const saveSampleDesign = async ({ call }: ManagedShop, designId: string): Promise<string> => {
  const path = `/customizers/${customizerId}`
  const description = {
    title: "Made by designwire trigger",
    platformProductId: `gid://platform/Product/${customizerId}`,
    assetBase: "https://assets.example.com/",
  }
  const { version } = (await call("PUT", path, description)) as { readonly version: number | null }
  if (version === null) await call("POST", `${path}/publish`, { definition })
  await call("PUT", `/designs/${designId}`, { customizerId, selection: { colour: "red" }, basePrice: 1_900 })
  return designId
}
