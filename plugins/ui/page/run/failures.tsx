/** Failures, with their causes and places in the program. */
import { useState } from "preact/hooks";
import { type Failed, type RunView, rowKey } from "../../model/index.js";
import { Icon } from "../parts/icon.js";
import { LongText } from "../parts/long-text.js";
import { Holder } from "../parts/seal-mark.js";
import { counted } from "../parts/time.js";
import { visible } from "../parts/visible.js";

const STEP = 10;

interface FailuresProps {
  readonly view: RunView;
  onOpen(key: string): void;
}

export function Failures({ view, onOpen }: FailuresProps) {
  const [shown, setShown] = useState(STEP);
  const { failures, failuresLeft, stoppedWith } = view;
  if (failures.length === 0 && stoppedWith.size === 0) return null;
  return (
    <section class="failures" aria-label="Failures">
      {failures.length > 0 && <h2 class="section bad">{counted(failures.length + failuresLeft, "failure")}</h2>}
      {failures.slice(0, shown).map((failure, index) => (
        <Failure key={index} failure={failure} view={view} onOpen={onOpen} />
      ))}
      {failures.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 5)}>
          Show more ({counted(failures.length - shown, "failure")})
        </button>
      )}
      {stoppedWith.size > 0 && <StoppedWith view={view} onOpen={onOpen} />}
    </section>
  );
}

/** The resources whose handlers the run stopped: their errors are effects of the failures above. */
function StoppedWith({ view: { failures, stoppedWith }, onOpen }: FailuresProps) {
  const [shown, setShown] = useState(0);
  const names = [...stoppedWith].slice(0, shown);
  const most = Math.min(stoppedWith.size, shown + STEP * 5);
  return (
    <div class="stopped-with">
      <p class="soft">
        {failures.length === 0
          ? `${counted(stoppedWith.size, "resource")} stopped`
          : `${counted(stoppedWith.size, "other")} stopped with ${failures.length === 1 ? "it" : "them"}`}{" "}
        {shown < stoppedWith.size && (
          <button type="button" class="more" onClick={() => setShown(most)}>
            {shown === 0 ? "Show" : "Show more"}
          </button>
        )}
      </p>
      {names.length > 0 && (
        <ul class="links">
          {names.map((fqn) => (
            <li key={fqn}>
              <button type="button" class="name as-link" onClick={() => onOpen(rowKey({ fqn, isDelete: false }))}>
                {visible(fqn.slice(0, 300))}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FailureProps {
  readonly failure: Failed;
  readonly view: RunView;
  onOpen(key: string): void;
}

function Failure({ failure, view, onOpen }: FailureProps) {
  const { fqn } = failure;
  const keys = fqn === undefined ? [] : [false, true].map((isDelete) => rowKey({ fqn, isDelete }));
  const key = keys.find((one) => view.rowsByKey.get(one)?.failure) ?? keys.find((one) => view.rowsByKey.has(one));
  const row = key === undefined ? undefined : view.rowsByKey.get(key);
  return (
    <article class="card failure">
      <header class="failure-head">
        <Icon name="alert" />
        {fqn === undefined ? (
          <b>The run</b>
        ) : key === undefined ? (
          <b class="name">{visible(fqn)}</b>
        ) : (
          <button type="button" class="name as-link" onClick={() => onOpen(key)}>
            {visible(fqn.slice(0, 300))}
          </button>
        )}
        {row && (
          <span class="soft">
            {visible(row.kind)}, {row.action}
          </span>
        )}
        <code class="failure-code">{visible(failure.code)}</code>
      </header>
      <FailureText failure={failure} />
    </article>
  );
}

export function FailureText({ failure }: { readonly failure: Failed }) {
  const [first, ...others] = failure.frames;
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="failure-text">
      <p class="failure-message">
        <LongText text={failure.message} />
      </p>
      {failure.causes.map((cause, index) => (
        <p key={index} class="cause">
          <span class="soft">because </span>
          <LongText text={cause} />
        </p>
      ))}
      {first !== undefined && (
        <div class="frames">
          <code>{visible(first.slice(0, 500))}</code>
          {isOpen && others.map((frame) => <code key={frame}>{visible(frame.slice(0, 500))}</code>)}
          {others.length > 0 && (
            <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? "Show less" : `Show ${counted(others.length, "frame")} more`}
            </button>
          )}
        </div>
      )}
      {failure.holder && <Holder holder={failure.holder} />}
    </div>
  );
}
