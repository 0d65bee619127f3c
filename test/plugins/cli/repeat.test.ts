import { afterEach, expect, it } from "vitest";
import { type CliSession, startSession } from "../../helpers/cli-session.ts";
import { engineProject, lacksPackage, type Project } from "../../helpers/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
let session: CliSession | undefined;
afterEach(async () => {
  await session?.leave();
  await project?.remove();
});

/** The slow one reads the state, and goes on when it is told to. */
const program = `
import { existsSync } from "node:fs";
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";

const until = async (name) => {
  while (!existsSync(name)) await new Promise((resolve) => setTimeout(resolve, 5));
};
const app = await engine("site");
const [who] = process.argv.slice(-1);
console.log("has read");
if (who === "slow") await until("go");
await File("index", { path: "index.html", content: who });
if (who === "slow") await until("end");
await app.finalize();
`;

/** The slow one has read the state before the quick one changes it. */
async function overtaken(...flags: readonly string[]) {
  const made = await engineProject({ "engine.run.mjs": program });
  project = made;
  const slow = startSession(made, ["up", ...flags, "--", "slow"]);
  session = slow;
  await slow.next("has read");
  expect(await made.engineWith({ ENGINE_STAGE: "dev" }, "up", "--", "quick")).toMatchObject({ code: 0 });
  await made.write("go", "");
  return { made, slow };
}

describeUnless(lacksPackage, "engine up, where another run was quicker", () => {
  it("runs the program again within --lock-timeout, and says so instead of failing", async () => {
    const { made, slow } = await overtaken("--lock-timeout", "5m");
    await slow.next('again    another run has changed "site/dev" first: the program is run again');
    await slow.next("has read");
    await made.write("end", "");
    expect(await slow.ended, slow.output).toEqual({ code: 0, signal: null });
    expect(slow.output).toContain("1 updated");
    expect(slow.output).not.toMatch(/FAILED|STATE_MOVED|failed/);
    expect(await made.read("index.html")).toBe("slow");
  });

  it("ends with exit code 3 without, and has changed nothing", async () => {
    const { made, slow } = await overtaken();
    expect(await slow.ended, slow.output).toEqual({ code: 3, signal: null });
    expect(slow.output).toContain("STATE_MOVED");
    expect(await made.read("index.html")).toBe("quick");
  });

  it("hands on the signal that it gets, and ends as that run does", async () => {
    const { slow } = await overtaken("--lock-timeout=5m");
    await slow.next("again");
    await slow.next("updated");
    slow.process.kill("SIGTERM");
    expect(await slow.ended, slow.output).toEqual({ code: 143, signal: null });
  });
});
