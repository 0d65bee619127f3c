/** Stages that change from one run to the next: moved, renamed, pruned, failed. */
import { atOnce, engine, ids, inTurn, type Program, type Props, type Scenario, type Step, Thing } from "./scenario.js";

const ONE: Props = { value: 1, name: 1 };
const TWO: Props = { value: 2, name: 1 };
const failing: Props = { ...TWO, fails: true };

const turns =
  (names: readonly string[], props: (at: number) => Props = () => ONE): Program =>
  () =>
    inTurn(names, props);
const together =
  (names: readonly string[], props: (at: number) => Props = () => ONE): Program =>
  () =>
    atOnce(names, props);
const even = <T>(_: T, at: number): boolean => at % 2 === 0;

const EVEN = ["**/r*0", "**/r*2", "**/r*4", "**/r*6", "**/r*8"];

/** A stage that one program created, and that other programs run next. */
function then(name: string, first: (n: number) => Program, ...next: readonly ((n: number) => Step)[]): Scenario {
  return { name, steps: (n) => [{ program: first(n) }, ...next.map((step) => ({ name, ...step(n) }))] };
}

const made = (n: number): Program => turns(ids(n));
const madeAtOnce = (n: number): Program => together(ids(n));

export const histories: readonly Scenario[] = [
  then("declared in reverse order", made, (n) => ({ program: turns(ids(n).reverse()) })),
  then("declared in reverse order, with changes", made, (n) => ({ program: turns(ids(n).reverse(), () => TWO) })),
  then("the last moved to the front", made, (n) => ({ program: turns([...ids(n).slice(-1), ...ids(n).slice(0, -1)]) })),
  then("the first moved to the back", made, (n) => ({ program: turns([...ids(n).slice(1), "r00000"], () => TWO) })),
  then("halves exchanged", made, (n) => ({
    program: turns([...ids(n).slice(n / 2), ...ids(n).slice(0, n / 2)], () => TWO),
  })),
  then("new ones between the old ones", made, (n) => ({ program: turns(ids(n).flatMap((id) => [`new-${id}`, id])) })),
  then("new ones in front", made, (n) => ({ program: turns([...ids(n).map((id) => `new-${id}`), ...ids(n)]) })),
  then("one of all changed", made, (n) => ({ program: turns(ids(n), (at) => (at === n / 2 ? TWO : ONE)) })),
  then("half of them removed", made, (n) => ({ program: turns(ids(n).filter(even)) })),
  then("half of them removed, in parallel", madeAtOnce, (n) => ({
    program: together(ids(n).filter(even)),
    options: { destroyStrategy: "parallel" },
  })),
  then("all destroyed in parallel", made, () => ({ options: { phase: "destroy", destroyStrategy: "parallel" } })),
  then("all destroyed in parallel, made at once", madeAtOnce, () => ({
    options: { phase: "destroy", destroyStrategy: "parallel" },
  })),
  then(
    "a chain destroyed in parallel",
    (n) => async () => {
      let last: unknown;
      for (const id of ids(n)) last = await Thing(id, { ...ONE, uses: last });
    },
    () => ({ options: { phase: "destroy", destroyStrategy: "parallel" } }),
  ),
  then("nothing declared any more", made, () => ({ program: () => {} })),
  then("all replaced at once", madeAtOnce, (n) => ({ program: together(ids(n), () => ({ value: 1, name: 2 })) })),
  {
    name: "creates that all fail",
    steps: (n) => [
      { name: "failed", program: failingAll(n), failing: true },
      { name: "failed again", program: failingAll(n), failing: true },
      { name: "mended", program: turns(ids(n)) },
    ],
  },
  then("half of the replaces fail", made, (n) => ({
    program: async () => {
      await Promise.allSettled(ids(n).map((id, at) => Thing(id, { value: 2, name: 2, fails: at % 2 === 0 })));
    },
    failing: true,
  })),
  then("failures in many scopes", made, (n) => ({
    program: async () => {
      for (const id of ids(n)) await engine.run(id, () => Thing("it", failing)).catch(() => {});
    },
    failing: true,
  })),
  then("all renamed by aliases", made, (n) => ({
    program: async () => {
      for (const id of ids(n)) await Thing(`new-${id}`, ONE, { aliases: [id] });
    },
  })),
  then("aliases that were the names of others, the newest first", made, (n) => ({
    program: async () => {
      for (const [at, id] of ids(n).toReversed().entries()) {
        await Thing(id, ONE, { aliases: ids(n - 1 - at).slice(-1) });
      }
    },
  })),
  then(
    "children of one that is renamed",
    (n) => () => Thing("parent", { ...ONE, children: n }),
    (n) => ({
      program: () => Thing("other", { ...ONE, children: n }, { aliases: ["parent"] }),
    }),
  ),
  then(
    "children of one that is replaced",
    (n) => () => Thing("parent", { ...ONE, children: n }),
    (n) => ({
      program: () => Thing("parent", { value: 1, name: 2, children: n }),
    }),
  ),
  then("half of them targets", made, (n) => ({
    program: turns(ids(n), () => TWO),
    options: { target: EVEN },
  })),
  then("each a target", made, (n) => ({
    program: turns(ids(n), () => TWO),
    options: { target: ids(n).map((id) => `slopes/dev/${id}`) },
  })),
  then("excludes without effect", made, (n) => ({
    program: turns(ids(n)),
    options: { exclude: ids(n).map((id) => `slopes/dev/not-${id}`) },
  })),
  then("targets that are replaced", made, (n) => ({
    program: turns(ids(n), () => ({ value: 1, name: 2 })),
    options: { target: ["slopes/dev/r*"] },
  })),
  then(
    "a chain with a target at its end",
    (n) => chain(n, ONE),
    (n) => ({
      program: chain(n, TWO),
      options: {
        target: ids(n)
          .slice(-1)
          .map((id) => `**/${id}`),
      },
    }),
  ),
  then(
    "a chain with a target and its dependents",
    (n) => chain(n, ONE),
    (n) => ({
      program: chain(n, TWO),
      options: { target: ["**/r00000"], targetDependents: true },
    }),
  ),
  then("half of them excluded from a destroy", made, () => ({
    options: { phase: "destroy", exclude: EVEN },
  })),
  then("refreshed", made, (n) => ({ program: made(n), options: { refresh: true } })),
  then("planned", made, (n) => ({ program: turns(ids(n), () => TWO), options: { plan: true } })),
  then("read", made, (n) => ({ program: made(n), options: { phase: "read" } })),
  then("a plan to prune all", made, () => ({ program: () => {}, options: { plan: true } })),
  then("a few deletes allowed", made, (n) => ({ program: turns(ids(n / 2)), options: { maxDeletes: n } })),
  then(
    "one id again and again",
    () => () => {},
    (n) => ({
      program: async () => {
        for (let at = 0; at < n; at++) await Thing("same", { value: at });
      },
      options: { reapply: true },
    }),
  ),
  then(
    "one scope destroyed, of many",
    (n) => () => Promise.all(ids(n).map((id) => engine.run(id, () => Thing("it", ONE)))),
    (n) => ({
      program: async () => {
        for (const id of ids(n)) {
          await engine.run(id, async (scope) => {
            await Thing("it", ONE);
            await engine.destroy(scope);
          });
        }
      },
    }),
  ),
  then("each destroyed by the program", made, (n) => ({
    program: async () => {
      for (const id of ids(n)) await engine.destroy(Thing(id, ONE));
    },
  })),
];

function failingAll(n: number): Program {
  return () => Promise.allSettled(ids(n).map((id) => Thing(id, failing)));
}

function chain(n: number, props: Props): Program {
  return async () => {
    let last: unknown;
    for (const id of ids(n)) last = await Thing(id, { ...props, uses: last });
  };
}
