import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { afterEach, describe, expect, it } from "vitest";
import { makeProgram } from "../../../plugins/cli/program.js";
import { FLAGS } from "../../../plugins/internal/flags/table.js";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { read, root } from "../../house/project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

const version = String(JSON.parse(readFileSync(`${root}package.json`, "utf8")).version);

/** All commands except hidden ones. */
function everyCommand(command: Command = makeProgram(version)): readonly Command[] {
  const shown = command.commands.filter((one) => command.createHelp().visibleCommands(command).includes(one));
  return [command, ...shown.flatMap((one) => everyCommand(one))];
}

describe("the engine program", () => {
  it("says of each command and each option what it does", () => {
    const silent = everyCommand().flatMap((command) => [
      ...(command.description() === "" ? [command.name()] : []),
      ...command.options
        .filter(({ description }) => description === "")
        .map(({ flags }) => `${command.name()} ${flags}`),
    ]);
    expect(silent).toEqual([]);
  });

  it("offers every flag that a program takes", () => {
    const flags = FLAGS.filter(({ says }) => says).map(({ name }) => name);
    const offered = everyCommand().flatMap(({ options }) => options.map(({ long }) => long));
    // Commands replace these flags.
    const commands = ["--read", "--dev", "--watch"];
    expect(flags.length).toBeGreaterThan(20);
    expect(flags.filter((flag) => !offered.includes(flag) && !commands.includes(flag))).toEqual([]);
  });

  it("is documented with every command", () => {
    const guide = read("docs/guide/command-line.md") + read("docs/guide/state-commands.md");
    const missing = everyCommand()
      .map(pathOf)
      .filter((path) => !guide.includes(path));
    expect(missing).toEqual([]);
  });
});

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

describeUnless(lacksPackage, "engine", () => {
  it("prints its version", async () => {
    project = await engineProject();
    for (const flag of ["--version", "-V"]) {
      expect(await project.engine(flag)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
  });

  it.each([[["dploy"], "(Did you mean deploy?)"]])("refuses %j and says what there is", async (args, hint) => {
    project = await engineProject({ "engine.run.ts": "console.log('ran');" });
    const { code, stdout, stderr } = await project.engine(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(hint);
  });
});
