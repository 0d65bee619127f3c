/** Searches everything: stages, runs, resources of all stages, and the scopes, runs and values of the present stage. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { About, Found, FoundNames, RunRow, StageRow } from "../../api/index.js";
import { kept, type RunView, rowKey } from "../../model/index.js";
import { stagePath } from "../data/ask.js";
import { embeddedRun } from "../data/key.js";
import { useAnswer } from "../data/use-answer.js";
import { Dialog } from "../parts/dialog.js";
import { Icon, type IconName } from "../parts/icon.js";
import { CutName } from "../parts/name.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, go, type Route } from "../router.js";
import { belowStage } from "../shell/header.js";

interface SearchProps {
  readonly about: About;
  readonly route: Route;
  onClose(): void;
}

/** Milliseconds without input before the server is asked. */
const PAUSE = 80;

export function Search({ about, route, onClose }: SearchProps) {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [active, setActive] = useState(0);
  const [isToOpen, setToOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const before = useRef<Answers>({});
  const isStore = about.source === "store";
  const runs = useAnswer<readonly RunRow[]>(embeddedRun() ? undefined : "runs");
  const stages = useAnswer<readonly StageRow[]>(isStore ? "stages" : undefined);
  const stage = stageOf(route, runs.data);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const path =
    isStore && stage && asked !== ""
      ? `${stagePath(stage.app, stage.stage)}/search?q=${encodeURIComponent(asked)}`
      : undefined;
  const answer = useAnswer<readonly Found[]>(path);
  const everywhere = useAnswer<FoundNames>(
    isStore && asked !== "" ? `search?q=${encodeURIComponent(asked)}` : undefined,
  );
  const isComing = asked !== text.trim() || answer.isLoading || everywhere.isLoading;
  // Keep the hits of a shorter text until new ones arrive: nothing flickers during typing.
  const found = answer.data ?? (answer.isLoading ? before.current.found : undefined);
  const all = everywhere.data ?? (everywhere.isLoading ? before.current.all : undefined);
  before.current = { found, all };
  const hits = useMemo(
    () => hitsIn({ text: text.trim(), stages: stages.data, runs: runs.data, stage, found, all, run: embeddedRun() }),
    [text, stages.data, runs.data, stage, found, all],
  );
  const failed = answer.failure ?? everywhere.failure;
  const at = Math.min(active, Math.max(0, hits.length - 1));
  const open = (hit: Hit | undefined): void => {
    if (!hit) return;
    onClose();
    go(hit.href);
  };
  useEffect(() => {
    if (!isToOpen || isComing) return;
    setToOpen(false);
    open(hits[at]);
  }, [isToOpen, isComing]);
  const enter = (): void => {
    // Enter opens the first hit of the whole text, unless the user has chosen one.
    if (isComing && active === 0) setToOpen(true);
    else open(hits[at]);
  };
  const move = (to: number): void => {
    setActive(to);
    list.current?.children[to]?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Dialog label="Search" className="search" onClose={onClose}>
      <div class="search-field">
        <Icon name="search" size={18} />
        <input
          type="text"
          role="combobox"
          aria-expanded={hits.length > 0}
          aria-controls="hits"
          aria-activedescendant={hits.length > 0 ? `hit-${at}` : undefined}
          aria-label="Search"
          placeholder={
            stage
              ? `Search all stages, and values of ${visible(`${stage.app}/${stage.stage}`)}`
              : "Search all stages and runs"
          }
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
            setToOpen(false);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") move(Math.min(hits.length - 1, at + 1));
            else if (event.key === "ArrowUp") move(Math.max(0, at - 1));
            else if (event.key === "Enter") enter();
            else return;
            event.preventDefault();
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <ul ref={list} id="hits" class="hits" role="listbox" aria-label="Results">
        {hits.map((hit, index) => (
          <li
            key={hit.id}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === at}
            aria-label={visible(`${hit.name.slice(0, 600)} ${hit.more.slice(0, 300)} ${hit.what}`)}
            class="hit"
            onClick={() => open(hit)}
            onPointerMove={() => setActive(index)}
          >
            <Icon name={hit.icon} />
            <span class="hit-text">
              <span class="hit-name">
                <CutName text={hit.name} />
              </span>
              {hit.more !== "" && <span class="soft hit-more">{visible(hit.more.slice(0, 300))}</span>}
            </span>
            <span class="soft hit-what">{hit.what}</span>
          </li>
        ))}
      </ul>
      <p class="search-foot soft" role="status">
        {failed
          ? visible(failed.message)
          : isComing
            ? "Searching…"
            : hits.length === 0
              ? "No results"
              : `${hits.length} found`}
        {!isComing && all !== undefined && all.left > 0 && `. ${notSearched(all.left)}`}
      </p>
    </Dialog>
  );
}

/** A hit of the search; the best comes first. Pure. */
interface Hit {
  readonly id: string;
  readonly what: string;
  readonly icon: IconName;
  readonly name: string;
  readonly more: string;
  readonly href: string;
}

interface Answers {
  readonly found?: readonly Found[] | undefined;
  readonly all?: FoundNames | undefined;
}

function notSearched(left: number): string {
  return left === 1 ? "1 stage was not searched" : `${left} stages were not searched`;
}

interface Stage {
  readonly app: string;
  readonly stage: string;
}

