import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the rules: in what requests ask for: pages and images. */
export const requests: ReadonlyArray<Mutant> = [
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
]
