/**
 * A fleet for tests of the command line. Stages named "bad…" fail while no file "mended" exists. Stages named "held…"
 * run until a file "free" exists; those with "deaf" in their name ignore their signal. With MEASURE, the program prints
 * how many stages ran at once.
 */
export const fleetProgram = `
import { existsSync } from "node:fs";
import { fleet } from "scope-engine/fleet";
import { Resource } from "scope-engine";
import { File } from "scope-engine/resources";

const Check = Resource("test:Check", {
  create() {
    if (!existsSync("mended")) throw new Error("connection refused");
    return {};
  },
  read: () => undefined,
  delete() {},
});
const Held = Resource("test:Held", {
  async create({ props, signal }) {
    console.log("held");
    while (!existsSync("free")) {
      if (!props.isDeaf) signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return {};
  },
  read: () => undefined,
  delete() {},
});

let running = 0;
let most = 0;
async function measure() {
  most = Math.max(most, ++running);
  await new Promise((resolve) => setTimeout(resolve, 200));
  running--;
}
if (process.env.MEASURE) process.once("exit", () => console.log("most at once: " + most));

export default fleet("tenants", {
  stages: (process.env.STAGES ?? "ada bob carl").split(" ").map((stage) => ({ stage, input: { stage } })),
  async program(app, { stage }) {
    if (process.env.MEASURE) await measure();
    await File("plan", { path: stage + ".txt", content: process.env.TEXT ?? "small" });
    if (stage.startsWith("bad")) await Check("check");
    if (stage.startsWith("held")) await Held("held", { isDeaf: stage.includes("deaf") });
  },
  concurrency: 2,
  maxFailures: 100,
  waves: process.env.WAVES ? ["50%", { to: "100%", start: "manual" }] : undefined,
});
`;
