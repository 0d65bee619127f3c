/** The differences between two kept copies of a stage. */
import { useState } from "preact/hooks";
import type { Difference } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { Changes } from "../parts/changes.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { SealMark } from "../parts/seal-mark.js";
import { count, counted } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type Route } from "../router.js";
import { belowStage } from "../shell/header.js";
import { Page } from "../shell/page.js";

type DifferenceRoute = Extract<Route, { page: "difference" }>;
type Differing = Difference["resources"][number];

const STEP = 50;

export function DifferencePage({ route }: { readonly route: DifferenceRoute }) {
  const { app, stage, from, to } = route;
  const path = `${stagePath(app, stage)}/difference?from=${from}&to=${to}`;
  const { data, failure, isLoading, reload } = useAnswer<Difference>(path);
  const [shown, setShown] = useState(STEP);
  return (
    <Page title={`Entry ${from} → ${to}`} address={`difference ${path}`} aside={data && <Counts data={data} />}>
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {isLoading && <Loading label="Comparing" />}
      {data?.resources.length === 0 && <Empty icon="check" title="Nothing differs" />}
      {data?.resources.slice(0, shown).map((one) => (
        <Differs key={`${one.what} ${one.fqn}`} one={one} app={app} stage={stage} />
      ))}
      {data && data.resources.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 4)}>
          Show more ({counted(data.resources.length - shown, "resource")})
        </button>
      )}
      {data && data.left > 0 && (
        <p class="soft">{data.left === 1 ? "1 more resource differs" : `${count(data.left)} more resources differ`}.</p>
      )}
    </Page>
  );
}

function Counts({ data }: { readonly data: Difference }) {
  const number = data.resources.length + data.left;
  return (
    <>
      <span class="soft">
        {counted(number, "resource")} {number === 1 ? "differs" : "differ"}
      </span>
      <SealMark seal={data.seal} />
    </>
  );
}

function Differs({ one, app, stage }: { readonly one: Differing; readonly app: string; readonly stage: string }) {
  const [isOpen, setOpen] = useState(one.changes.length <= 12);
  return (
    <section class="card action">
      <h2 class="action-head">
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="chevron" size={14} />
          <Pill word={one.what} />
          <span class="name">{visible(belowStage(one.fqn, app, stage))}</span>
        </button>
        <code class="soft">{visible(one.kind)}</code>
        {one.what !== "gone" && (
          <a href={fragmentOf({ page: "resource", app, stage, fqn: one.fqn, tab: "history" })}>
            All values<span class="unseen"> of {visible(one.fqn)}</span>
          </a>
        )}
      </h2>
      {isOpen && <Changes changes={one.changes} />}
    </section>
  );
}
