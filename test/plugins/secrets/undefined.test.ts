import { expect, test } from "vitest";
import { Secret } from "../../../plugins/secrets/secret.js";

const NOWHERE: string | undefined = undefined;

test.each<[string, () => unknown, string]>([
  [
    "the variable of the line",
    () => new Secret(process.env.NOT_SET_HERE),
    "environment variable NOT_SET_HERE missing?",
  ],
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
