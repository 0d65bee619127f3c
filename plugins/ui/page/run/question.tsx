/** The question of a run: a bar, and a dialog with everything that a yes deletes. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { About, Failure } from "../../api/index.js";
import type { Question, RunView } from "../../model/index.js";
import { answerQuestion, failureOf } from "../data/ask.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { PathName } from "../parts/name.js";
import { Pill } from "../parts/pill.js";
import { count, counted } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { belowStage } from "../shell/header.js";

interface QuestionProps {
  readonly run: string;
  readonly view: RunView;
  readonly question: Question;
  readonly about: About;
}

export function QuestionBar({ run, view, question, about }: QuestionProps) {
  const [isOpen, setOpen] = useState(true);
  const review = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The dialog opened by itself, so there is no earlier focus to return to.
    if (!isOpen && wasOpen.current) review.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(
    () => () => {
      const hasNoFocus = document.activeElement === null || document.activeElement === document.body;
      if (hasNoFocus) document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    },
    [],
  );
  const [first = ""] = question.text.split("\n", 1);
  return (
    <>
      <section class="question" aria-label="Question of the run" role="alert">
        <Icon name="help" size={20} />
        <p class="question-text">{visible(first)}</p>
        <button type="button" class="button is-main" ref={review} onClick={() => setOpen(true)}>
          Review and answer
        </button>
      </section>
      {isOpen && <Approval run={run} view={view} question={question} about={about} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ApprovalProps extends QuestionProps {
  onClose(): void;
}

function Approval({ run, view, question, about, onClose }: ApprovalProps) {
  const [isSent, setSent] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>();
  const [first = "", ...details] = question.text.split("\n");
  const { deletes, left } = question;
  const number = deletes.length + left;
  const answer = (approved: boolean): void => {
    setSent(true);
    setFailure(undefined);
    answerQuestion(run, { question: question.question, approved }).catch((error: unknown) => {
      setSent(false);
      setFailure(failureOf(error));
    });
  };
  return (
    <Dialog label={visible(first)} className="approval" onClose={onClose}>
      <div class="dialog-head">
        <h2>{visible(first)}</h2>
        <button type="button" class="quiet" aria-label="Close without an answer" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      {view.head && <p class="approval-where soft">{visible(`${view.head.app}/${view.head.stage}`)}</p>}
      {number > 0 && <Counts question={question} />}
      <section class="approval-list" tabIndex={0} aria-label="What it deletes">
        {number > 0 ? (
          <ul>
            {deletes.map(({ fqn, kind, action }, index) => (
              <li key={index}>
                <Icon name={action === "replace" ? "back" : "cross"} size={14} />
                <PathName path={belowStage(fqn, view.head?.app ?? "", view.head?.stage ?? "")} />
                <code class="soft">{visible(kind.slice(0, 120))}</code>
              </li>
            ))}
          </ul>
        ) : (
          <p class="lines">{visibleLines(details.join("\n"))}</p>
        )}
        {left > 0 && <p class="warn">{counted(left, "more resource")} not listed here.</p>}
      </section>
      <div class="approval-foot">
        {failure && (
          <p class="bad" role="alert">
            {visibleLines(failure.message)}
          </p>
        )}
        {about.allowsChanges ? (
          <>
            <button type="button" class="button" disabled={isSent} onClick={() => answer(false)}>
              Refuse
            </button>
            <button
              type="button"
              class={number > 0 ? "button is-danger" : "button is-main"}
              disabled={isSent}
              onClick={() => answer(true)}
            >
              {number > 0 ? `Delete ${counted(number, "resource")}` : "Approve"}
            </button>
          </>
        ) : (
          <p class="soft">
            Answer in the terminal of the run. A page can answer the questions of a run that was started with{" "}
            <code>engine {view.head?.phase ?? "up"} --ui --allow-changes</code>.
          </p>
        )}
      </div>
    </Dialog>
  );
}

const EFFECTS = {
  delete: () => "will not exist any more",
  replace: (number: number) => (number === 1 ? "old copy; the new one stays" : "old copies; the new ones stay"),
} as const;

function Counts({ question: { deletes, left } }: { readonly question: Question }) {
  return (
    <ul class="approval-counts">
      {(["delete", "replace"] as const).map((action) => {
        const number = deletes.filter((one) => one.action === action).length;
        if (number === 0) return null;
        return (
          <li key={action}>
            <Pill word={action} /> <b>{count(number)}</b> <span class="soft">{EFFECTS[action](number)}</span>
          </li>
        );
      })}
      {left > 0 && <li class="soft">and {count(left)} more</li>}
    </ul>
  );
}
