import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { makeProgram } from "../../plugins/cli/program.ts";
import { columnOf, difference, namesInTables } from "./doc-tables.ts";
import { read } from "./project.ts";

const commandLine = read("docs/guide/command-line.md");
const program = makeProgram("0.0.0");

interface Listed {
  /** E.g. `state list`. */
  readonly name: string;
  readonly command: Command;
}

/** Every command that does something, hidden ones left out, by its first name. */
function commandsOf(parent: Command, path = ""): Listed[] {
  const shown = parent.createHelp().visibleCommands(parent);
  return shown
    .filter((command) => command.name() !== "help")
    .flatMap((command) => {
      const name = `${path}${command.name()}`;
      const inner = commandsOf(command, `${name} `);
      return inner.length > 0 ? inner : [{ name, command }];
    });
}

const commands = commandsOf(program);
const names = commands.map(({ name }) => name);
const RUNS = ["up", "dev", "watch", "plan", "destroy", "read"];
const STATE = names.filter((name) => name.startsWith("state "));

const ALL = [...RUNS, ...STATE, "drift", "graph", "ui", "secrets rotate"];

/** "runs but `read`; state commands, `plan`": the commands that a cell of the table of flags speaks of. */
function commandsIn(cell: string): string[] {
  return cell.split(";").flatMap((part) => {
    const [meant = "", but = ""] = part.split(" but ");
    const without = namesIn(but);
    const groups = [
      ...(/^ *all\b/.test(meant) ? ALL : []),
      ...(/\bruns\b/.test(meant) ? RUNS : []),
      ...(/\bstate commands\b/.test(meant) ? STATE : []),
    ];
    return [...groups.filter((name) => !without.includes(name)), ...namesIn(meant)];
  });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

describe("docs/guide/command-line.md", () => {
  test("has a row for every command, and no other", () => {
    const pages = `${commandLine}\n\n${read("docs/guide/state-commands.md")}`;
    const rows = columnOf(pages, "command", "command").flatMap((cell) =>
      [...cell.matchAll(/`engine ([^`]+)`/g)].map(([, usage = ""]) =>
        usage.replace(/ [[A-Z…].*$/, "").replace(/ \w+\\?\|.*$/, ""),
      ),
    );
    const groups = ["deploy", "help", "state", "state …", "telemetry"];
    const known = rows.filter((row) => !groups.includes(row));
    const expected = names.filter((name) => !name.startsWith("telemetry "));
    expect(difference(expected, [...new Set(known)])).toEqual({ undocumented: [], unknown: [] });
    expect(names.filter((name) => !pages.includes(`engine ${name}`))).toEqual([]);
  });

  const flags = [...new Set(commands.flatMap(({ command }) => command.options.map(({ long }) => long ?? "")))];

  test("has a row for every flag of a command, and no other", () => {
    expect(flags).toContain("--stage");
    const rows = namesInTables(commandLine, "flag").filter((name) => name.startsWith("--"));
    expect(difference(flags, rows)).toEqual({ undocumented: [], unknown: [] });
    expect(rows.length).toBe(new Set(rows).size);
  });

  test.each(flags)("says of %s which commands take it, and what its short form is", (flag) => {
    const taking = commands.filter(({ command }) => command.options.some(({ long }) => long === flag));
    const index = columnOf(commandLine, "flag", "flag").findIndex((cell) => cell.includes(`\`${flag}\``));
    const said = commandsIn(columnOf(commandLine, "flag", "commands")[index] ?? "");
    expect(
      difference(
        taking.map(({ name }) => name),
        said,
      ),
    ).toEqual({ undocumented: [], unknown: [] });
    const shorts = taking.flatMap(({ command }) =>
      command.options.flatMap(({ long, short }) => (long === flag ? (short ?? []) : [])),
    );
    const cell = columnOf(commandLine, "flag", "flag")[index] ?? "";
    expect([...new Set(shorts)].filter((short) => !cell.includes(`\`${short}\``))).toEqual([]);
  });
});

describe("the check", () => {
  test("reads which commands a cell speaks of", () => {
    expect(commandsIn("runs but `read` and `dev`; `graph`")).toEqual(["up", "watch", "plan", "destroy", "graph"]);
    expect(commandsIn("`plan`, `state list`")).toEqual(["plan", "state list"]);
    expect(commandsIn("state commands")).toContain("state verify");
    expect(commandsIn("all")).toEqual(expect.arrayContaining(["up", "state verify", "secrets rotate"]));
  });
});
