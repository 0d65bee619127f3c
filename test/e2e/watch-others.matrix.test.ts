/** Programs that another tool restarts: they are in watch mode, too. */
import { createRequire } from "node:module";
import { afterEach, expect, it } from "vitest";
import { engineProject, type Project } from "../helpers/processes/engine-project.ts";
import { type CliSession, startSession } from "../helpers/terminal/cli-session.ts";

const TSX = createRequire(import.meta.url).resolve("tsx/cli");
const PROGRAM = `
import { engine } from "scope-engine";

const app = await engine("others", { plugins: [] });
console.log("watch", app.watch);
await app.finalize();
`;

let project: Project;
let session: CliSession;

afterEach(async () => {
  await session.leave();
  await project.remove();
});

it.each([
  ["node --watch", ["--watch"], "true"],
  ["tsx watch", [TSX, "watch"], "true"],
  ["tsx watch with options", [TSX, "watch", "--clear-screen=false"], "true"],
  ["tsx", [TSX], "false"],
  ["node", [], "false"],
])("%s", async (_name, program, watch) => {
  project = await engineProject({ "program.js": PROGRAM, "package.json": '{ "type": "module" }' });
  session = startSession(project, ["program.js", "watch"], { program });
  expect(await session.next("watch ")).toBe(watch);
});

it("is not in watch mode below a tsx watch that has started something else", async () => {
  const outer = `
import { spawn } from "node:child_process";

spawn(process.execPath, ["program.js"], { stdio: "inherit" });
`;
  project = await engineProject({ "program.js": PROGRAM, "outer.js": outer, "package.json": '{ "type": "module" }' });
  session = startSession(project, ["outer.js"], { program: [TSX, "watch"] });
  expect(await session.next("watch ")).toBe("false");
});
