import type { Section } from "./Requirement.ts"

/** Shops in several deployments side by side. */
export const decisionsCells: ReadonlyArray<Section> = [
  {
    id: "decisions-cells",
    title: "Decisions on cells and moves",
    from: "decision",
    rows: [
      {
        id: "D91",
        title: "Moves of shops",
        text:
          "A shop moves from one cell (a whole deployment with its own database) to another with everything that it " +
          "has, while hosts and workers of both continue. At the switch it is closed for a moment. From then on its former " +
          "cell MUST refuse every change of it with 503 and `Retry-After`, and store nothing of it; workers send nothing " +
          "of it there. Nothing that was stored MUST be lost, its tokens MUST stay good, and a reader of the event feed " +
          "MUST continue with its cursor. A delivery is repeated only if its attempt was under way at the switch, and not " +
          "before its lease has ended. No other shop MUST wait or be refused. A transaction that stays open keeps the " +
          "shop open where it is. The former cell keeps the shop's rows for ten minutes, and takes it back.",
      },
      {
        id: "D92",
        title: "Moves that are broken off",
        text:
          "A move that is broken off anywhere, by the end of the command, of a server or of the network, MUST continue by " +
          "the same command, or go back by `--undo` until the shop is open in the other cell; two cells MUST never have " +
          "it. A command that makes no progress MUST say what it waits for, and end. If the other cell is lost for good, " +
          "the shop MUST open where it was only by a flag that says so, and never while the other cell answers or has " +
          "opened it. A move that has gone back MUST leave nothing behind.",
      },
      {
        id: "D93",
        title: "Preconditions of a move",
        text:
          "Everything that keeps shops from moving MUST be reported before anything is changed, all at once and with what to " +
          "do: settings of the servers, rights of the users, versions of Postgres and of the tables, free slots and " +
          "workers, keys that don't open the secrets of a cell, and cells that are the same.",
      },
      {
        id: "D94",
        title: "Hosts that know the map",
        text:
          "A host or worker with the map of the proxies MUST serve, send deliveries and notices of, and apply events " +
          "of platforms for, only the shops that the map places in its cell, whatever its database has: one that was " +
          "restored to before a move MUST NOT serve or send the rows of then. It MUST follow changes of the map, and keep " +
          "the one before while the file can't be read. `doctor` MUST compare the map with the shops, and say so if " +
          "nothing protects from an old copy.",
      },
      {
        id: "D95",
        title: "Map of the proxies",
        text:
          "The map MUST have each shop in the one cell where it is open, or which it is just leaving. A shop that is in " +
          "two cells, or in none, MUST be an error that names it, and the map of before stays. A proxy that reads the map " +
          "again MUST fail no request, and clients MUST see nothing of a move but 503 with `Retry-After`.",
      },
    ],
  },
]
