/** Secrets that a provider returns in places that its schema does not mark. */
import { expect, test } from "vitest";
import type { Scope } from "../../../../core/contract/index.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { recordsOf } from "../../../helpers/apps/stage.js";
import { fixtureStages } from "./fixture-stage.ts";
import { formsIn } from "./provider-canaries.ts";

const made = fixtureStages();
const SECRET = "Canary/of-Mine";

/** Title, form of the type `echo`, props with the secret, and the text that the form returns. */
const echoes: readonly (readonly [string, string, object, string])[] = [
  ...["login", "base64", "wrapped", "hex", "lower", "upper"].map(
    (as) => [`as ${as}`, as, { value: new Secret(SECRET) }, SECRET] as const,
  ),
  ["trimmed", "trimmed", { value: new Secret(`  ${SECRET}\n`) }, SECRET],
  ["as a key of a map", "key", { value: new Secret(SECRET) }, SECRET],
  ["as a number", "number", { value: new Secret("987654321") }, "987654321"],
  ["as a large number", "number", { value: new Secret("98765432109876543210") }, "98765432109876543210"],
  ["in a URL of Go", "go", { value: new Secret("q1w2e3/r4t5y6==") }, "q1w2e3%2Fr4t5y6=="],
  ["in private bytes, in small letters", "private-lower", { value: new Secret("Canary-Of-Mine") }, "canary-of-mine"],
  ["of an argument that is only written", "plain", { written: new Secret(SECRET) }, SECRET],
];

/**
 * Forms for secrets of the configuration: the schema marks the token, and the program declares that the note is a
 * secret.
 */
const configured = ["plain", "login", "key", "private", "planned"];
const config = { note: new Secret("canary-noted"), token: "canary-token" };

const leaksOf = (text: string) => Object.values(config).flatMap((one) => formsIn(text, Secret.unwrap(one)));

test("a secret of a resource or of its provider comes back in one of many forms, and is recorded in the clear", async () => {
  const { stage, fixture, world } = await made();
  const outputs: unknown[] = [];
  const program = async () => {
    const { echo } = fixture(config);
    for (const [what, as, props] of echoes)
      outputs.push(await echo!(what.replaceAll(/\W/g, "-"), { name: "a", as, ...props }));
    for (const as of configured) outputs.push(await echo!(as, { name: "a", as }));
  };
  await stage.up(program);
  const text = await textIn(stage.store);
  expect([...echoes.flatMap(([, , , secret]) => formsIn(text, secret)), ...leaksOf(text)]).toEqual([]);
  expect(leaksOf(JSON.stringify(world.all("fixture_echo")))).not.toEqual([]);
  for (const output of outputs) expect(Object.values(Object(output))).toContain("a");
  await stage.up(program, { refresh: true });
  expect(stage.summary).toEqual({ unchanged: outputs.length / 2 + 1 });
  expect(stage.told.filter((one) => one.startsWith("drift"))).toEqual([]);
});

test("a secret of a configuration comes back in a stage without a key, and is recorded, or each run makes one more", async () => {
  const { stage, fixture, world } = await made();
  const program = () => void fixture(config).echo!("echo", { name: "a", as: "plain" });
  for (const _run of [1, 2]) {
    expect(await stage.failures(program, { password: undefined })).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
    expect(leaksOf(await textIn(stage.store))).toEqual([]);
    expect(world.all("fixture_echo")).toHaveLength(1);
  }
  await stage.up(program, { password: undefined, phase: "destroy" });
  expect(world.all("fixture_echo")).toEqual([]);
});

test("a resource keeps what it made of a former secret, and the next update records it in the clear", async () => {
  const { stage, fixture, world } = await made();
  const program = (token: string, size: number) => () =>
    void fixture({ token }).echo!("echo", { name: "a", as: "kept", size });
  await stage.up(program("canary-first", 1));
  await stage.up(program("canary-second", 1));
  const app: Scope = await stage.up(program("canary-second", 2));
  expect(JSON.stringify(world.all("fixture_echo"))).toContain("canary-first");
  expect(JSON.stringify([...recordsOf(app)].map(({ output }) => output))).not.toContain("canary-first");
});
