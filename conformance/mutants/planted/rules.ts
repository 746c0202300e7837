import { inFile, type Mutant } from "../Mutant.ts"

/** Faults in the rules. */
export const rules: ReadonlyArray<Mutant> = [
  ...inFile("rules", "core/rules/Evaluation.ts", [
    {
      id: "Evaluation.last-rule",
      find: "question.switches.findLast(",
      replace: "question.switches.find(",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST stand in their order: the last that holds decides"],
      sample: true,
    },
    {
      id: "Evaluation.hidden",
      find: "return last === undefined ? !question.hidden : last.visible",
      replace: "return last === undefined ? true : last.visible",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST hide a question's answers from conditions on them"],
    },
    {
      id: "Evaluation.unknown.sorted",
      find: "for (const id of this.#unknown.sort())",
      replace: "for (const id of this.#unknown)",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST be refused with every problem named, in question order, unknown questions last",
      ],
      sample: true,
    },
    {
      id: "Evaluation.follow-up",
      find: "      this.answered[question.index] = 1\n    }\n  }\n\n  #isVisible",
      replace: "    }\n  }\n\n  #isVisible",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST not add problems that follow from a value that is refused already",
      ],
    },
    {
      id: "Evaluation.follow-up.single",
      find: "    this.answered[question.index] = 1\n    const answer = this.#choose(question, id)",
      replace:
        "    const answer = this.#choose(question, id)\n    if (answer !== undefined) this.answered[question.index] = 1",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST not add problems that follow from a value that is refused already",
      ],
    },
    {
      id: "Evaluation.rule.memo",
      find: "this.#compiled.rules[rule]?.(this) ? HOLDS : FAILS",
      replace: "this.#compiled.rules[rule]?.(this) ? HOLDS : NOT_YET",
      caughtBy: ["core/rules/Compile.test.ts > MUST take one question that 10,000 rules show and hide"],
      reason:
        "A rule that fails is asked again each time, with the same answer: the questions that it reads are settled. Only time is lost.",
    },
    {
      id: "Evaluation.required",
      find: "if (question.required) refuse",
      replace: "if (!question.required) refuse",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST answer the required question $id"],
    },
    {
      id: "Evaluation.disabled",
      find: "answer.disabledBy.some((rule) => this.#holds(rule))",
      replace: "answer.disabledBy.every((rule) => this.#holds(rule))",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST refuse a disabled answer and no other, whichever of the rules disables it",
      ],
    },
    {
      id: "Evaluation.multiple.order",
      find: "const answers = question.answers.filter(({ index }) => this.chosen[index] === 1)",
      replace: "const answers = ids.flatMap((id) => question.answerById.get(id) ?? [])",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST keep a text as given and follow question order, and answers the definition's order",
      ],
    },
    {
      id: "Evaluation.multiple.empty",
      find: "else if (value.length === 0) this.#unanswered(question)",
      replace: "else if (value.length < 0) this.#unanswered(question)",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST read %s"],
    },
    {
      id: "Evaluation.text.blank",
      find: 'if (text.trim() === "") {',
      replace: 'if (text === "") {',
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST answer the required question $id"],
    },
    {
      id: "Evaluation.text.blank.wrong",
      find: "      if (sound) this.#unanswered(question)",
      replace: "      this.#unanswered(question)",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST earn one problem for each thing that is wrong, and none that follows from it",
      ],
    },
    {
      id: "Evaluation.text.trimmed",
      find: "this.summary.push({ key: question.orderKey, value: text })",
      replace: "this.summary.push({ key: question.orderKey, value: text.trim() })",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST count a text in code points as it is given"],
    },
    {
      id: "Evaluation.charge.variant",
      find: "if (amount !== 0 || variantId !== null)",
      replace: "if (amount !== 0)",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST keep a variantId as given, a string or an integer (D44)"],
    },
    {
      id: "Evaluation.charge.free",
      find: "if (amount !== 0 || variantId !== null)",
      replace: "if (amount > 0 || variantId !== null)",
      caughtBy: ["core/rules/Price.test.ts > MUST not fall below 0: rounding makes up for it"],
    },
    {
      id: "Evaluation.hidden.taken",
      find: "if (visible) this.#take(question, value)",
      replace: "this.#take(question, value)",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST be judged only for kind where the question is hidden"],
    },
  ]),
  ...inFile("rules", "core/rules/SelectionValue.ts", [
    {
      id: "SelectionValue.astral",
      find: "text.length > codePoints && codePointLength(text) > codePoints",
      replace: "text.length > codePoints",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST count a text in code points as it is given"],
      sample: true,
    },
    {
      id: "SelectionValue.min",
      find: "if (ids.length < min) {",
      replace: "if (ids.length <= min) {",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST accept min and max themselves"],
    },
    {
      id: "SelectionValue.max",
      find: "if (ids.length > max) {",
      replace: "if (ids.length >= max) {",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST accept min and max themselves"],
    },
    {
      id: "SelectionValue.repeated",
      find: "(seen.has(id) ? repeated : seen).add(id)",
      replace: "seen.add(id)",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST earn one problem for each thing that is wrong, and none that follows from it",
      ],
    },
    {
      id: "SelectionValue.line-breaks",
      find: "/[^\\P{Cc}\\n\\r]/u",
      replace: "/[^\\P{Cc}\\n]/u",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST count a text in code points as it is given"],
    },
    {
      id: "SelectionValue.upload.empty",
      find: 'if (id !== "" && !isLongerThan',
      replace: "if (!isLongerThan",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST refuse %s"],
    },
    {
      id: "SelectionValue.text.own",
      find: 'const text = own(value, "text")',
      replace: "const text = (value as { text?: unknown }).text",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST not be read through its prototype"],
    },
    {
      id: "SelectionValue.list.storable",
      find: "return value.every(isStorable) ? undefined : () => NOT_STORABLE",
      replace: "return undefined",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST not hold %s in any value, hidden or not"],
    },
    {
      id: "SelectionValue.further-keys",
      find: "Object.keys(value).length === 1 ? undefined : jsonProblem(value)",
      replace: "undefined",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST refuse further keys beside a text that are %s, hidden or not (D44)",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/Compile.ts", [
    {
      id: "Compile.views.once",
      find: "[...new Set(definition.steps.map((step) => step.view))]",
      replace: "definition.steps.map((step) => step.view)",
      caughtBy: ["core/rules/Compile.test.ts > MUST name each view once, in the order of the steps"],
    },
    {
      id: "Compile.answers.index",
      find: "answerCount += compiled.answers.length",
      replace: "answerCount += 1",
      caughtBy: ["core/rules/EvaluationModel.test.ts > MUST evaluate as the text of the definition format says"],
    },
    {
      id: "Compile.order-key",
      find: "orderKey: question.orderKey ?? question.title",
      replace: "orderKey: question.orderKey ?? question.id",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST use orderKey, orderValue and productionKey, or title, title and id where they are left out",
      ],
    },
    {
      id: "Compile.upload.max",
      find: '(question.type === "upload" ? 1 : Number.POSITIVE_INFINITY)',
      replace: "Number.POSITIVE_INFINITY",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST have no upper bound on a multiple question without max, and one file on an upload without max",
      ],
    },
    {
      id: "Compile.answered",
      find: "const wanted = condition.answered ? 1 : 0",
      replace: "const wanted = 1",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST read %s"],
    },
    {
      id: "Compile.all",
      find: "return (facts) => parts.every((holds) => holds(facts))",
      replace: "return (facts) => parts.length > 0 && parts.every((holds) => holds(facts))",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST take all of nothing as true and any of nothing as false"],
    },
  ]),
  ...inFile("rules", "core/rules/Price.ts", [
    {
      id: "Price.tie",
      find: "over >= step - over ? step - over",
      replace: "over > step - over ? step - over",
      caughtBy: ["core/rules/Price.test.ts > MUST round %d in steps of %d by %d"],
    },
    {
      id: "Price.below-zero",
      find: "if (sum < 0) return -sum",
      replace: "if (sum < 0) return 0",
      caughtBy: ["core/rules/Price.test.ts > MUST not fall below 0: rounding makes up for it"],
    },
    {
      id: "Price.minus-zero",
      find: "amount + 0",
      replace: "amount",
      caughtBy: ["core/rules/Price.test.ts > MUST never be -0"],
    },
    {
      id: "Price.exact",
      find: "reduce((exact, line) => exact + BigInt(line.amount), BigInt(base))",
      replace: "reduce((exact, line) => exact + line.amount, base)",
      caughtBy: ["core/rules/Price.test.ts > MUST be refused where the sum leaves ±(2^53 − 1), and only there"],
    },
    {
      id: "Price.total",
      find: "!Number.isSafeInteger(sum) || !Number.isSafeInteger(total)",
      replace: "!Number.isSafeInteger(sum)",
      caughtBy: ["core/rules/Price.test.ts > MUST be refused where rounding leaves ±(2^53 − 1)"],
    },
  ]),
  ...inFile("rules", "core/rules/PublicHost.ts", [
    {
      id: "PublicHost.ends-like",
      find: "hostname.endsWith(`.${name}`)",
      replace: "hostname.endsWith(name)",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST accept %j (D34)"],
      sample: true,
    },
    {
      id: "PublicHost.labels",
      find: "if (labels.length > 1 && !reservedNames",
      replace: "if (!reservedNames",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse a host that is not a public name: %j (D34)"],
    },
    {
      id: "PublicHost.fragment",
      find: 'if (url.href.includes("#"))',
      replace: 'if (url.hash !== "")',
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse a fragment, also an empty one: %j (D34)"],
    },
    {
      id: "PublicHost.password",
      find: 'url.username !== "" || url.password !== ""',
      replace: 'url.username !== ""',
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse user info: %j (D34)"],
    },
    {
      id: "PublicHost.length",
      find: "url.href.length > maximumUrl",
      replace: "text.length > maximumUrl",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse more than 2,048 characters, counted in the parsed URL (D34)",
      ],
    },
    {
      id: "PublicHost.port",
      find: "if (blockedPorts.has(port))",
      replace: 'if (url.port === "" && blockedPorts.has(port))',
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse the ports that the Fetch standard blocks, as fetch does (D34)",
      ],
    },
    {
      id: "PublicHost.http",
      find: '!(protocol === "http:" && policy.allowHttp)',
      replace: 'protocol !== "http:"',
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse a scheme that is not https: %j (§6, D34)"],
    },
    {
      id: "PublicHost.first-address",
      find: "for (const address of addresses) {",
      replace: "for (const address of addresses.slice(0, 1)) {",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse a name one of whose addresses is not, wherever it stands (D35)",
      ],
    },
    {
      id: "PublicHost.no-address",
      find: "addresses.length === 0 ? Result.fail(`${destination.host} has no address`) : Result.succeed(addresses)",
      replace: "Result.succeed(addresses)",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse a name with an address that can't be parsed, or with none (D35)",
      ],
    },
    {
      id: "PublicHost.denied",
      find: "if (isIn(address, policy.denyNetworks)) return",
      replace: "if (isIn(address, policy.denyNetworks) && !isIn(address, policy.allowNetworks)) return",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be refused, the allowed among them too: denied wins (D47)"],
    },
    {
      id: "PublicHost.own",
      find: "onlyAllowed || isIn(address, policy.ownNetworks) ||",
      replace: "onlyAllowed ||",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST include the addresses of this machine unless they are allowed (D47)",
      ],
    },
    {
      id: "PublicHost.special",
      find: 'policy, destination.kind === "special")',
      replace: "policy)",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST accept localhost and other names that are not public, to be decided by their addresses (D37)",
      ],
    },
    {
      id: "PublicHost.mapped",
      find: "Result.map(NetAddress.ipFromString(text), (address) => NetAddress.toCanonical(address))",
      replace: "NetAddress.ipFromString(text)",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be where D35 has them: $name, mapped into IPv6 as well (D35)"],
    },
    {
      id: "PublicHost.isatap",
      find: "(high === 0 || high === 0x200) && low === 0x5efe",
      replace: "high === 0 && low === 0x5efe",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST include ISATAP interface ids, which lead to an IPv4 address (D35)",
      ],
    },
    {
      id: "PublicHost.global",
      find: "IpNetwork.contains(globalIpv6, address) && !isIn",
      replace: "!isIn",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be where D35 has them: 2000::/3 and ::ffff:0:0/96 (D35)"],
    },
    {
      id: "PublicHost.azure",
      find: '  "168.63.129.16/32",\n',
      replace: "",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be where D35 has them: $name, mapped into IPv6 as well (D35)"],
    },
    {
      id: "PublicHost.networks.mapped",
      find: "network.prefixLength >= 96",
      replace: "network.prefixLength > 96",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST read a network of mapped addresses as the IPv4 network that it stands for (D35)",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/DeliveryState.ts", [
    {
      id: "DeliveryState.plan",
      find: 'return includesApi(shop.plan) && endpoint.status === "active" && kinds',
      replace: 'return endpoint.status === "active" && kinds',
      caughtBy: ["core/usecases/dispatch/EndpointChanges.test.ts > MUST send nothing of a shop whose plan is free"],
    },
    {
      id: "DeliveryState.off",
      find: 'includesApi(shop.plan) && (delivery.test || endpoint.status === "active")',
      replace: "includesApi(shop.plan)",
      caughtBy: [
        "core/usecases/dispatch/SwitchOff.test.ts > MUST switch off at the twentieth, counted over several events",
      ],
    },
    {
      id: "DeliveryState.missed.waiting",
      find: 'statuses.every((status) => status === "failed")',
      replace: 'statuses.every((status) => status !== "succeeded")',
      caughtBy: [
        "core/rules/DeliveryState.test.ts > MUST be an event of its kinds of which nothing was delivered, and nothing is still to be",
      ],
    },
    {
      id: "DeliveryState.missed.test",
      find: "return !event.test && kinds",
      replace: "return kinds",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST NOT be a test, nor an event of another kind"],
    },
    {
      id: "DeliveryState.success",
      find: "attempt.statusCode <= 299",
      replace: "attempt.statusCode <= 300",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST be 200 to 299 and nothing else (§6, D26)"],
    },
    {
      id: "DeliveryState.redirect",
      find: "statusCode >= 300 && statusCode <= 399",
      replace: "statusCode > 300 && statusCode <= 399",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST call 3xx and only 3xx a redirect (§6, D32)"],
    },
    {
      id: "DeliveryState.test.retried",
      find: "success || delivery.test ? null",
      replace: "success ? null",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST not retry a test event (§6, D29)"],
    },
    {
      id: "DeliveryState.id",
      find: "`dlv_${withoutPrefix(eventId)}${withoutPrefix(endpointId)}`",
      replace: "`dlv_${withoutPrefix(eventId)}`",
      caughtBy: [
        "core/rules/DeliveryState.test.ts > MUST follow from the event and the endpoint, and differ where one of them does",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/EndpointState.ts", [
    {
      id: "EndpointState.twenty",
      find: "maximumFailures = 20",
      replace: "maximumFailures = 21",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST switch an endpoint off at the twentieth failed attempt, not at the nineteenth (§3, §8, D27)",
      ],
    },
    {
      id: "EndpointState.longer",
      find: "streak.consecutiveFailures >= maximumFailures",
      replace: "streak.consecutiveFailures === maximumFailures",
      caughtBy: ["core/rules/EndpointState.test.ts > MUST switch off an endpoint whose streak is somehow longer"],
    },
    {
      id: "EndpointState.slow",
      find: "attempt.durationMs < slowAttempt",
      replace: "attempt.durationMs <= slowAttempt",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST be given by a success in less than two seconds, and taken by a slower one",
      ],
    },
    {
      id: "EndpointState.test",
      find: 'if (attempt.test || before.status === "switched_off") return before',
      replace: 'if (before.status === "switched_off") return before',
      caughtBy: ["core/rules/EndpointState.test.ts > MUST not count failed test events (D27)"],
    },
    {
      id: "EndpointState.under-way",
      find: 'if (attempt.test || before.status === "switched_off") return before',
      replace: "if (attempt.test) return before",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST stay as it was switched off, whatever attempts under way then come to (§3)",
      ],
    },
    {
      id: "EndpointState.failed.proven",
      find: "consecutiveFailures: before.consecutiveFailures + 1, proven: false",
      replace: "consecutiveFailures: before.consecutiveFailures + 1",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST be taken by every failure, however fast, and end with being turned on",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/NoticeRules.ts", [
    {
      id: "NoticeRules.ten",
      find: "failuresToTell = 10",
      replace: "failuresToTell = 9",
      caughtBy: [
        "core/rules/NoticeRules.test.ts > MUST tell once of a streak that an endpoint has failed 10 times in a row, and once that it was switched off (D42)",
      ],
    },
    {
      id: "NoticeRules.once",
      find: "before.consecutiveFailures < failuresToTell && after",
      replace: "after",
      caughtBy: [
        "core/rules/NoticeRules.test.ts > MUST tell once of a streak that an endpoint has failed 10 times in a row, and once that it was switched off (D42)",
      ],
    },
    {
      id: "NoticeRules.tests",
      find: "if (claim.test) return []",
      replace: "",
      caughtBy: ["core/rules/NoticeRules.test.ts > MUST tell nothing of a success, nor of test events (D42)"],
    },
    {
      id: "NoticeRules.id",
      find: "_${attempt.number}${letters[notice]}",
      replace: "_${letters[notice]}",
      caughtBy: [
        "core/rules/NoticeRules.test.ts > MUST say which endpoint and which delivery, under an id that follows from the attempt (D42)",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/RetryPolicy.ts", [
    {
      id: "RetryPolicy.schedule",
      find: "schedule[attemptNumber - 1]",
      replace: "schedule[attemptNumber]",
      caughtBy: [
        "core/rules/RetryPolicy.test.ts > MUST be 1 and 5 and 30 minutes, 2, 6 and 24 hours after the end of each failed attempt, then never (§6, §8, D25)",
      ],
    },
    {
      id: "RetryPolicy.waits",
      find: "waits.length > maximumWaits",
      replace: "waits.length >= maximumWaits",
      caughtBy: ["core/rules/RetryPolicy.test.ts > MUST read a hundred waits, and refuse one more"],
    },
  ]),
  ...inFile("rules", "core/rules/Prefetch.ts", [
    {
      id: "Prefetch.slots",
      find: "Math.min(slots, Math.round",
      replace: "Math.max(slots, Math.round",
      caughtBy: ["core/rules/Prefetch.test.ts > MUST NOT hold more ahead than there are slots"],
    },
    {
      id: "Prefetch.half",
      find: "worker.waiting > worker.ahead / 2",
      replace: "worker.waiting > worker.ahead",
      caughtBy: [
        "core/rules/Prefetch.test.ts > MUST claim ahead what is missing, and only when no more than half of it waits",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/Cursor.ts", [
    {
      id: "Cursor.shop",
      find: "${version}\\n${shop}\\n${payload}",
      replace: "${version}\\n${payload}",
      caughtBy: ["core/rules/Cursor.test.ts > MUST put the shop and the version under the MAC, apart from the payload"],
    },
    {
      id: "Cursor.spelling",
      find: "mac === undefined || Base64Url.encode(mac) !== end",
      replace: "mac === undefined",
      caughtBy: [
        "core/rules/Cursor.test.ts > MUST NOT take apart what can't be a cursor, and know only one spelling of each",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/OrdersQuery.ts", [
    {
      id: "OrdersQuery.plus",
      find: 'parseDateOrDateTime(after.replace(" ", "+"))',
      replace: "parseDateOrDateTime(after)",
      caughtBy: ["core/rules/OrdersQuery.test.ts > MUST read a space where an unescaped + stood as +, and only there"],
    },
  ]),
  ...inFile("rules", "core/rules/QueryParameters.ts", [
    {
      id: "QueryParameters.maximum",
      find: "Number(limit) <= maximumLimit",
      replace: "Number(limit) < maximumLimit",
      caughtBy: ["core/rules/OrdersQuery.test.ts > MUST accept every limit from 1 to 100 and nothing else"],
    },
    {
      id: "QueryParameters.own",
      find: "Object.hasOwn(parameters, name) ? parameters[name] : undefined",
      replace: "parameters[name]",
      caughtBy: ["core/rules/OrdersQuery.test.ts > MUST take no parameter from a prototype"],
    },
  ]),
  ...inFile("rules", "core/rules/ImageUrls.ts", [
    {
      id: "ImageUrls.slash",
      find: 'shop.imageBase.replace(/\\/+$/, "")',
      replace: "shop.imageBase",
      caughtBy: ["core/rules/ImageUrls.test.ts > MUST NOT double the slash of an image base that ends in one"],
    },
    {
      id: "ImageUrls.dots",
      find: 'id === "." || id === ".." ? `=${id}`',
      replace: 'id === "." ? `=${id}`',
      caughtBy: [
        "core/rules/ImageUrls.test.ts > MUST keep any id and any view one segment of the path, that no URL parser takes for something else",
      ],
    },
    {
      id: "ImageUrls.thumbnail",
      find: "sameFirstView ? given.thumbnail : made.thumbnail",
      replace: "given.thumbnail",
      caughtBy: ["core/rules/ImageUrls.test.ts > MUST give the thumbnail of another first view"],
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
  ...inFile("rules", "core/rules/SecretRotation.ts", [
    {
      id: "SecretRotation.running",
      find: "rotation !== null && now < rotation.until",
      replace: "rotation !== null && now <= rotation.until",
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
