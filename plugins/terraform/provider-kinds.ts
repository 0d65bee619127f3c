/** What a provider of Terraform has made can be deleted without the program that declared it: by what is recorded, and the lock file. */
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/** As kinds of providers' types are: where the provider comes from, and what programs call the type, e.g. `cyrilgdn/postgresql:role`. */
const KIND = /^terraform:Provider$|^\S+\/\S+:(?:data\.)?\w+$/;

export function providerKinds(): EnginePlugin {
  return definePlugin({
    name: "terraform",
    apply: ({ hooks }) =>
      hooks.resolveKind.tap("terraform", async ({ kind }) => {
        if (!KIND.test(kind)) return undefined;
        const { undeclaredType } = await import("./lifecycle/undeclared.js");
        return undeclaredType(kind);
      }),
  });
}
