/** Search over everything: stages, runs, and in a stage its resources, scopes, runs and values. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { About, Found, RunRow, StageRow } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { embeddedRun } from "../data/embedded.js";
import { useAnswer } from "../data/use-answer.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { visible } from "../parts/visible.js";
import type { Route } from "../router.js";
import { go } from "../shell/use-route.js";
import { type Hit, hitsIn, stageOf } from "./hits.js";

interface SearchProps {
  readonly about: About;
  readonly route: Route;
  onClose(): void;
}

/** Milliseconds of silence before the server is asked. */
const PAUSE = 80;

export function Search({ about, route, onClose }: SearchProps) {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [active, setActive] = useState(0);
  const [isToOpen, setToOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const before = useRef<readonly Found[] | undefined>(undefined);
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
  const isComing = asked !== text.trim() || answer.isLoading;
  // What a shorter text has found stays until there is something better: nothing flickers while somebody types.
  const found = answer.data ?? (answer.isLoading ? before.current : undefined);
  before.current = found;
  const hits = useMemo(
    () => hitsIn({ text: text.trim(), stages: stages.data, runs: runs.data, stage, found, run: embeddedRun() }),
    [text, stages.data, runs.data, stage, found],
  );
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
    // Enter means what the whole text finds, unless somebody has chosen.
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
            stage ? `Search ${visible(`${stage.app}/${stage.stage}`)}, stages and runs` : "Search stages and runs"
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
      <ul ref={list} id="hits" class="hits" role="listbox" aria-label="What was found">
        {hits.map((hit, index) => (
          <li
            key={hit.id}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === at}
            class="hit"
            onClick={() => open(hit)}
            onPointerMove={() => setActive(index)}
          >
            <Icon name={hit.icon} />
            <span class="hit-text">
              <span class="hit-name">{visible(hit.name.slice(0, 200))}</span>
              {hit.more !== "" && <span class="soft hit-more">{visible(hit.more.slice(0, 300))}</span>}
            </span>
            <span class="soft hit-what">{hit.what}</span>
          </li>
        ))}
      </ul>
      <p class="search-foot soft" role="status">
        {answer.failure
          ? visible(answer.failure.message)
          : isComing
            ? "Searching…"
            : hits.length === 0
              ? "Nothing was found"
              : `${hits.length} found`}
      </p>
    </Dialog>
  );
}
