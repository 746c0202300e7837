/** The texts of the page that checks and publishes definitions. */
export const publish = {
  title: (title: string) => `Definition for ${title}`,
  crumb: "Definition",
  lead: "Paste a definition to see every problem that publishing it would meet.",
  readOnly: "You may check definitions here. Publishing is for those whom the operator allows.",
  definition: "Definition",
  hint: "JSON of at most 512 KiB.",
  check: "Check",
  publish: "Publish",
  problems: (count: string, isOne: boolean) => `${count} ${isOne ? "problem" : "problems"}: this can't be published`,
  more: (count: string) => `and ${count} more. Mend these first.`,
  at: (line: string, column: string) => `Line ${line}, column ${column}`,
  whole: "The whole definition",
  sound: "No problems: this can be published.",
  soundDetails: (steps: string, questions: string, rules: string) =>
    `Steps: ${steps}, questions: ${questions}, rules: ${rules}.`,
  notShown: "The definition is too long to be shown here again. Paste it again after mending it.",
  published: (version: number) => `Version ${version} is published. New designs are evaluated with it.`,
  forbidden: "You may check definitions, but not publish them. Ask the operator of this service.",
}
