/** A program with processes that outlive it. */
export const twoProcesses = `
import { engine } from "scope-engine";
import { Process } from "scope-engine/resources";

const app = await engine("kept");
await Process("one", { command: "sleep", args: ["1000"] });
await engine.run("web", () => Process("two", { command: "sleep", args: ["2000"] }));
await app.finalize();
`;
