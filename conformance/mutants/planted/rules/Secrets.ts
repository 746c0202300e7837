import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the rules: in secrets, signatures, tokens, and what is taken out of events. */
export const secrets: ReadonlyArray<Mutant> = [
  ...inFile("rules", "core/rules/SecretRotation.ts", [
    {
      id: "SecretRotation.running",
      find: "now < rotation.until",
      replace: "now <= rotation.until",
      caughtBy: [
        "core/rules/SecretRotation.test.ts > MUST be the old one until the rotation is over, and the new one from that millisecond on (D40)",
      ],
    },
    {
      id: "SecretRotation.valid",
      find: "? [secrets.secret, secrets.rotation.secret]",
      replace: "? [secrets.rotation.secret]",
      caughtBy: [
        "core/rules/ValidSecrets.test.ts > The secrets that a receiver may know MUST be both while a rotation runs",
      ],
    },
    {
      id: "SecretRotation.at-once",
      find: "until <= now ?",
      replace: "until < now ?",
      caughtBy: ["core/rules/SecretRotation.test.ts > MUST leave nothing but the new secret where it signs at once"],
    },
    {
      id: "SecretRotation.promote",
      find: "{ secret: secrets.rotation.secret, secretSince: now, rotation: null }",
      replace: "{ secret: secrets.secret, secretSince: now, rotation: null }",
      caughtBy: [
        "core/rules/SecretRotation.test.ts > MUST leave the new secret alone, since now, or since the rotation was over by time",
      ],
    },
    {
      id: "SecretRotation.held",
      find: "began < secrets.secretSince + longestHeld",
      replace: "began < secrets.secretSince",
      caughtBy: ["core/rules/SecretRotation.test.ts > MUST NOT be told for attempts before the secret began to sign"],
    },
  ]),
  ...inFile("rules", "core/rules/Signature.ts", [
    {
      id: "Signature.tolerance",
      find: "Math.abs(now - timestamp * 1000) <= tolerance * 1000",
      replace: "now - timestamp * 1000 <= tolerance * 1000",
      caughtBy: [
        "core/rules/Signature.test.ts > MUST be refused past 300 seconds in either direction, to the millisecond (§5, §8)",
      ],
    },
    {
      id: "Signature.floor",
      find: "String(Math.floor(now / 1000))",
      replace: "String(Math.round(now / 1000))",
      caughtBy: ["core/rules/Signature.test.ts > MUST be whole seconds, cut off and not rounded (§6)"],
    },
    {
      id: "Signature.difference",
      find: "difference |= expected",
      replace: "difference = expected",
      caughtBy: ["core/rules/Signature.test.ts > MUST refuse a signature that differs in any one digit (§5)"],
    },
  ]),
  ...inFile("rules", "core/rules/TokenFormat.ts", [
    {
      id: "TokenFormat.checksum",
      find: "shape.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)",
      replace: "shape.test(text)",
      caughtBy: [
        "core/rules/TokenFormat.test.ts > MUST be told from what differs in any single character, or in two that changed places",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/Redaction.ts", [
    {
      id: "Redaction.chosen",
      find: "if (chosen.has(question)) return [question, value]",
      replace: "",
      caughtBy: [
        "core/rules/Redaction.test.ts > MUST replace texts and upload ids, as many as there were, and keep codes, prices and the rest (D43)",
      ],
    },
    {
      id: "Redaction.summary",
      find: "isGiven[index] === true ? { ...entry, value: redactValue(entry.value) } : entry",
      replace: "entry",
      caughtBy: ["core/rules/Redaction.test.ts > MUST leave no text of any text or upload question of the sample shop"],
    },
    {
      id: "Redaction.further-keys",
      find: 'typeof value === "string" ? redacted : { text: redacted }',
      replace: 'typeof value === "string" ? redacted : { ...value, text: redacted }',
      caughtBy: [
        "core/rules/Redaction.test.ts > MUST replace texts and upload ids, as many as there were, and keep codes, prices and the rest (D43)",
      ],
    },
  ]),
]
