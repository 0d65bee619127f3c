/** Differing resources as lines of a list. */
import type { Difference } from "../../api/index.js";
import type { ListedAction } from "../list/action-list.js";
import { Changes, pathName } from "../parts/changes.js";
import { counted } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf } from "../router.js";
import { belowStage } from "../shell/header.js";

/** The most dangerous first. */
export const DIFFERENCE_WORDS = ["gone", "replaced", "changed", "created"] as const;

type Differing = Difference["resources"][number];

/** Paths of changes in a line. */
const PATHS = 6;

interface Stage {
  readonly app: string;
  readonly stage: string;
}

export function differingResources({ resources }: Difference, { app, stage }: Stage): readonly ListedAction[] {
  const rows = DIFFERENCE_WORDS.flatMap((word) => resources.filter(({ what }) => wordOf(what) === word));
  return rows.map(({ fqn, kind, what, changes }, index) => ({
    key: `${index}`,
    word: wordOf(what),
    path: belowStage(fqn, app, stage),
    kind,
    note: noteOf(what, changes),
    details: () => (
      <>
        <Changes changes={changes} />
        {what !== "gone" && (
          <p class="action-why">
            <a href={fragmentOf({ page: "resource", app, stage, fqn, tab: "history" })}>
              All values<span class="unseen"> of {visible(fqn)}</span>
            </a>
          </p>
        )}
      </>
    ),
  }));
}

function wordOf(what: Differing["what"]): (typeof DIFFERENCE_WORDS)[number] {
  return what === "made" ? "created" : what;
}

function noteOf(what: Differing["what"], changes: Differing["changes"]): string {
  if (what === "made" || what === "gone") return counted(changes.length, "value");
  const paths = changes.slice(0, PATHS).map(({ path }) => pathName(path));
  const more = changes.length > PATHS ? ` and ${changes.length - PATHS} more` : "";
  return `${paths.join(", ")}${more}`;
}
