/** The changes of the state if a copy of it is restored, and then the command that restores it. */
import { useMemo } from "preact/hooks";
import type { Difference, HistoryRow, StageHead } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { ActionList } from "../list/action-list.js";
import { Copy } from "../parts/copy.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { Loading, Trouble } from "../parts/notice.js";
import { count, When } from "../parts/time.js";
import { DIFFERENCE_WORDS, differingResources } from "./differing.js";

interface GoingBackProps {
  readonly app: string;
  readonly stage: string;
  readonly row: HistoryRow;
  onClose(): void;
}

/** In the direction of a restore: from the present state to the copy. */
const WORDS = { gone: "forgotten", replaced: "replaced", changed: "changed", created: "recorded" } as const;

export function GoingBack({ app, stage, row: { seq, run, restore }, onClose }: GoingBackProps) {
  const head = useAnswer<StageHead>(stagePath(app, stage));
  const present = head.data?.seq;
  const { data, failure, reload } = useAnswer<Difference>(
    present === undefined ? undefined : `${stagePath(app, stage)}/difference?from=${present}&to=${seq}`,
  );
  const actions = useMemo(
    () =>
      data &&
      differingResources(data, { app, stage }).map((one) => ({ ...one, word: WORDS[one.word as keyof typeof WORDS] })),
    [data, app, stage],
  );
  const title = `Go back to entry ${count(seq)}`;
  const problem = failure ?? head.failure;
  return (
    <Dialog label={title} className="going-back" onClose={onClose}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      {/* Keys scroll it. */}
      <section class="approval-list" tabIndex={0} aria-label="What it changes">
        <p class="going-back-text">
          {run && (
            <>
              The state after the {run.command} of <When at={run.since} />.{" "}
            </>
          )}
          Going back changes only the record, not the real resources. To roll back a deployment, check out the older
          program and run <code>engine up</code>.
        </p>
        {problem && <Trouble failure={problem} onRetry={data ? reload : head.reload} />}
        {!problem && !actions && <Loading label="Comparing with the present state" />}
        {actions?.length === 0 && <p>The present state has the same content.</p>}
        {actions && actions.length > 0 && (
          <ActionList
            label="Changes of the record"
            actions={actions}
            words={DIFFERENCE_WORDS.map((word) => WORDS[word])}
          />
        )}
        {data && data.left > 0 && <p class="soft">{count(data.left)} more differ.</p>}
      </section>
      {actions && (
        <div class="approval-foot">
          <p class="soft small">
            {actions.some(({ word }) => word === "forgotten") &&
              "Forgotten: the real resource stays, and no run deletes it any more. "}
            Run this command in the folder of the program:
          </p>
          <Copy text={restore} label={`Copy the command that restores entry ${seq}`} />
        </div>
      )}
    </Dialog>
  );
}
