/** Processes that the run has started, and tunnels: which are there, how the others ended, and where they are reached. */

import { useState } from "preact/hooks";
import { duration } from "../../../internal/duration.js";
import type { RunView } from "../../model/index.js";
import { count, counted } from "../parts/format.js";
import { Pill } from "../parts/pill.js";
import { useNow } from "../parts/use-now.js";
import { visible } from "../parts/visible.js";

const STEP = 10;

type Process = RunView["processes"] extends Map<number, infer One> ? One : never;

export function Processes({ view }: { readonly view: RunView }) {
  const [shown, setShown] = useState(STEP);
  const now = useNow(view.state === "running" ? 1_000 : undefined);
  const { tunnels } = view;
  // What is there first, then what has ended, the newest first.
  const all = [...view.processes.values()].reverse();
  const processes = [...all.filter(({ to }) => to === undefined), ...all.filter(({ to }) => to !== undefined)];
  if (processes.length === 0 && tunnels.size === 0) return null;
  const end = view.state === "running" ? Math.max(now, view.until ?? 0) : (view.until ?? now);
  return (
    <section class="card" aria-label="Processes">
      <h2 class="card-title">
        Processes
        {processes.length > 0 && <span class="soft"> · {counted(processes.length, "process", "processes")}</span>}
        {tunnels.size > 0 && <span class="soft"> · {counted(tunnels.size, "tunnel")}</span>}
      </h2>
      <ul class="blockers">
        {[...tunnels.values()].map(({ host, port, url }) => (
          <li key={url}>
            <Pill word="open" tone="good" />
            <Address url={url} />
            <span class="soft">
              leads to {visible(host)}:{port}
            </span>
          </li>
        ))}
        {processes.slice(0, shown).map((process) => (
          <li key={process.pid}>
            <Pill word={process.to === undefined ? "running" : "ended"} tone={toneOf(process)} />
            <b class="name">{visible(process.fqn.slice(0, 300))}</b>
            <span class={isBad(process) ? "bad" : "soft"}>{endOf(process)}</span>
            <span class="soft">
              process {process.pid}, {duration((process.to ?? end) - process.from)}
            </span>
            {process.said.length > 0 && (process.to === undefined || isBad(process)) && (
              <pre class="said">{process.said.map((line) => visible(line.slice(0, 500))).join("\n")}</pre>
            )}
          </li>
        ))}
      </ul>
      {processes.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 5)}>
          Show more ({count(processes.length - shown)})
        </button>
      )}
    </section>
  );
}

/** A link only where a browser opens it as a page. */
function Address({ url }: { readonly url: string }) {
  const text = visible(url.slice(0, 500));
  if (!/^https?:\/\//i.test(url)) return <code>{text}</code>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

function isBad({ to, exitCode }: Process): boolean {
  return to !== undefined && typeof exitCode === "number" && exitCode !== 0;
}

function toneOf(process: Process) {
  if (process.to === undefined) return "busy";
  return isBad(process) ? "bad" : "quiet";
}

function endOf({ to, exitCode }: Process): string {
  if (to === undefined) return "";
  return typeof exitCode === "number" ? `exit code ${exitCode}` : "ended by a signal";
}
