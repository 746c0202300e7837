// Who may import whom. Every rule says what a folder may not import; what is not forbidden is allowed.
// Tests stand beside the code and may import anything; so may the testkit, checks, benchmarks and the site. Examples are programs of users.

const EXAMPLES =
  "^(hosts/embed/examples/.+\\.mts|hosts/receiver/snippets/[^/]+\\.ts|conformance/examples/[^/]+/[^/]+\\.ts)$"
const FREE = ["\\.test\\.ts$", "^conformance/(bench|checks|testkit)/", "^hosts/docs/", EXAMPLES]
const EFFECT = "^node_modules/effect/"

const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { ...from, pathNot: [...FREE, ...(from.pathNot ?? [])] },
  to,
})

/** Files under `from` import, of this repository, only what lies under `allowed`. */
const only = (name, from, allowed, comment) =>
  forbid(name, comment, { path: from }, { path: "^(core|adapters|hosts|conformance)/", pathNot: allowed })

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    // Core
    forbid(
      "core-only-effect",
      "core/ depends on effect alone: no Node, no driver, no test runner, nothing from outside core/.",
      { path: "^core/" },
      { pathNot: ["^core/", EFFECT] },
    ),
    forbid(
      "core-known-folders",
      "core/ is index.ts and the folders of the import table, so that every file has a row in it.",
      {
        path: "^core/",
        pathNot: ["^core/index\\.ts$", "^core/(model|rules|ports|support|usecases|operations|api|public)/"],
      },
      { path: "." },
    ),
    only("model", "^core/model/", ["^core/model/"], "model imports model."),
    only("rules", "^core/rules/", ["^core/(model|rules)/"], "rules import model and rules."),
    only("ports", "^core/ports/", ["^core/(model|ports)/"], "ports import model and ports."),
    only(
      "support",
      "^core/support/",
      ["^core/(model|rules|ports|support)/"],
      "support imports model, rules, ports and support.",
    ),
    only(
      "usecases",
      "^core/usecases/(?!webhooks/dispatch/|ingest/|bulk/)",
      ["^core/(model|rules|ports|support)/"],
      "usecases import model, rules, ports and support; one use case does not import another.",
    ),
    only(
      "public",
      "^core/public/",
      ["^core/(usecases|api)/"],
      "public groups by noun what use cases and the API offer.",
    ),
    only(
      "usecases-dispatch",
      "^core/usecases/webhooks/dispatch/",
      ["^core/(model|rules|ports|support)/", "^core/usecases/webhooks/dispatch/"],
      "The use case dispatch is a folder: its files also import each other.",
    ),
    only(
      "usecases-bulk",
      "^core/usecases/bulk/",
      ["^core/(model|rules|ports|support)/", "^core/usecases/(bulk|catalog|orders)/"],
      "The use case bulk is a folder that imports records by the use cases of catalog and orders.",
    ),
    only(
      "usecases-ingest",
      "^core/usecases/ingest/",
      [
        "^core/(model|rules|ports|support)/",
        "^core/usecases/(ingest|orders)/",
        "^core/usecases/shops/ManageShops\\.ts$",
      ],
      "The use case ingest is a folder that carries out what platforms send by the use cases of orders and shops.",
    ),
    forbid(
      "usecases-dispatch-inside",
      "Who may import the use case dispatch imports its Dispatch.ts, not the files behind it.",
      { path: ".", pathNot: ["^core/usecases/webhooks/dispatch/"] },
      { path: "^core/usecases/webhooks/dispatch/", pathNot: ["^core/usecases/webhooks/dispatch/Dispatch\\.ts$"] },
    ),
    only(
      "operations",
      "^core/operations/",
      ["^core/(model|usecases|operations)/", "^core/rules/webhooks/EndpointState\\.ts$"],
      "operations import model, usecases and operations and, to state a limit, the rule EndpointState.",
    ),
    only(
      "api",
      "^core/api/",
      ["^core/(model|usecases|operations|api)/"],
      "api imports model, usecases, operations and api.",
    ),

    // Adapters
    only(
      "adapters",
      "^adapters/",
      [
        "^core/(model|ports)/",
        "^core/rules/(webhooks/PublicHost|webhooks/DeliveryState|webhooks/DeliveryFilters|webhooks/EndpointState|webhooks/SecretRotation|webhooks/NoticeRules|webhooks/Ordering|webhooks/Pace|orders/Redaction)\\.ts$",
        "^core/support/(BoundedMap|BusyEndpoints|OncePerMinute)\\.ts$",
        "^adapters/",
      ],
      "adapters import model, ports, the rules that they apply themselves (PublicHost, DeliveryState, DeliveryFilters, EndpointState, SecretRotation, NoticeRules, Redaction, Ordering, Pace), BoundedMap, BusyEndpoints and OncePerMinute.",
    ),
    forbid(
      "adapters-own-folder",
      "An adapter imports its own folder and adapters/support, not another adapter's.",
      { path: "^adapters/([^/]+)/", pathNot: ["^adapters/(postgres|pglite|connection|cells)/"] },
      { path: "^adapters/", pathNot: ["^adapters/($1|support)/"] },
    ),
    forbid(
      "adapters-over-sql",
      "postgres, pglite, connection and cells import their own folder, adapters/sql and adapters/support.",
      { path: "^adapters/(postgres|pglite|connection|cells)/" },
      { path: "^adapters/", pathNot: ["^adapters/($1|sql|support)/"] },
    ),

    // Hosts
    only(
      "hosts",
      "^hosts/",
      [
        "^core/(model|ports|support|usecases|operations|api)/",
        "^core/rules/(webhooks/(PublicHost|RetryPolicy|DeliveryState|EndpointState)|catalog/ConfigValues)\\.ts$",
        "^adapters/",
        "^hosts/",
        "^conformance/(index\\.ts$|suites/(certificate|receiver)/)",
      ],
      "hosts import model, ports, usecases, operations, api, adapters and, to read the configuration, to state limits and to say why a delivery waits, the rules PublicHost, RetryPolicy, ConfigValues, EndpointState and DeliveryState.",
    ),
    forbid(
      "command-conformance",
      "Of all hosts the command alone imports the suites, to run them.",
      { path: "^hosts/", pathNot: ["^hosts/cli/(Conformance|ServiceProbe|conformance/[^/]+)\\.ts$"] },
      { path: "^conformance/" },
    ),
    forbid(
      "hosts-own-folder",
      "A host imports its own folder; only server, worker, cli and embed put other hosts together.",
      { path: "^hosts/([^/]+)/", pathNot: ["^hosts/(server|worker|cli|embed)/"] },
      { path: "^hosts/", pathNot: ["^hosts/$1/"] },
    ),
    forbid(
      "wire-clients",
      "client and receiver are bundled into other programs: beside their own folder they import types alone.",
      { path: "^hosts/(client|receiver)/" },
      { pathNot: "^hosts/$1/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "command-entry",
      "The command's entry loads Node's own modules alone until it knows that the program can run.",
      { path: "^(hosts/cli/(main|Prerequisites)|adapters/support/Packages)\\.ts$" },
      {
        dynamic: false,
        dependencyTypesNot: ["core"],
        pathNot: "^(hosts/cli/Prerequisites|adapters/support/Packages)\\.ts$",
      },
    ),

    // Conformance
    only(
      "conformance",
      "^conformance/",
      ["^core/(model|rules|ports|api)/", "^conformance/"],
      "conformance imports model, rules, ports and api: an adapter under test comes in as a layer.",
    ),

    // Everywhere
    forbid("no-circular", "No circles, through types neither.", {}, { circular: true }),
    forbid(
      "not-to-free-code",
      "Nothing that is published imports a test, its set-up or a benchmark.",
      {},
      { path: FREE },
    ),
    forbid(
      "not-to-dev-dependency",
      "What is published runs without the development dependencies.",
      { path: "^(core|adapters|hosts|conformance)/" },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm", "npm-peer", "npm-optional"] },
    ),
    forbid(
      "not-to-undeclared",
      "A package that is imported is named in package.json.",
      { path: "^(core|adapters|hosts|conformance)/" },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    ),
    forbid(
      "not-to-own-package",
      "Relative imports inside the package: its own name or dist/ would lead around this table.",
      { path: "^(core|adapters|hosts|conformance)/" },
      { path: ["^dist/", "^designwire(/|$)"] },
    ),
    {
      name: "examples-as-users",
      comment:
        "An example imports this package by its name, as the program does that it is copied to; its own files, Node's own modules and other packages.",
      severity: "error",
      from: { path: EXAMPLES },
      to: {
        path: "^(core|adapters|hosts|conformance)/",
        pathNot: "^(conformance/examples|hosts/embed/examples/shop)/",
        dependencyTypes: ["local"],
      },
    },
    {
      name: "not-to-unresolvable",
      comment:
        "An import that cannot be resolved cannot be checked. Examples, and what is checked or measured as users have it, import the package by its name, which leads nowhere without a build.",
      severity: "error",
      from: {
        path: "^(core|adapters|hosts|conformance)/",
        pathNot: [
          EXAMPLES,
          "^conformance/(checks/package/uses/|checks/tasks/[^/]+/(start|solution)/|bench/read/designwire\\.mjs$)",
        ],
      },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ["(^|/)node_modules/", "^dist/"] },
    exclude: { path: "^hosts/docs/(dist/|public/|src/|\\.astro/|astro\\.config)" },
    // TypeScript 7 offers dependency-cruiser no parser.
    parser: "swc",
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".json", ".d.ts"],
    },
  },
}
