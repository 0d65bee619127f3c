/** What a run asks, and the answer where this page may give one. */
import { useState } from "preact/hooks";
import type { About, Failure } from "../../api/index.js";
import type { Question } from "../../model/index.js";
import { answerQuestion } from "../data/ask.js";
import { failureOf } from "../data/failure.js";
import { Icon } from "../parts/icon.js";
import { visibleLines } from "../parts/visible.js";

interface QuestionProps {
  readonly run: string;
  readonly question: Question;
  readonly about: About;
}

export function QuestionBar({ run, question, about }: QuestionProps) {
  const [isSent, setSent] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>();
  const answer = (approved: boolean): void => {
    setSent(true);
    setFailure(undefined);
    answerQuestion(run, { question: question.question, approved }).catch((error: unknown) => {
      setSent(false);
      setFailure(failureOf(error));
    });
  };
  return (
    <section class="question" aria-label="The run asks" role="alert">
      <Icon name="help" size={20} />
      <div class="question-text">
        <p>{visibleLines(question.text)}</p>
        {failure && <p class="bad">{visibleLines(failure.message)}</p>}
        {!about.allowsChanges && (
          <p class="soft">
            Answer where it was started. This page answers when <code>engine ui</code> has <code>--allow-changes</code>.
          </p>
        )}
      </div>
      {about.allowsChanges && (
        <div class="question-answers">
          <button type="button" class="button" disabled={isSent} onClick={() => answer(false)}>
            Refuse
          </button>
          <button type="button" class="button is-main" disabled={isSent} onClick={() => answer(true)}>
            Approve
          </button>
        </div>
      )}
    </section>
  );
}
