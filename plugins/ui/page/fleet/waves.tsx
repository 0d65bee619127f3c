/** The progress of a fleet run: a bar for all stages and one for each wave, by outcome. */
import type { FleetReport, WaveReport } from "../../../fleet/index.js";
import { duration } from "../../../internal/text/duration.js";
import { finishedIn, type Rate, rateText } from "../../../internal/text/pace.js";
import { count } from "../parts/time.js";
import { visible } from "../parts/visible.js";

const PARTS = ["failed", "skipped", "changed", "unchanged"] as const;

type Counts = Pick<WaveReport, (typeof PARTS)[number] | "total">;

export function Waves({ report, rate }: { readonly report: FleetReport; readonly rate: Rate }) {
  const { stages, waves, resources } = report;
  const finished = finishedIn(report);
  const open = Math.max(0, stages.total - finished);
  const made = Object.entries(resources).filter(([, number]) => number > 0);
  return (
    <section class="card fleet-progress" aria-label="Progress">
      <p class="fleet-done">
        <b>{count(finished)}</b> of {count(stages.total)} stages
        <span class="soft">{pace(rate)}</span>
      </p>
      <ul class="fleet-counts">
        {PARTS.map((part) => (
          <li key={part} data-outcome={part} data-none={stages[part] === 0}>
            <span class="swatch" aria-hidden="true" /> <b>{count(stages[part])}</b> {part}
          </li>
        ))}
        <li data-outcome="open" data-none={open === 0}>
          <span class="swatch" aria-hidden="true" /> <b>{count(open)}</b> not ended
        </li>
      </ul>
      <div class="fleet-waves">
        {waves.map((wave, index) => (
          <Wave key={index} wave={wave} name={nameOf(wave, index, waves.length)} />
        ))}
      </div>
      {made.length > 0 && (
        <p class="soft fleet-made">
          Resources: {made.map(([what, number]) => `${count(number)} ${visible(what)}`).join(", ")}
        </p>
      )}
    </section>
  );
}

function pace({ perSecond, left }: Rate): string {
  if (perSecond === undefined) return "";
  return ` · ${rateText(perSecond)}${left === undefined ? "" : ` · about ${duration(left)} left`}`;
}

function nameOf({ to, prune }: WaveReport, index: number, waves: number): string {
  if (prune) return "Left the list";
  return waves === 1 ? "All stages" : `Wave ${index + 1} (${visible(to)})`;
}

function Wave({ wave, name }: { readonly wave: WaveReport; readonly name: string }) {
  return (
    <div class="fleet-wave">
      <span class="fleet-wave-name">{name}</span>
      <Bar counts={wave} />
      <span class="fleet-wave-count">
        {count(wave.finished)} / {count(wave.total)}
        <span class="unseen"> ended: {PARTS.map((part) => `${wave[part]} ${part}`).join(", ")}</span>
      </span>
    </div>
  );
}

function Bar({ counts }: { readonly counts: Counts }) {
  const ended = PARTS.reduce((sum, part) => sum + counts[part], 0);
  return (
    <div class="fleet-bar" aria-hidden="true">
      {PARTS.map(
        (part) => counts[part] > 0 && <span key={part} data-outcome={part} style={{ flexGrow: counts[part] }} />,
      )}
      <span class="rest" style={{ flexGrow: Math.max(0, counts.total - ended) }} />
    </div>
  );
}
