import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the rules: in the states of designs and orders. */
export const states: ReadonlyArray<Mutant> = [
  ...inFile("rules", "core/rules/DesignState.ts", [
    {
      id: "DesignState.frozen",
      find: '  { from: "draft", trigger: "save", to: "draft" },\n',
      replace:
        '  { from: "draft", trigger: "save", to: "draft" },\n  { from: "ordered", trigger: "save", to: "draft" },\n',
      caughtBy: ["core/rules/States.test.ts > MUST go from %s by %s to %s"],
    },
  ]),
  ...inFile("rules", "core/rules/OrderState.ts", [
    {
      id: "OrderState.cancelled",
      find: '  { from: "ordered", trigger: "place", to: "ordered" },\n',
      replace:
        '  { from: "ordered", trigger: "place", to: "ordered" },\n  { from: "cancelled", trigger: "place", to: "ordered" },\n',
      caughtBy: ["core/rules/States.test.ts > MUST go from %s by %s to %s"],
    },
  ]),
]