interface Places extends Answers {
  readonly text: string;
  readonly stages: readonly StageRow[] | undefined;
  readonly runs: readonly RunRow[] | undefined;
  readonly stage: Stage | undefined;
  /** The run of an embedded file. */
  readonly run: RunView | undefined;
}

const MOST = 60;

/** Returns the stage of a view. */
function stageOf(route: Route, runs: readonly RunRow[] | undefined): Stage | undefined {
  if ("app" in route) return { app: route.app, stage: route.stage };
  return route.page === "run" ? runs?.find(({ run }) => run === route.run) : undefined;
}

function hitsIn({ text, stages = [], runs = [], stage, found = [], all, run }: Places): readonly Hit[] {
  const words = text.toLowerCase().split(/\s+/);
  const has = (...texts: readonly string[]): boolean => {
    const joined = texts.join(" ").toLowerCase();
    return words.every((word) => joined.includes(word));
  };
  const ofStages = stages.filter((one) => has(`${one.app}/${one.stage}`)).map(stageHit);
  const ofRuns = runs.filter((one) => has(one.run, `${one.app}/${one.stage}`, one.by.user, one.state)).map(runHit);
  if (text === "") return [...ofStages.slice(0, 8), ...ofRuns.slice(0, 12)];
  const isName = ({ what }: Found): boolean => what === "resource" || what === "scope";
  const hitsOf = (some: readonly Found[]): readonly Hit[] =>
    stage ? some.map((one, index) => foundHit(one, index, stage)) : [];
  const others = (all?.found ?? []).filter((one) => one.app !== stage?.app || one.stage !== stage.stage);
  const hits = [
    ...ofStages.slice(0, 8),
    ...hitsOf(found.filter(isName)).slice(0, MOST / 2),
    ...others.slice(0, MOST / 2).map(nameHit),
    ...hitsOf(found.filter((one) => !isName(one))),
    ...(run ? hitsOfRun(run, has) : []),
    ...ofRuns.slice(0, 12),
  ];
  // A resource that is being replaced has two records with the same names and values.
  return [...new Map(hits.map((hit) => [`${hit.href} ${hit.name} ${hit.more}`, hit])).values()].slice(0, MOST);
}

function nameHit({ app, stage, fqn, kind }: FoundNames["found"][number]): Hit {
  const href = fragmentOf({ page: "resource", app, stage, fqn, tab: "values" });
  return { id: `name ${fqn}`, what: "resource", icon: "check", name: fqn, more: kind, href };
}

function stageHit({ app, stage, isFleet }: StageRow): Hit {
  if (isFleet) {
    const href = fragmentOf({ page: "fleet", fleet: app });
    return { id: `fleet ${app}`, what: "fleet", icon: "fleet", name: app, more: "", href };
  }
  const href = fragmentOf({ page: "stage", app, stage, tab: "resources" });
  return { id: `stage ${app}/${stage}`, what: "stage", icon: "scope", name: `${app}/${stage}`, more: "", href };
}

function runHit({ run, app, stage, phase, planned, by, state }: RunRow): Hit {
  const name = `${planned ? "plan" : phase} ${app}/${stage}`;
  const href = fragmentOf({ page: "run", run, tab: undefined });
  return { id: `run ${run}`, what: "run", icon: "clock", name, more: `${state}, by ${by.user}@${by.host}`, href };
}

const ICONS: Readonly<Record<Found["what"], IconName>> = {
  resource: "check",
  scope: "scope",
  run: "clock",
  value: "search",
};

function foundHit({ what, fqn, path, excerpt }: Found, index: number, { app, stage }: Stage): Hit {
  const href =
    what === "run"
      ? fragmentOf({ page: "stage", app, stage, tab: "history" })
      : what === "scope"
        ? fragmentOf({ page: "stage", app, stage, tab: "resources", filter: scopeFilter(fqn, app, stage) })
        : fragmentOf({ page: "resource", app, stage, fqn, tab: "values" });
  const name = path === undefined ? fqn : `${fqn} ${path}`;
  return { id: `${what} ${index}`, what, icon: ICONS[what], name, more: fqn.endsWith(excerpt) ? "" : excerpt, href };
}

/** Returns the filter of the list of a stage that shows only one scope. */
function scopeFilter(fqn: string, app: string, stage: string): string {
  return new URLSearchParams({ scope: belowStage(fqn, app, stage) }).toString();
}

function hitsOfRun(view: RunView, has: (...texts: readonly string[]) => boolean): readonly Hit[] {
  const run = view.head?.run ?? "";
  const hrefOf = (key: string): string => fragmentOf({ page: "run", run, tab: "progress", row: key });
  const hits: Hit[] = [];
  for (const row of view.rows) {
    if (hits.length >= MOST) return hits;
    if (!has(row.fqn, row.kind)) continue;
    const key = rowKey(row);
    hits.push({
      id: key,
      what: "resource",
      icon: "check",
      name: row.fqn,
      more: row.result ?? row.state,
      href: hrefOf(key),
    });
  }
  for (const [index, { fqn, row: at, text }] of kept(view.lines).entries()) {
    if (hits.length >= MOST) break;
    if (!has(text)) continue;
    const row = at === undefined ? undefined : view.rows[at];
    const href = row ? hrefOf(rowKey(row)) : fragmentOf({ page: "run", run, tab: "log" });
    hits.push({ id: `line ${index}`, what: "line", icon: "search", name: text, more: fqn, href });
  }
  return hits;
}
