/** JSON texts in programs that `engine import` writes: values that `JSON.stringify` writes so. */
import { describe, expect, test } from "vitest";
import { Sensitive } from "../../../plugins/import/contract.js";
import { printed, resource } from "./made-program.ts";

const vpc = resource({ address: "vpc.net", offers: { id: "vpc-0a1b2c" } });
const bucket = resource({ address: "bucket.logs", offers: { arn: "arn:acme:bucket:logs-77" } });

describe("references in a JSON text", () => {
  const policy = (document: unknown) =>
    resource({ address: "policy.p", props: { document }, dependencies: ["vpc.net", "bucket.logs"] });

  test("stand in the value that JSON.stringify writes so, in the same order", () => {
    const document = { to: ["arn:acme:bucket:logs-77/*", "vpc-0a1b2c"], "a-b": { __proto__x: 1, at: null } };
    const code = printed([vpc, bucket, policy(JSON.stringify(document))]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain("to: [`${logs.arn}/*`, net.id],");
    expect(code).toContain('"a-b": { __proto__x: 1, at: null },');
    expect(code).toMatch(/document: JSON\.stringify\(\{\n.+\n {2}\}\),/s);
  });

  test.each([
    ["with spaces", '{ "a": 1 }'],
    ["with a number of another form", '{"a":1.0}'],
    ["with a number that is rounded", '{"a":12345678901234567890}'],
    ["with names in another order than in JavaScript", '{"b":1,"1":2}'],
    ["with a name twice", '{"a":1,"a":2}'],
    ["with a minus zero", "[-0,1]"],
    ["that is empty", "{}"],
    ["that is cut", '{"a":'],
  ])("stay a text %s", (_, text) => {
    expect(printed([policy(text)])).toContain(
      `document: '${text}'`.replaceAll("'{}'", '"{}"').replaceAll("'[-0,1]'", '"[-0,1]"'),
    );
  });

  test("name no secret and no number that JSON cannot hold", () => {
    const offers = { token: new Sensitive("hunter2-token"), size: 9007199254740992n };
    const secret = resource({ address: "vpc.net", offers });
    const code = printed([secret, policy('{"of":"hunter2-token","size":9007199254740992}')]);
    expect(code).toContain('JSON.stringify({ of: "hunter2-token", size: 9007199254740992 })');
  });

  test("make a loop or a function of documents that differ by the key, and a parameter of others", () => {
    const of = (address: string, document: object, key: string, isScope: boolean) =>
      resource({
        address,
        name: "p",
        kindName: "policy",
        ...(isScope ? { scope: [{ name: "m", key }] } : { key }),
        props: { document: JSON.stringify(document) },
      });
    const loop = printed(["a", "b"].map((key) => of(`policy.p["${key}"]`, { name: key, path: `/${key}` }, key, false)));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(loop).toContain("JSON.stringify({ name: key, path: `/${key}` })");
    const scopes = (b: object) =>
      printed([
        of('module.m["a"].policy.p', { name: "a", of: { x: 1 } }, "a", true),
        of('module.m["b"].policy.p', b, "b", true),
      ]);
    const same = scopes({ name: "b", of: { x: 2 } });
    expect(same).toContain("document: JSON.stringify({ name: instance, of: { x } })");
    const other = scopes({ of: [1], name: "b" });
    expect(other).toContain('document: JSON.stringify({ of: [1], name: "b" })');
    expect(other).toContain("readonly document: string;");
    expect(other).toContain('acme.policy("p", { document })');
  });
});
