/** Facts that the guide has in sentences: names of the code that a part of a page must mention. */
import { FORMAT } from "../../core/state/journal/entry.js";
import { FLAGS } from "../../plugins/internal/flags/table.js";
import * as resources from "../../plugins/resources/index.js";
import { read } from "../../test/house/project.js";
import { membersOf, stringsIn, valuesOf, variablesRead } from "./code.js";
import { sectionOf } from "./markdown.js";

export interface Mention {
  readonly page: string;
  /** The part of the page. */
  readonly within: (text: string) => string | undefined;
  readonly names: readonly string[];
}

const matched = (pattern: RegExp) => (text: string) => pattern.exec(text)?.[0];
const inherited = matched(/InheritedOptions = [^;]*/)(read("core/contract/options.ts")) ?? "";
const exitCodes = matched(/Exit codes: [^`]*interrupted/)(read("plugins/cli/program.ts"))?.match(/\d+/g) ?? [];

export const MENTIONS: readonly Mention[] = [
  { page: "state-format", within: matched(/\*\*format \d+\*\*/), names: [String(FORMAT)] },
  {
    page: "state-format",
    within: matched(/^`owner` has .*?(?=\n\n)/ms),
    names: membersOf("Owner", "core/state/journal/entry.ts"),
  },
  { page: "options", within: matched(/may override these.*?\. /s), names: [...stringsIn(`type A = ${inherited}`)] },
  {
    page: "options",
    within: (text) => sectionOf(text, "Options"),
    names: FLAGS.filter(({ says }) => says).map(({ name }) => name),
  },
  {
    page: "options",
    within: (text) => sectionOf(text, "Options"),
    names: ["plugins/env-options/index.ts", "core/options/resolve-options.ts"].flatMap((file) =>
      variablesRead(read(file)),
    ),
  },
  { page: "resources", within: matched(/^\| `retry`.*$/m), names: membersOf("RetryPolicy", "core/contract") },
  ...["options", "command-line"].map((page) => ({ page, within: (text: string) => text, names: exitCodes })),
  ...Object.entries(resources).map(([type, { kind }]) => ({
    page: "built-in-resources",
    within: (text: string) => sectionOf(text, type),
    names: [kind, ...membersOf(`${type}Output`, "plugins/resources")],
  })),
  // The row of a hook in the table of contexts. The scope of a resource is named above the table.
  ...[...valuesOf("HOOKS", read("core/contract/plugin/hook-table.ts"))].map(([hook, type]): Mention => {
    const context = /<(\w+)/.exec(type)?.[1] ?? "";
    const members = membersOf(context, "core/contract").filter((member) => member !== "scope");
    return {
      page: "hooks",
      within: matched(new RegExp(`^\\| [^|]*\`${hook}\`[^|]*\\| [^|]*Context.*$`, "m")),
      names: [context, ...members],
    };
  }),
];
