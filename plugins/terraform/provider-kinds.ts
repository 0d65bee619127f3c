/**
 * Deletes resources of Terraform providers without the program that declared them, by the state and the lock file.
 * Masks sensitive values that an earlier version recorded in the clear.
 */
import type { EnginePlugin, RecordedState } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/**
 * A kind of a provider's type: the source of the provider and the name of the type, e.g. `cyrilgdn/postgresql:role`.
 * A source has a colon only before the port of its host and after the drive of its path. A token of Pulumi, such as
 * `aws:s3/bucket:Bucket`, has two.
 */
const KIND = /^(?:[^\s:/]+:\d+\/|[A-Za-z]:[\\/])?[^\s:]+\/[^\s:]+:(?:data\.)?\w+$/;

/** True for the kind of a resource or data source of a provider. */
export function isOfProvider(kind: string): boolean {
  return KIND.test(kind);
}

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
        // A Secret masks its text everywhere from now on.
        for (const text of clearTexts(recorded)) new Secret(text);
      });
      hooks.resolveKind.tapPromise("terraform", async ({ kind }) => {
        if (kind !== "terraform:Provider" && !isOfProvider(kind)) return undefined;
        const { undeclaredType } = await import("./lifecycle/undeclared.js");
        return undeclaredType(kind);
      });
    },
  });
}
