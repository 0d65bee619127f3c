import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tenths } from "../../../../plugins/cli/state/migrate.js";
import { lacksPackage } from "../../../helpers/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

/** The program with the store that the state was moved to. */
async function useNew(): Promise<void> {
  const program = await project.read("engine.run.mjs");
  await project.write("engine.run.mjs", program.replace("fsStore()", 'fsStore({ root: "moved" })'));
}

describe("the progress of a move", () => {
  it("is told nine times at most, however many keys there are", () => {
    const lines: string[] = [];
    const tell = tenths((line) => void lines.push(line));
    for (let done = 1; done <= 300; done++) tell(done, 300);
    expect([lines.length, lines[0], lines[8]]).toEqual([9, "10 % copied and compared", "90 % copied and compared"]);
    const few: string[] = [];
    const tellFew = tenths((line) => void few.push(line));
    for (const done of [1, 2, 3]) tellFew(done, 3);
    expect(few).toEqual(["30 % copied and compared", "60 % copied and compared"]);
  });
});

describeUnless(lacksPackage, "engine state migrate", () => {
  it("moves the state, after which the old store says where it went and the new one has nothing to do", async () => {
    const history = await project.json("state", "history");
    expect(await project.json("state", "migrate", "--to", "moved", "--yes")).toEqual({
      app: "shop",
      stage: "tester",
      from: expect.stringMatching(/\.engine$/),
      to: expect.stringMatching(/moved$/),
      resources: 3,
    });
    const old = await project.files();
    for (const args of [
      ["up"],
      ["plan"],
      ["state", "tree"],
      ["state", "forget", "logo", "--yes"],
      ["state", "unlock"],
    ]) {
      const refused = await project.run(...args);
      expect(refused, args.join(" ")).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_RETIRED]") });
      expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(
        /was moved to \S+moved, by .*Give the program the new store/,
      );
    }
    expect(await project.json("state", "verify")).toMatchObject({
      findings: [],
      unused: expect.stringContaining("was moved to"),
    });
    expect((await project.run("state", "verify")).stderr).toContain("was moved to");
    expect(await project.files()).toEqual(old);
    await useNew();
    expect((await project.run("up")).stdout).toContain("3 unchanged");
    expect(await project.json("state", "history")).toMatchObject({ history: history.history });
    expect(await project.json("state", "show", "db", "--show-secrets")).toMatchObject({
      resources: [{ props: { key: "hush-hush" } }],
    });
    expect(await project.json("state", "verify")).toMatchObject({ findings: [], unused: null });
  });

  it("shows what it is about to do, and does nothing where nobody can be asked", async () => {
    const before = await project.files();
    const refused = await project.run("state", "migrate", "--to", "moved");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("[NOT_CONFIRMED]") });
    expect(await project.files()).toEqual(before);
  });

  it("is refused where it is, where something is, and where an address is none, and shows no password", async () => {
    await project.run("state", "migrate", "--to", "moved", "--yes");
    await project.write("moved/other/x", "");
    for (const [to, code] of [
      [".engine", "STATE_RETIRED"],
      ["elsewhere", "STATE_RETIRED"],
      ["s3://AKIA:hush@bucket", "INVALID_ARGUMENT"],
    ]) {
      const refused = await project.run("state", "migrate", "--to", String(to), "--yes");
      expect(refused, to).toMatchObject({ code: 1, stderr: expect.stringContaining(`[${code}]`) });
      expect(refused.stderr + refused.stdout).not.toContain("hush");
    }
    await useNew();
    const same = await project.run("state", "migrate", "--to", "./moved", "--yes");
    expect(same).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_EXISTS]") });
    expect((await project.run("state", "migrate")).stderr).toContain("--to");
  });
});
