/**
 * What a provider of Terraform has made can be deleted without the program that declared it: by what is recorded, and the lock file. Sensitive
 * values that an earlier version recorded in the clear are masked.
 */
import type { EnginePlugin, RecordedState } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/** As kinds of providers' types are: where the provider comes from, and what programs call the type, e.g. `cyrilgdn/postgresql:role`. */
const KIND = /^terraform:Provider$|^\S+\/\S+:(?:data\.)?\w+$/;

function hasProvider({ records }: RecordedState): boolean {
  for (const { kind } of records.values()) if (kind === "terraform:Provider") return true;
  return false;
}

export function providerKinds(): EnginePlugin {
  return definePlugin({
    name: "terraform",
    apply({ hooks }) {
      hooks.stateLoaded.tapPromise("terraform", async ({ recorded }) => {
        if (!hasProvider(recorded)) return;
        const [{ clearTexts }, { Secret }] = await Promise.all([
          import("./sensitive/in-the-clear.js"),
          import("../secrets/secret.js"),
        ]);
        // From now on they are masked in all texts.
        for (const text of clearTexts(recorded)) new Secret(text);
      });
      hooks.resolveKind.tapPromise("terraform", async ({ kind }) => {
        if (!KIND.test(kind)) return undefined;
        const { undeclaredType } = await import("./lifecycle/undeclared.js");
        return undeclaredType(kind);
      });
    },
  });
}
