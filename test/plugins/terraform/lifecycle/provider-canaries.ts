/** Secret values, one in each place where a program or a provider can put one. */
import { Secret } from "../../../../plugins/secrets/secret.js";
import type { Fixture, FixtureStage } from "./fixture-stage.ts";

export const CANARIES = {
  config: "canary-configured",
  token: "canary-of-the-token",
  env: "canary-of-the-environment",
  sensitive: "canary-marked",
  nested: "canary-marked-inside",
  given: "canary-given",
  element: "canary-in-a-map",
  inList: "canary-in-a-list",
  derived: 'canary "derived"',
  markup: "canary & <of markup>",
  written: "canary-written",
  writtenInside: "canary-written-inside",
  found: "canary-looked-for",
  back: "Canary/that-comes-back",
  writtenBack: "canary-written-and-back",
};

/** Forms in which the type `echo` returns its input. */
const ECHOES = ["plain", "login", "hex", "key", "private"];

export function declared(fixture: FixtureStage["fixture"]) {
  const {
    config,
    token,
    env,
    sensitive,
    nested,
    given,
    element,
    inList,
    derived,
    markup,
    written,
    writtenInside,
    found,
    back,
    writtenBack,
  } = CANARIES;
  const all: Fixture & { readonly data: Fixture } = fixture({ note: config, token }, { env: { NOTE: env } });
  const tags = { a: new Secret(element), b: "seen" };
  const thing = all.thing!("thing", { name: new Secret(given), secret: sensitive, tags });
  return {
    thing,
    nested: all.nested!("nested", { single: { name: "a", secret: nested }, map: { x: { name: "b", secret: nested } } }),
    list: all.attributes!("list", { list: [new Secret(inList), "seen"] }),
    derived: all.behaviour!("derived", { name: "b", value: new Secret(derived) }),
    markup: all.behaviour!("markup", { name: "c", value: new Secret(markup) }),
    written: all.writeOnly!("written", { name: "a", password: written, access: [{ user: "u", token: writtenInside }] }),
    ...Object.fromEntries(ECHOES.map((as) => [as, all.echo!(as, { name: "a", as, value: new Secret(back) })])),
    ...Object.fromEntries(ECHOES.map((as) => [`config-${as}`, all.echo!(`config-${as}`, { name: "b", as })] as const)),
    writtenBack: all.echo!("written-back", { name: "a", as: "plain", written: new Secret(writtenBack) }),
    found: all.data.lookup!("found", { name: new Secret(found) }, { dependsOn: [thing] } as object),
  };
}

export function leaksIn(text: string): string[] {
  return Object.entries(CANARIES).flatMap(([where, canary]) => (formsIn(text, canary).length > 0 ? [where] : []));
}

/** The forms of a secret that a text contains. */
export function formsIn(text: string, secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return all.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
  });
  const json = JSON.stringify(secret).slice(1, -1);
  const anyCase = [secret, json, asGo(json), bytes.toString("hex"), encodeURIComponent(secret)];
  const joined = text.replaceAll("\\n", "");
  const lower = joined.toLowerCase();
  const isIn = (form: string): boolean => lower.includes(form.toLowerCase());
  return [...anyCase.filter(isIn), ...base64.filter((form) => joined.includes(form))];
}

/** JSON as Go programs write it. */
function asGo(json: string): string {
  return json.replace(/[&<>]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
}
