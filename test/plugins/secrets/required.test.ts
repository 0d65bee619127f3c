/** Without a required password no handler runs: it could create a secret output that cannot be recorded. */
import { expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { PASSWORD, secretStage } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, type Stage } from "../../helpers/apps/stage.ts";
import { newKind } from "../../helpers/apps/world.ts";

interface Props {
  readonly name?: string;
  readonly value?: unknown;
}

type Tokens = ReturnType<typeof tokens>;

/** A type that returns a secret token, and the calls of its handlers. */
function tokens(how: Readonly<Record<string, unknown>> = {}) {
  const calls: string[] = [];
  const made = (phase: string) => () => {
    calls.push(phase);
    return { token: new Secret(`t-${calls.length}-of-the-service`) };
  };
  const Token = Resource<{ token: Secret }, Props>(newKind(), {
    create: made("create"),
    update: made("update"),
    delete: () => void calls.push("delete"),
    replaceOn: ["name"],
    ...how,
  });
  return { Token, calls, news: () => calls.splice(0) };
}

/** Checks that the next run does not treat it as the remainder of an earlier one. */
async function isAsIfNeverBegun(stage: Stage, Token: Tokens["Token"]): Promise<void> {
  await stage.up(() => Token("a"), open);
  expect(stage.told).toEqual(["started a", "created a"]);
  expect(stage.heard("warning")).toEqual([]);
}

const required = [{ code: "PASSWORD_REQUIRED" }];
const open = { password: PASSWORD };

test("a secret among the props is refused before the create", async () => {
  const { Token, calls } = tokens();
  const stage = secretStage({ password: undefined });
  expect(await stage.failures(() => Token("a", { value: new Secret("v-of-the-props") }))).toMatchObject(required);
  expect(calls).toEqual([]);
});

test("what the type's own outputs say to be a secret is refused before the create, and nothing is recorded", async () => {
  const { Token, calls } = tokens({ outputs: () => ({ token: new Secret("known-beforehand") }) });
  const stage = secretStage({ password: undefined });
  expect(await stage.failures(() => Token("a"))).toMatchObject(required);
  expect(calls).toEqual([]);
  await isAsIfNeverBegun(stage, Token);
  expect(calls).toEqual(["create"]);
});

test("what the type says to give as a secret is refused before the create, and nothing is recorded", async () => {
  const { Token, calls } = tokens({ givesSecrets: true });
  const stage = secretStage({ password: undefined });
  expect(await stage.failures(() => Token("a"))).toMatchObject([
    { code: "PASSWORD_REQUIRED", fqn: "app/dev/a", message: expect.stringContaining('The output of "app/dev/a"') },
  ]);
  expect(calls).toEqual([]);
  await isAsIfNeverBegun(stage, Token);
  expect(calls).toEqual(["create"]);
});

test.each([
  ["update", { value: 2 }, {}],
  ["replace", { name: "other" }, {}],
  ["create anew", {}, { read: () => undefined, verify: true }],
])("an output that was recorded as a secret is looked for before an %s", async (_, props, how) => {
  const { Token, news } = tokens(how);
  const stage = secretStage({ password: undefined });
  await stage.up(() => Token("a"), open);
  news();
  expect(await stage.failures(() => Token("a", props))).toMatchObject(required);
  expect(news()).toEqual([]);
  await stage.up(() => Token("a", props), open);
  expect(news().length).toBeGreaterThan(0);
});

test("a plan tells it as the run does", async () => {
  const { Token, calls } = tokens({ givesSecrets: ({ props }: { props: Props }) => props.value === 1 });
  const { engine, store } = secretStage();
  const planned = (value: number) =>
    engine.plan("app", { stage: "dev", argv: [], env: {}, stateStore: store }, () => Token("a", { value }));
  expect(await failuresOf(planned(1))).toMatchObject(required);
  expect((await planned(2)).actions).toMatchObject([{ action: "create" }]);
  expect(calls).toEqual([]);
});

test("a create that is finished, as the one before was interrupted, waits for a password as well", async () => {
  let fails = true;
  const calls: string[] = [];
  const create = () => {
    calls.push("create");
    if (fails) throw new Error("The service is down.");
    return { token: new Secret("t-of-the-service") };
  };
  const { Token } = tokens({ create, idempotent: true, givesSecrets: true });
  const stage = secretStage({ password: undefined });
  await stage.failures(() => Token("a"), open);
  fails = false;
  calls.length = 0;
  expect(await stage.failures(() => Token("a", { value: 2 }))).toMatchObject(required);
  expect(await stage.failures(() => Token("a"))).toMatchObject(required);
  expect(calls).toEqual([]);
  await stage.up(() => Token("a"), open);
  expect(calls).toEqual(["create"]);
});
