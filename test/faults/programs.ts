/** Programs that may be killed, by name. */

import type { Scope } from "../../core/contract/index.js";
import type { Engine } from "../../plugins/engine/index.js";
import { Secret } from "../../plugins/secrets/secret.js";
import { Blind, Dual, Fixed, Named, Nest, Plain, Read, Token } from "./kinds.js";

type Program = (app: Scope, engine: Engine) => unknown;

/** One after the other, one of each type. */
async function each(value: number, name?: string): Promise<void> {
  await Token("token", { value, name });
  await Blind("blind", { value });
  await Read("read", { value, name });
  await Plain("plain", { value, name });
}

function together(value: number): Promise<unknown> {
  return Promise.all([
    Token("token", { value }),
    Blind("blind", { value }),
    Read("read", { value }),
    Fixed("fixed", { value }),
  ]);
}

async function readable(value: number): Promise<void> {
  for (const id of ["first", "second", "third"]) await Read(id, { value });
}

async function inScopes(engine: Engine, value: number): Promise<void> {
  await engine.run("a", async (scope) => {
    await scope.set("size", value);
    await Token("token", { value });
    await engine.run("b", async (inner) => {
      await Read("read", { value });
      await inner.set("size", { of: value });
    });
    if (value > 1) await scope.delete("only");
    else await scope.set("only", true);
  });
}

export const programs: Readonly<Record<string, Program>> = {
  nothing() {},
  /** Like `nothing`, with all deletes at once. */
  nothingAtOnce() {},
  first: () => each(1),
  second: () => each(2),
  other: () => each(2, "new first"),
  otherOldFirst: () => Plain("plain", { value: 3, name: "old first" }),
  plain: () => Plain("plain", { value: 1 }),
  together: () => together(1),
  togetherChanged: () => together(2),
  fewer: () => Token("token", { value: 1 }),
  readable: () => readable(1),
  readableChanged: () => readable(2),
  async backwards() {
    await Plain("plain", { value: 1 });
    await Read("read", { value: 2 });
    await Blind("blind", { value: 1 });
    await Token("token", { value: 2 });
  },
  async destroying(_app, engine) {
    await engine.destroy(Token("token", { value: 1 }));
    await engine.destroy(Blind("blind", { value: 1 }));
    await Read("read", { value: 1 });
  },
  async nested() {
    await Nest("nest", { value: 1, children: ["x", "y"] });
    await Token("token", { value: 1 });
  },
  async nestedChanged() {
    await Nest("nest", { value: 2, children: ["y", "z"] });
    await Token("token", { value: 1 });
  },
  nestedReplaced: () => Nest("nest", { value: 2, name: "other", children: ["x"] }),
  remote: (_app, engine) => engine.run("where", { local: false }, () => Dual("dual", { value: 1 })),
  local: (_app, engine) => engine.run("where", { local: true }, () => Dual("dual", { value: 2 })),
  scopes: (_app, engine) => inScopes(engine, 1),
  scopesChanged: (_app, engine) => inScopes(engine, 2),
  async data(app) {
    await app.set("a", 1);
    if ((await app.get("c")) === undefined) await app.set("b", [1, 2]);
    await Token("token", { value: await app.get("a") });
    await app.delete("b");
    await app.set("c", "text");
  },
  async deferred(app) {
    app.defer(() => Token("late", { value: 1 }));
    await Read("read", { value: 1 });
  },
  /** Writes in every run, and calls no handler. */
  async restless(app) {
    await app.set("odd", !(await app.get("odd")));
    await app.delete("odd");
  },
  async secrets(app) {
    await app.set("token", new Secret("in data"));
    await Token("token", { value: new Secret("of the token") });
    await Read("read", { value: { deep: [new Secret("of the other"), 1] } });
  },
  /** Keeps its real resource when it is not declared any more. */
  left: () => Named("named", { value: 1 }, { retainOnDelete: true }),
  async adopting() {
    await Token("token", { value: 1 });
    await Named("named", { value: 2 }, { adopt: true });
    await Plain("plain", { value: 1 });
  },
  failing() {
    throw new Error("no program");
  },
  async many() {
    for (let number = 0; number < 6; number++) await Token(`t${number}`, { value: number });
  },
};

/** Programs whose deletes are as wide as the order allows. */
export const WIDE: readonly string[] = ["nothingAtOnce"];

/** Programs that declare each resource only after the one before it exists. */
export const IN_SEQUENCE: readonly string[] = Object.keys(programs).filter(
  (name) => !/together|nested|AtOnce/.test(name),
);
