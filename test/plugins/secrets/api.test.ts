import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { engine, isSecret, Secret } from "../../../plugins/index.js";
import { secretFunction } from "../../../plugins/secrets/api.js";
import { codeOf } from "../../helpers/checks/codes.ts";

describe("a secret", () => {
  test("shows its name and nothing else, however it is printed", () => {
    const secret = engine.secret("hunter2", "DB_PASSWORD");
    const shown = [
      `${secret}`,
      String(secret),
      inspect(secret),
      inspect({ deep: [secret] }),
      JSON.stringify({ secret }),
      secret.toString(),
      `${secret as unknown as string}x`,
      inspect({ ...secret }),
      JSON.stringify(structuredClone({ ...secret })),
    ];
    for (const text of shown) expect(text).not.toContain("hunter2");
    expect(shown.slice(0, 3)).toEqual(Array(3).fill("Secret(DB_PASSWORD)"));
    expect(JSON.stringify({ secret })).toBe('{"secret":"Secret(DB_PASSWORD)"}');
    expect(Object.keys(secret)).toEqual(["name"]);
  });

  test("gives its value where it is asked for", () => {
    expect(engine.secret("hunter2").unencrypted).toBe("hunter2");
    const value = { user: "admin" };
    expect(engine.secret(value).unencrypted).toBe(value);
    expect(engine.secret("").unencrypted).toBe("");
    expect(engine.secret(null).unencrypted).toBeNull();
  });

  test("is wrapped once, and unwrapped where it is one", () => {
    const secret = Secret.wrap("hunter2", "name");
    expect(Secret.wrap(secret, "other")).toBe(secret);
    expect(engine.secret(secret)).toBe(secret);
    expect(Secret.unwrap(secret)).toBe("hunter2");
    expect(Secret.unwrap("plain")).toBe("plain");
    expect([secret, "hunter2", null, undefined, {}, { unencrypted: 1 }].map(isSecret)).toEqual([
      true,
      ...Array(5).fill(false),
    ]);
  });
});

describe("a secret from the environment", () => {
  const { env } = secretFunction(() => ({ TOKEN: "t-1", EMPTY: "", name: "n-1", length: "l-1" }));

  test("has the name of its variable, also where functions have a member of that name", () => {
    const tokens = ["TOKEN", "name", "length"].map((name): unknown => Reflect.get(env, name));
    expect(tokens.map((token) => Secret.unwrap(token))).toEqual(["t-1", "n-1", "l-1"]);
    expect(String(env.TOKEN)).toBe("Secret(TOKEN)");
  });

  test("that is unset or empty is an error, unless there is a fallback", () => {
    expect(codeOf(() => env.MISSING)).toEqual([
      "ENV_MISSING",
      'The environment variable MISSING is not set. Set it, or pass a fallback: engine.secret.env("MISSING", fallback).',
    ]);
    expect(codeOf(() => env("EMPTY"))[1]).toContain("EMPTY is empty");
    expect(codeOf(() => env("MISSING", undefined, "Ask the team for it."))).toEqual([
      "ENV_MISSING",
      "Ask the team for it.",
    ]);
    expect(env("MISSING", "fallback").unencrypted).toBe("fallback");
    expect(env("TOKEN", "fallback").unencrypted).toBe("t-1");
  });

  test("cannot be set, and is not a promise", async () => {
    expect(() => Object.assign(env, { TOKEN: "other" })).toThrow(TypeError);
    expect(env.TOKEN?.unencrypted).toBe("t-1");
    expect(await Promise.resolve(env)).toBe(env);
  });
});

const NOWHERE: string | undefined = undefined;

test.each<[string, () => unknown, string]>([
  ["the variable of the line", () => new Secret(process.env.NOT_SET_HERE), "Set the environment variable NOT_SET_HERE"],
  [
    "that one, too, where the secret has a name for people",
    () => new Secret(process.env.NOT_SET_HERE, "password of the database"),
    "engine.secret.env.NOT_SET_HERE",
  ],
  ["a name that is one of a variable", () => new Secret(NOWHERE, "DB_PASSWORD"), "engine.secret.env.DB_PASSWORD"],
  ["none that is not", () => new Secret(NOWHERE, "password of the database"), "engine.secret.env.NAME"],
])("a secret of undefined is refused, naming %s", (_what, make, text) => {
  expect(make).toThrow(expect.objectContaining({ code: "SECRET_UNDEFINED", message: expect.stringContaining(text) }));
});
