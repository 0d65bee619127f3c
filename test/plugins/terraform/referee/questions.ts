/** Questions to a provider about each resource. */
import { impliedType } from "../../../../plugins/terraform/schema/index.js";
import type { Json } from "../fixture/world.ts";
import { canonicalJson } from "./canonical.ts";
import { TAG_OF } from "./configuration.ts";
import { schemaOf } from "./schema-of.ts";

export interface Question extends Json {
  readonly rpc: string;
}

const VALUES = ["config", "planned", "proposed", "prior", "current", "state"] as const;

/** Questions by `TYPE.TAG`, in their order; those about no resource are under `provider`. */
export function byResource(questions: readonly Json[], isOlder: boolean): ReadonlyMap<string, readonly Question[]> {
  const all = new Map<string, Question[]>();
  for (const question of questions) {
    const key = resourceOf(question);
    const known = all.get(key) ?? [];
    all.set(key, known);
    known.push(canonicalQuestion(question, isOlder));
  }
  return all;
}

function canonicalQuestion(question: Json, isOlder: boolean): Question {
  const { rpc, typeName } = question;
  if (typeof typeName !== "string" || rpc === "UpgradeResourceState") return { ...question, rpc: String(rpc) };
  const type = impliedType(schemaOf(typeName, isOlder).block);
  const members = Object.entries(question).map(([name, value]) => {
    const isValue = VALUES.some((one) => one === name);
    return [name, isValue ? canonicalJson(type, value) : value] as const;
  });
  return { ...Object.fromEntries(members), rpc: String(rpc) };
}

function resourceOf(question: Json): string {
  const { typeName } = question;
  if (typeof typeName !== "string") return "provider";
  const names = [TAG_OF[typeName] ?? "name", "title"];
  for (const value of VALUES) {
    for (const name of names) {
      const found = Reflect.get(Object(question[value]), name);
      if (typeof found === "string") return `${typeName}.${found}`;
    }
  }
  return `${typeName}.?`;
}
