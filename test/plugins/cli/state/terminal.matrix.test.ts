import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { lacksScript } from "../../../helpers/processes/script.js";
import { describeUnless } from "../../../servers/given.js";
import { onTerminal } from "../on-terminal.ts";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

describeUnless(lacksPackage ?? lacksScript, "on a terminal", () => {
  it("a change is shown, and made when the answer is yes", async () => {
    const { code, shown } = await onTerminal(project, ["state", "forget", "web"], [["[y/N]", "y\r"]]);
    expect(shown).toContain("shop/tester/web/page  (shop:Thing)");
    expect(shown).toContain("Remove 2 resources and the data of 1 scope from the state?");
    expect(code).toBe(0);
    expect(await project.recorded()).toEqual(["db"]);
  });

  it.each([
    ["no", "n\r"],
    ["nothing but Return", "\r"],
    ["the end of the input", "\x04"],
    ["Ctrl-C", "\x03"],
  ])("nothing is changed when the answer is %s", async (_, keys) => {
    const before = await project.files();
    const { code, shown } = await onTerminal(project, ["state", "move", "web", "site"], [["[y/N]", keys]]);
    expect(shown).toContain('Move "shop/tester/web" to "shop/tester/site"?');
    expect(shown).toContain("Nothing was changed");
    expect(shown).not.toContain("reading the state");
    expect(code).toBe(1);
    expect(await project.files()).toEqual(before);
  });

  it("a list is not wider than the terminal", async () => {
    const { shown } = await onTerminal(project, ["state", "list"], [], 40);
    const lines = shown.split("\n").filter((line) => line.includes("shop:"));
    expect(lines.length).toBe(3);
    expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  it("the new password is asked for twice, and not shown", async () => {
    const { code, shown } = await onTerminal(
      project,
      ["secrets", "rotate"],
      [
        ["New password: ", "new one\r"],
        ["Repeat the password: ", "new one\r"],
      ],
    );
    expect([code, shown.includes("new one")]).toEqual([0, false]);
    const opened = await project.runWith({ ENGINE_PASSWORD: "new one" }, "state", "show", "db", "--show-secrets");
    expect(opened.code).toBe(0);
  });

  it("two different new passwords change nothing", async () => {
    const before = await project.files();
    const { code, shown } = await onTerminal(
      project,
      ["secrets", "rotate"],
      [
        ["New password: ", "one\r"],
        ["Repeat the password: ", "two\r"],
      ],
    );
    expect([code, shown]).toEqual([1, expect.stringContaining("The two passwords differ")]);
    expect(await project.files()).toEqual(before);
  });
});
