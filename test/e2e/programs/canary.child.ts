/** Three hundred secrets in a process of its own; its first argument says how they are used. */
import { Console } from "node:console";
import { inspect } from "node:util";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { engine, Resource, type Secret } from "../../../plugins/index.js";
import { Command } from "../../../plugins/resources/index.js";
import { canaries, textsOf } from "../canary/canaries.js";
import { shapes } from "../canary/shapes.js";

const mode = process.argv[2] ?? "";
const all = canaries();
const [everything = ""] = textsOf(all, 300);
const made = all.map(({ value }, index) => engine.secret(value, `canary ${index}`));
const thrown = (): Error =>
  new AggregateError(
    Object.values(shapes).map((make) => make(everything)),
    everything,
    { cause: new Error(everything, { cause: everything }) },
  );
const stateStore = fsStoreAt(".engine");

interface Props {
  readonly value: readonly Secret<unknown>[];
}

const Thing = Resource("e2e:CanaryThing", {
  async create({
    id,
    props,
    log,
    set,
  }: {
    id: string;
    props: Props;
    log(line: string): void;
    set(key: string, value: unknown): Promise<void>;
  }) {
    for (const line of everything.split("\n")) log(line);
    log(everything);
    await set("all", props.value);
    if (id === "fails") throw thrown();
    if (id === "breaks") {
      const broken = (): Promise<never> => Promise.reject(thrown());
      Object.assign(stateStore, { append: broken, create: broken });
    }
    return { value: props.value, url: engine.secret(everything) };
  },
  delete: () => {
    if (mode === "undeleted") throw thrown();
  },
});

// An embedder's run, whose errors only Node prints.
const embedded = mode === "embedded" ? { argv: [] } : {};
const app = await engine("canary", { stateStore, ...embedded });
const thing = await Thing("thing", { value: made });
process.stdout.write(`${inspect(app, { depth: 10 })} ${thing.url} ${JSON.stringify(thing)} ${made.join()}\n`);
new Console(process.stdout).log(app, thing, made, { app, thing });
const env = Object.fromEntries(all.slice(0, 100).map(({ text }, index) => [`CANARY_${index}`, engine.secret(text)]));
await Command("prints", { command: "env; env >&2", env });

switch (mode) {
  case "fails":
  case "embedded":
    void Thing("fails", { value: made });
    app.onCleanup(() => Promise.reject(thrown()));
    break;
  case "breaks":
    void Thing("breaks", { value: made });
    break;
  case "throws":
    setTimeout(() => {
      throw thrown();
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    break;
  case "rejects":
    await Promise.reject(thrown());
    break;
  case "defers":
    void app.defer(() => Promise.reject(thrown())).then(() => {});
    break;
}
await app.finalize();
