/**
 * The sentences and tables about speed, made from the results that `npm run bench` has written with `--figure` and
 * `--stores`. Each stands between `<!-- speed: NAME -->` and `<!-- end -->`.
 */
import { medianOf, type SideName } from "../../test/bench/measured.js";
import { PEERS } from "../../test/bench/peers.js";
import type { Report } from "../../test/bench/report.js";
import { read } from "../../test/house/project.js";

export const SPEED_PAGES = ["README.md", "docs/pages/home.md", "docs/guide/comparison.md", "docs/guide/postgres.md"];

const WIDTH = 100;
const report = JSON.parse(read("docs/guide/speed.json")) as Report;
const stores = JSON.parse(read("docs/guide/speed-stores.json")) as Report;
const PEER = PEERS.alchemy.title.replace(/\.\d+$/, "");

/** Title → row of the benchmark. */
const ROWS = {
  "create in sequence": "create 1,000 one after the other",
  "create at once": "create 1,000 all at once",
  "update in sequence": "update 1,000 one after the other",
  "destroy in sequence": "destroy 1,000 one after the other",
  "check 5,000 unchanged": "unchanged 5,000 one after the other",
  "create 100 with secrets": "create 100 one after the other with a secret each under a key",
} as const;

/** Title → row of the benchmark, without its store. */
const STORE_ROWS = {
  "create 100 in sequence": "create 100 one after the other",
  "100 unchanged": "unchanged 100 all at once",
} as const;
const STORES = ["PostgreSQL", "Redis", "S3"] as const;
const DISTANCES = [0, 10, 50] as const;

const create = ROWS["create in sequence"];
const unchanged = ROWS["check 5,000 unchanged"];

const TEXTS: Readonly<Record<string, () => string>> = {
  readme: () =>
    `With empty handlers it creates 1,000 resources in ${time("ours", create)}, ${times(create)} times as fast as ${PEER} on [the same machine](docs/guide/comparison.md#speed). It checks 5,000 unchanged ones in ${time("ours", unchanged)}, ${times(unchanged)} times as fast.`,
  home: () =>
    `**${times(create)} times as fast as ${PEER.split(" ")[0]}.** With handlers that do nothing, the engine creates 1,000 resources in ${time("ours", create)}, and ${PEER.split(" ")[0]} in ${time("alchemy", create)}, both [on the same machine](../guide/comparison.md#speed). A run without changes writes nothing and takes no lock. It checks 5,000 unchanged resources in ${time("ours", unchanged)}.`,
  table: () => {
    const lines = Object.entries(ROWS).map(([title, row]) => [
      title,
      time("ours", row),
      time("alchemy", row),
      (totalOf("alchemy", row) / totalOf("ours", row)).toFixed(1),
    ]);
    return tableOf(["1,000 resources", "scope-engine", PEER, "ratio"], lines);
  },
  conditions: () =>
    `${conditionsOf(report, "npm run bench")} Times can differ by a factor of two, so compare the ratios. A real run mostly waits for services.`,
  stores: () => {
    const lines = Object.entries(STORE_ROWS).flatMap(([title, row]) =>
      DISTANCES.map((ms) => [
        `${title} at ${ms} ms`,
        ...STORES.map((store) => time("ours", `${row} on ${store} at ${ms} ms`, stores)),
      ]),
    );
    return tableOf(["run", ...STORES], lines);
  },
  "stores-conditions": () => conditionsOf(stores, "npm run bench -- --stores"),
  opentofu: () =>
    `${PEERS.opentofu.title} created 1,000 \`terraform_data\` in ${time("opentofu", ROWS["create at once"])}.`,
};

/** Returns the page with its texts about speed. @throws Error for a name without a text, and for a missing row */
export function withSpeed(page: string): string {
  return page.replaceAll(
    /^([^\n]*?)(<!-- speed: ([\w-]+) -->)(\s*).*?(\s*)(<!-- end -->)/gms,
    (_, before: string, mark: string, name: string, first: string, last: string, end: string) => {
      const text = TEXTS[name];
      if (!text) throw new Error(`There is no text "${name}" about speed.`);
      const made = text();
      return `${before}${mark}${first}${made.startsWith("|") ? made : wrapped(made, before.startsWith("- ") ? "  " : "")}${last}${end}`;
    },
  );
}

function conditionsOf({ runs, date, commit, machine, node }: Report, command: string): string {
  return `These are medians of ${runs} runs of \`${command}\` on ${date}, commit \`${commit}\`, with handlers that do nothing, on ${machine}, Node ${node}.`;
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Wraps a text at the width of the pages. @param indent of all lines but the first, which is in its place */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/ (?![^[]*\])/)) {
    if (line !== "" && indent.length + line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** Milliseconds. */
function totalOf(side: SideName, name: string, { rows }: Report = report): number {
  const measured = medianOf(rows.find((row) => row.name === name)?.sides[side]);
  const ms = side === "opentofu" ? measured?.wallMs : measured?.totalMs;
  if (ms === undefined) throw new Error(`The measurements have no result of ${side} for "${name}".`);
  return ms;
}

function times(name: string): string {
  return Math.floor(totalOf("alchemy", name) / totalOf("ours", name)).toString();
}

function time(side: SideName, name: string, from: Report = report): string {
  const ms = totalOf(side, name, from);
  if (ms < 1_000) return `${ms.toFixed(0)} ms`;
  return `${(ms / 1_000).toPrecision(3)} s`;
}
