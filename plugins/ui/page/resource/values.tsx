/** Every value that a resource had, newest first, with the run that made it. */
import { useState } from "preact/hooks";
import type { ValueAt } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { Changes } from "../parts/changes.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { RunLink } from "../parts/run-link.js";
import { SealMark } from "../parts/seal-mark.js";
import { count, When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import type { ResourceRoute } from "../router.js";

const STEP = 30;

export function Values({ route }: { readonly route: ResourceRoute }) {
  const { app, stage, fqn } = route;
  const path = `${stagePath(app, stage)}/values?fqn=${encodeURIComponent(fqn)}`;
  const { data, failure, isLoading, reload } = useAnswer<readonly ValueAt[]>(path);
  const [shown, setShown] = useState(STEP);
  if (failure) return <Trouble failure={failure} onRetry={reload} />;
  if (isLoading || !data) return <Loading label="Loading its history" />;
  if (data.length === 0)
    return (
      <Empty icon="clock" title="No copy of the state contains this resource">
        Each run that changes it adds its values here.
      </Empty>
    );
  const isSealed = data.some(({ seal }) => seal !== "none");
  return (
    <>
      <ol class="story" reversed>
        {data.slice(0, shown).map((one, index) => (
          <li key={one.seq} class="story-item" data-what={one.what}>
            <div class="story-head">
              <Pill word={one.what === "made" ? "created" : one.what} />
              {one.run ? (
                <span>
                  <When at={one.run.since} />{" "}
                  <span class="soft">
                    by {visible(one.run.user)}@{visible(one.run.host)}, <code>{visible(one.run.command)}</code>
                  </span>
                </span>
              ) : (
                <span class="soft">
                  {index === 0
                    ? "its run has not ended, or is not in the state any more"
                    : "its run is not in the state any more"}
                </span>
              )}
              <RunLink app={app} stage={stage} by={one.run} fqn={fqn} />
              <SealMark seal={one.seal === "verified" ? undefined : one.seal} isExpected={isSealed} />
              <span class="soft seq">entry {count(one.seq)}</span>
            </div>
            {one.changes.length > 0 && (
              <div class="card">
                <Changes changes={one.changes} />
              </div>
            )}
          </li>
        ))}
      </ol>
      {data.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 4)}>
          Show more ({count(data.length - shown)})
        </button>
      )}
    </>
  );
}
