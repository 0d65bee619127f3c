/** Secrets on their intended ways: recorded, changed, moved, deleted, read, under other passwords. */
import { inspect } from "node:util";
import { isSecret, Secret } from "../../../plugins/secrets/secret.js";
import { rekey, rotatePassword } from "../../helpers/apps/admin-tools.ts";
import { COST } from "../../helpers/apps/secret-stage.ts";
import { type Canary, canaries, SEED } from "./canaries.ts";
import { type Journey, PASSWORD } from "./journey.ts";
import { acts, Thing, Watched } from "./things.ts";

/** A value nested in every way that a value can be. */
function deep(all: readonly Canary[]): unknown {
  const made = all.map(({ value }, index) => new Secret(value, `canary ${index}`));
  const [one, two, three] = made;
  return {
    list: [[made]],
    map: new Map([["k", new Set([one])]]),
    error: new Error("kept", { cause: Object.assign(new Error("inner"), { two }) }),
    inner: new Secret({ three, four: { five: made.slice(3) } }),
  };
}

const groups = (all: readonly Canary[], size: number): readonly (readonly Canary[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

export async function intendedWays(journey: Journey, all: readonly Canary[]): Promise<void> {
  const parts = groups(all, 20);
  const program =
    (by: (part: readonly Canary[], index: number) => readonly Canary[], more: object = {}) =>
    async (): Promise<void> => {
      await journey.engine.run("child", async (scope) => {
        for (const [index, part] of parts.entries()) {
          if (scope.phase !== "read") await scope.set(`data ${index}`, deep(by(part, index)));
          await (index % 2 === 0 ? Thing : Watched)(`thing${index}`, { value: deep(by(part, index)), ...more });
        }
        for (const index of parts.keys()) look(journey, await scope.get(`data ${index}`));
      });
    };
  for (const [index, part] of parts.entries()) {
    for (const phase of ["create", "update", "delete"]) {
      acts.set(`${phase} thing${index}`, async ({ set, get, log, redact }) => {
        if (phase !== "delete") await set("own", deep(part));
        look(journey, await get("own"));
        for (const { text, value } of part) {
          log(`It is ${text}.`);
          Reflect.apply(log, undefined, [Object(value)]);
          await set(`note of ${phase}`, redact(`It is ${text}, ${Buffer.from(text).toString("base64url")}.`));
        }
      });
    }
  }
  const same = program((part) => part);
  const other = program((_, index) => groups(canaries(SEED), 20).at(-1 - index) ?? []);
  await journey.succeeds("first", async () => {
    await same();
    const app = await currentApp(journey);
    journey.said.push(
      inspect(app, { depth: 10 }),
      inspect(app.children.get("child")?.resources, { depth: 10, showHidden: true }),
    );
  });
  await journey.succeeds("same", same);
  await journey.succeeds("other", other, { json: true });
  await journey.succeeds(
    "replaced",
    program((part) => part, { name: "replaced" }),
  );
  for (const index of parts.keys()) acts.set(`update thing${index}`, ({ replace }) => replace(true));
  await journey.succeeds(
    "replaced in the other way",
    program((_, index) => parts.at(-1 - index) ?? [], { name: "replaced" }),
  );
  await journey.succeeds("read", same, { phase: "read" });
  await journey.fails("wrong password", same, { password: "a wrong one" });
  await journey.fails("no password", same, { password: undefined });
  const { store: stateStore, folder: rootDir } = journey;
  const change = { stage: "dev", stateStore, rootDir, cost: COST, env: {} };
  await rotatePassword("canary", { ...change, password: PASSWORD, newPassword: "a rotated one" });
  await rekey("canary", { ...change, password: "a rotated one", newPassword: PASSWORD });
  await journey.succeeds("last", () => journey.engine.run("child", (scope) => scope.set("last", deep(all))), {
    json: true,
  });
  await journey.succeeds("erased", same, { password: "after a loss", eraseSecrets: true, force: true });
  await journey.succeeds("destroyed", undefined, { phase: "destroy", password: "after a loss" });
  acts.clear();
}

async function currentApp(journey: Journey) {
  return journey.engine.run("looked at", async (scope) => scope.root);
}

/** Prints a secret, and a value that holds secrets, as programs do. */
function look(journey: Journey, value: unknown): void {
  const list: unknown = Reflect.get(Object(value), "list");
  const found: readonly unknown[] = Array.isArray(list) ? list.flat(2).filter(isSecret) : [];
  journey.said.push(inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), `${found}`);
  for (const one of found)
    journey.said.push(`${one}`, JSON.stringify({ one }), inspect(one, { customInspect: false, showHidden: true }));
}
