import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the rules: in what a definition is refused for. */
export const publishing: ReadonlyArray<Mutant> = [
  ...inFile("rules", "core/rules/PublishCheck.ts", [
    {
      id: "PublishCheck.thumbnail",
      find: 'ownString(object, "view") !== thumbnail',
      replace: "true",
      caughtBy: ["core/rules/PublishCheck.test.ts > MUST refuse ${requirement}"],
    },
    {
      id: "PublishCheck.range",
      find: "const most = max === undefined && upload ? 1 : max",
      replace: "const most = max",
      caughtBy: ["core/rules/PublishCheck.test.ts > MUST refuse ${requirement}"],
    },
    {
      id: "PublishCheck.references",
      find: "if (isPlainObject(input)) checkReferences(report, input)",
      replace: "if (report.total === 0 && isPlainObject(input)) checkReferences(report, input)",
      caughtBy: ["core/rules/PublishCheck.test.ts > MUST report problems of shape and of references in one go"],
    },
  ]),
  ...inFile("rules", "core/rules/RuleCheck.ts", [
    {
      id: "RuleCheck.earliest",
      find: "target.index < first.index ? target : first",
      replace: "target.index > first.index ? target : first",
      caughtBy: ["core/rules/PublishCheck.test.ts > MUST refuse ${requirement}"],
    },
    {
      id: "RuleCheck.itself",
      find: "question.index >= earliest.index",
      replace: "question.index > earliest.index",
      caughtBy: ["core/rules/PublishCheck.test.ts > MUST refuse ${requirement}"],
    },
    {
      id: "RuleCheck.depth",
      find: "depth > MAX_CONDITION_DEPTH",
      replace: "depth >= MAX_CONDITION_DEPTH",
      caughtBy: [
        "core/rules/PublishCheckHostile.test.ts > MUST accept conditions that are nested as deep as documented, and refuse the next level",
      ],
    },
    {
      id: "RuleCheck.shown-hidden",
      find: 'typeof id === "string" && shown.has(id)',
      replace: 'typeof id === "number" && shown.has(id)',
      caughtBy: ["core/rules/PublishCheck.test.ts > MUST refuse ${requirement}"],
    },
  ]),
]
