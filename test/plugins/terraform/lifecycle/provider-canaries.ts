/** Values that must stay secret, one in each place where a program or a provider can put one. */
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
};

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
    found: all.data.lookup!("found", { name: new Secret(found) }, { dependsOn: [thing] } as object),
  };
}

export function leaksIn(text: string): string[] {
  return Object.entries(CANARIES).flatMap(([where, canary]) => {
    const json = JSON.stringify(canary).slice(1, -1);
    const forms = [canary, json, asGo(json), Buffer.from(canary).toString("base64").slice(0, 14)];
    return forms.some((form) => text.includes(form)) ? [where] : [];
  });
}

/** JSON as programs in Go write it. */
export function asGo(json: string): string {
  return json.replace(/[&<>]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
}
