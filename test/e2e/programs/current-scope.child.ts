/** Prints the current scope wherever a program may ask for it: the answers must be the same on every runtime. */
import { setImmediate as turn } from "node:timers/promises";
import { engine, isEngineError, memoryStore, Resource, Scope } from "../../../plugins/index.js";

const Thing = Resource("e2e:CurrentScopeThing", {
  async create({ scope }) {
    const before = where();
    await turn();
    return { declaredIn: scope.chain.join("/"), seen: [before, where()] };
  },
});
const options = () => ({ stage: "dev", stateStore: memoryStore(), argv: [], env: {}, quiet: true });

function where(): string {
  try {
    return Scope.current.chain.join("/");
  } catch (error) {
    return isEngineError(error) ? error.code : String(error);
  }
}

function say(when: string, what: string | readonly string[] = where()): void {
  process.stdout.write(`${when}: ${[what].flat().join(", ")}\n`);
}

async function openAfterAwait(name: string): Promise<Scope> {
  await turn();
  return engine(name, options());
}

say("before any app");
const opening = engine("one", options());
say("before engine() has resolved");
const one = await opening;
say("after await engine()");
await turn();
say("after another await");
setTimeout(() => say("in a timer"));
await new Promise((resolve) => setTimeout(resolve, 5));
say("in a handler", (await Thing("a")).seen);
await engine.run("child", async () => {
  await turn();
  say("in engine.run");
  say("in a handler in engine.run", (await Thing("a")).seen);
});
say("after engine.run");

const two = await openAfterAwait("two");
say("with a second app, made in a helper that awaited first");
await two.run(async () => {
  await turn();
  say("in app.run of the second app");
  say("in a handler there", (await Thing("a")).declaredIn);
});
await one.run(async () => {
  await turn();
  say("in app.run of the first app");
  await engine.run("child", () => say("in engine.run there"));
});
await one.finalize();
say("with the first app finalized");
await two.finalize();
say("with both finalized");
await one.run(async () => {
  await turn();
  say("in app.run of a finalized app");
});
say("after it");
await one.finalize({ empty: true });
const three = await openAfterAwait("three");
say("with one app, made in a helper that awaited first");
say("in a handler there", (await Thing("b")).declaredIn);
await three.finalize();
