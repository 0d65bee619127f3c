/** Programs of many shapes, each with every operation. */
import { memoryStore } from "../../../../adapters/memory/index.js";
import { allOperations, atOnce, engine, ids, inTurn, type Props, type Scenario, Thing } from "./scenario.js";

/** Number of children of a resource that has any. */
const BROOD = 10;

/** Calls a function in each of these scopes, the first of which holds the second, and so on. */
async function inside(names: readonly string[], fn: () => unknown): Promise<void> {
  const [name, ...others] = names;
  if (name === undefined) return;
  await engine.run(name, async () => {
    await fn();
    await inside(others, fn);
  });
}

export const programs: readonly Scenario[] = [
  allOperations("one after the other", (n, props) => () => inTurn(ids(n), () => props)),
  allOperations("all at once", (n, props) => () => atOnce(ids(n), () => props)),
  allOperations("one in each of many scopes", (n, props) => async () => {
    for (const id of ids(n)) await engine.run(id, () => Thing("it", props));
  }),
  allOperations(
    "in many scopes at once",
    (n, props) => () => Promise.all(ids(n).map((id) => engine.run(id, () => Thing("it", props)))),
  ),
  {
    ...allOperations(
      "scopes, each inside the one before",
      (n, props) => () => inside(ids(n), () => Thing("it", props)),
    ),
    isDeep: true,
  },
  {
    name: "resources, each in the handler of the one before",
    isDeep: true,
    // A delete looks at all resources around it, in case one of them is not called again.
    steps: (n) => [
      ...["create", "unchanged"].map((name) => ({ name, program: () => Thing("in", { value: 1, depth: n }) })),
      { name: "update", program: () => Thing("in", { value: 2, depth: n }) },
      { name: "plan to destroy", options: { phase: "destroy", plan: true } },
    ],
  },
  allOperations("children of a few", (n, props) => () => inTurn(ids(n / BROOD), () => ({ ...props, children: BROOD }))),
  allOperations("children of one", (n, props) => () => Thing("parent", { ...props, children: n })),
  allOperations("a chain", (n, props) => async () => {
    let last: unknown;
    for (const id of ids(n)) last = await Thing(id, { ...props, uses: last });
  }),
  allOperations("a chain of promises", (n, props) => async () => {
    let last: Promise<unknown> | undefined;
    for (const id of ids(n)) last = Thing(id, { ...props, uses: last });
    await last;
  }),
  allOperations("one that all refer to", (n, props) => async () => {
    const hub = await Thing("hub", props);
    await atOnce(ids(n), () => ({ ...props, uses: hub }));
  }),
  allOperations("one that all depend on", (n, props) => async () => {
    const hub = Thing("hub", props);
    await Promise.all(ids(n).map((id) => Thing(id, props, { dependsOn: [hub] })));
  }),
  allOperations("one that refers to all", (n, props) => async () => {
    const uses = await Promise.all(ids(n).map((id) => Thing(id, props)));
    await Thing("last", { ...props, uses });
  }),
  allOperations("waves", (n, props) => async () => {
    for (let from = 0; from < n; from += 25) await atOnce(ids(n).slice(from, from + 25), () => props);
  }),
  allOperations("with the old copy deleted first", (n, props: Props) => async () => {
    for (const id of ids(n)) await Thing(id, props, { deleteBeforeReplace: true });
  }),
  allOperations("in one scope that is entered again and again", (n, props) => async () => {
    for (const id of ids(n)) await engine.run("inner", () => Thing(id, props));
  }),
  allOperations("with data of its own scope", (n, props) => async (app) => {
    for (const id of ids(n)) {
      await app.set(id, props.value);
      await Thing(id, props);
    }
  }),
  {
    ...allOperations("all at once, on a store where no entry grows", (n, props) => () => atOnce(ids(n), () => props)),
    store: () => memoryStore({ append: false }),
  },
  {
    ...allOperations(
      "one after the other, on a store where no entry grows",
      (n, props) => () => inTurn(ids(n), () => props),
    ),
    store: () => memoryStore({ append: false }),
  },
];
