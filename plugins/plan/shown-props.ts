/** Lists the props of a resource that is created or deleted, as the program gave them. Pure. */
import type { Redact } from "../../core/base/index.js";
import type { PropertyChange, ResolvedOptions } from "../../core/contract/index.js";
import { membersAs } from "../internal/render/changes.js";

/** Props that the types of Terraform providers add: the versions, and the configuration of the provider. */
const ADDED: readonly string[] = ["/$version", "/provider"];

/** A data source has no version. Its kind is e.g. `hashicorp/aws:data.ami`. */
const DATA_SOURCE = /^[^/:]+\/[^:]+:data\./;

interface Showing {
  readonly redact: Redact;
  readonly options: Pick<ResolvedOptions, "full">;
}

/** @param rendered the props as the plan shows them, if the caller has them */
export function shownProps(
  side: "old" | "new",
  { kind, props, rendered }: { readonly kind: string; readonly props: unknown; readonly rendered?: unknown },
  showing: Showing,
): readonly PropertyChange[] {
  const all = membersAs(side, props, showing, rendered);
  const isOfProvider = DATA_SOURCE.test(kind) || all.some(({ path }) => path === ADDED[0]);
  return isOfProvider ? all.filter(({ path }) => !ADDED.includes(path)) : all;
}
