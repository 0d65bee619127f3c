/** A program as a user writes one. MODE changes its end. */
import { engine, Resource } from "../../../plugins/index.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { MODE = "", PHASE } = process.env;
const defineThing = () =>
  Resource("e2e:StageThing", {
    create: ({ id }) => ({ id }),
    delete: ({ id }) => {
      if (MODE === "undeletable" && id === "a") throw new Error("It is bolted to the floor.");
    },
  });

if (MODE !== "late-kinds") defineThing();
const app = await engine("stage", PHASE === "destroy" ? { phase: "destroy" } : {});
say("engine() has resolved");
const Thing = defineThing();
await Promise.all([Thing("a"), Thing("b")]);
if (MODE === "failing") {
  const Failing = Resource("e2e:StageFailing", { create: () => Promise.reject(new Error("No paper.")) });
  await Failing("c").catch(() => say("caught"));
}
await (MODE === "failing" ? app.finalize().catch(() => say("caught too")) : app.finalize());
say("finalize() has resolved");
await new Promise((resolve) => setImmediate(resolve));
say("the program has ended");
