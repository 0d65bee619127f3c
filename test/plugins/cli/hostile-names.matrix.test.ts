/** Records whose names, kinds and values contain control or invisible characters, in the output of commands. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

const PROGRAM = `
import { engine, Resource } from "scope-engine";

const evil = "\\u009b8m\\u001b]0;title\\u0007\\u202e";
const Thing = Resource("evil:" + evil + "\\ncreated  fine/dev/fake", {
  create: ({ props }) => ({ text: props.text, [evil]: evil }),
  read: ({ output }) => ({ ...output, text: evil + "drifted" }),
  delete: () => {},
});
const app = await engine("hostile");
if (process.env.EMPTY !== "yes") {
  await Thing("a\\u202e\\u2066b", { text: evil, lines: "one\\n" + evil + "two", [evil]: 1 });
  await engine.run("child\\u200b", () => Thing("c", { text: "\\u0085" }));
}
await app.finalize();
`;

/** Every control and invisible character, except line breaks: in a pipe, the engine prints none of them. */
const UNFIT = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;

let project: Project;
beforeEach(async () => {
  project = await engineProject({ "engine.run.mjs": PROGRAM });
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "names that would steer a terminal", () => {
  it("do nothing in what commands print, and what is not seen is spelled out", async () => {
    const printed: Record<string, string> = {};
    const run = async (name: string, env: Readonly<Record<string, string>>, ...args: string[]) => {
      const { stdout, stderr } = await project.engineWith({ ENGINE_STAGE: "dev", ...env }, ...args);
      printed[name] = stdout + stderr;
    };
    await run("plan of creates", {}, "plan");
    await run("up", {}, "up");
    for (const args of [
      ["list"],
      ["tree"],
      ["show", "hostile/dev"],
      ["show", "hostile/dev/a\u202e\u2066b"],
      ["pull", "--json", "--out", "f"],
    ]) {
      await run(args.join(" "), {}, "state", ...args);
    }
    await run("list as JSON", {}, "state", "list", "--json");
    for (const format of ["mermaid", "dot", "svg", "json"])
      await run(`graph as ${format}`, {}, "graph", "--format", format);
    await run("drift", {}, "drift");
    await run("drift as JSON", {}, "drift", "--json");
    await run("plan of deletes", { EMPTY: "yes" }, "plan");
    await run("plan as JSON", { EMPTY: "yes" }, "plan", "--json");
    await run("deletes", { EMPTY: "yes" }, "up");
    const unfit = Object.entries(printed).filter(([, text]) => UNFIT.test(text));
    expect(
      unfit.map(([name, text]) => [name, JSON.stringify(text.match(new RegExp(`.{0,20}${UNFIT.source}`, "u"))?.[0])]),
    ).toEqual([]);
    for (const name of ["plan of creates", "up", "list", "tree", "plan of deletes", "deletes", "drift"]) {
      expect(printed[name], name).toContain("a\\u{202e}\\u{2066}b");
      expect(
        printed[name]?.split("\n").filter((line) => line.startsWith("created  fine/")),
        name,
      ).toEqual([]);
    }
    expect(JSON.stringify(JSON.parse(printed["graph as json"] ?? ""))).toContain("a\u202e\u2066b");
    const list = JSON.parse(printed["list as JSON"] ?? "");
    expect(list.resources.map(({ fqn }: { fqn: string }) => fqn)).toContain("hostile/dev/a\u202e\u2066b");
  });
});
