import { describe, expect, test } from "vitest";
import { maskedStart } from "../../../plugins/secrets/redactor.js";
import { Secret } from "../../../plugins/secrets/secret.js";

describe("the beginning of a text", () => {
  const { unencrypted } = new Secret('start-"canary"-of-a-message');

  test.each([
    ["as it is", unencrypted],
    ["in JSON", JSON.stringify(unencrypted).slice(1, -1)],
    ["in base64", Buffer.from(unencrypted).toString("base64").replace(/=+$/, "")],
    ["in hex", Buffer.from(unencrypted).toString("hex")],
  ])("has no part of a secret that the cut goes through, %s", (_how, form) => {
    const text = `<<${form}>>${"<".repeat(100)}`;
    for (let most = 2; most <= 2 + form.length; most++) expect(["<<", "<<***"]).toContain(maskedStart(text, most));
    expect(maskedStart(text, form.length + 5)).toBe("<<***>><");
  });

  test("is the text itself where that is short enough", () => {
    expect([maskedStart("<<<<", 4), maskedStart("<<<<>", 4)]).toEqual(["<<<<", "<<<<"]);
  });
});
