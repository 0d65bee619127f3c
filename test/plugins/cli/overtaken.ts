/** A run of `engine up` that another one overtakes. */
import { expect, onTestFinished } from "vitest";
import { engineProject } from "../../helpers/processes/engine-project.ts";
import { startSession } from "../../helpers/terminal/cli-session.ts";

/** The slow run reads the state, and waits for a file before it continues. */
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

/** The slow run reads the state before the quick one changes it. Both are stopped when the test ends. */
export async function overtaken(...flags: readonly string[]) {
  const project = await engineProject({ "engine.run.mjs": program });
  onTestFinished(() => project.remove());
  const slow = startSession(project, ["up", ...flags, "--", "slow"]);
  onTestFinished(() => slow.leave());
  await slow.next("has read");
  expect(await project.engineWith({ ENGINE_STAGE: "dev" }, "up", "--", "quick")).toMatchObject({ code: 0 });
  await project.write("go", "");
  return { project, slow };
}
