/** States of earlier versions, which recorded sensitive values in plain text. */

import { memoryStore } from "../../../../adapters/memory/index.js";
import type { StateStore } from "../../../../core/contract/index.js";
import { stageAdmin } from "../../../../plugins/admin/index.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { PASSWORD, secretStage } from "../../../helpers/apps/secret-stage.js";
import { rewriteState } from "../../../helpers/stores/rewrite-state.js";
import type { FixtureStage } from "./fixture-stage.ts";

export const NOTE = "canary-configured";
const SECRET = "canary-marked";
export const NAME = "canary-given";

/** Texts by attribute, or by part of the record and attribute. */
export type Texts = Readonly<Record<string, string>>;

/** A copy of the state with these values in plain text, as earlier versions recorded them. */
export async function asBefore(store: StateStore, password?: string, all: Texts = {}): Promise<StateStore> {
  const texts: Texts = { note: NOTE, "props secret": SECRET, "output name": NAME, element: "canary-element", ...all };
  const inClear = (value: unknown, key = "", part = ""): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if ("$secret" in value) return texts[key] ?? texts[`${part} ${key}`] ?? value;
    if (Array.isArray(value)) return value.map((element) => inClear(element, part === "output" ? "element" : "", part));
    const inner = key === "output" || key === "props" ? key : part;
    const members = Object.entries(value).filter(([name]) => name !== "withheld" && name !== "$$version");
    return Object.fromEntries(
      members.map(([name, member]) => [
        name,
        name === "config" && password === undefined ? { note: NOTE } : inClear(member, name, inner),
      ]),
    );
  };
  const copy = memoryStore();
  await rewriteState(store, copy, (text) => JSON.stringify(inClear(JSON.parse(text))), {
    ...(password && { password }),
  });
  return copy;
}

export async function exposedIn(store: StateStore): Promise<readonly string[]> {
  await using admin = stageAdmin(store, { app: "app", stage: "dev" });
  const { findings } = await admin.verify();
  return findings.filter(({ level }) => level === "exposed").map(({ key, problem }) => `${key}: ${problem}`);
}

const programOf =
  (fixture: FixtureStage["fixture"]) =>
  (size: number, secret = SECRET) =>
  () => {
    const { thing, attributes } = fixture({ note: NOTE });
    thing!("thing", { name: new Secret(NAME), secret, size });
    attributes!("list", { number: size, list: ["seen", new Secret("canary-element")] });
  };

/** A stage with the state of an earlier version, and its later runs. */
export async function exposedStage({ stage, fixture, asked, world }: FixtureStage, texts?: Texts) {
  const program = programOf(fixture);
  await stage.up(program(1));
  const store = await asBefore(stage.store, PASSWORD, texts);
  asked();
  return { store, later: secretStage({ stateStore: store }), program, fixture, asked, world };
}
