import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { lacksTerminal, openTerminal, type Terminal } from "../../helpers/terminal/terminal.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { CASES, type Shells, shells } from "./shells.ts";

const lacksShells = await given("shells");

let among: Shells;
beforeAll(async () => {
  among = await shells();
});
afterAll(() => among.remove());

describeUnless(lacksPackage ?? lacksShells, "completion", () => {
  it.each(CASES)("in fish of %j offers %j", (words, offered) => {
    const script = `${among.completionFor("fish")}\ncomplete -C 'engine ${words.join(" ")}'`;
    const lines = among.run("fish", "--no-config", "-c", script).trim().split("\n");
    expect(lines.map((line) => line.split("\t")[0])).toEqual(expect.arrayContaining([...offered]));
  });
});

describeUnless(lacksPackage ?? lacksShells ?? lacksTerminal, "completion in zsh", () => {
  let terminal: Terminal | undefined;
  afterEach(() => terminal?.close());

  it("completes a command and its options on TAB", async () => {
    terminal = await openTerminal(["zsh", "-f"], {
      cwd: among.folder,
      env: { PATH: among.path, PS1: "> " },
      columns: 120,
    });
    await terminal.shows(">");
    const type = async (text: string): Promise<void> => terminal?.press(text);
    await type("autoload -U compinit; compinit -u; source <(engine completion zsh); echo rea''dy");
    await terminal.press("Enter");
    await terminal.shows("ready");
    await type("engine telem");
    await terminal.press("Tab");
    await terminal.shows(/> engine telemetry/);
    await type("dis");
    await terminal.press("Tab");
    await terminal.shows(/> engine telemetry disable/);
    await terminal.press("C-u");
    await type("engine up --max");
    await terminal.press("Tab");
    await terminal.shows(/> engine up --max-deletes/);
  });
});
