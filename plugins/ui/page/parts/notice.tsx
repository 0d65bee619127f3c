/** Replaces content that is loading, failed, or empty. */
import type { ComponentChildren } from "preact";
import type { Failure } from "../../api/index.js";
import { Icon, type IconName } from "./icon.js";
import { visible, visibleLines } from "./visible.js";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  );
}

interface MissingProps {
  readonly title: string;
  /** Names of the same kind. */
  readonly near: readonly string[] | undefined;
  hrefOf(name: string): string;
  textOf?(name: string): string;
  readonly children?: ComponentChildren;
}

/** Shown for a name that does not exist. */
export function Missing({ title, near = [], hrefOf, textOf = String, children }: MissingProps) {
  return (
    <Empty icon="search" title={visible(title)}>
      {near.length > 0 && (
        <>
          <p>Did you mean one of these?</p>
          <ul class="near" aria-label="Similar names">
            {near.map((name) => (
              <li key={name}>
                <a href={hrefOf(name)}>{visible(textOf(name))}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      {children}
    </Empty>
  );
}

/** As large as the later content, so that nothing moves. */
export function Loading({ rows = 6, label }: { readonly rows?: number; readonly label: string }) {
  return (
    <div class="loading" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="bone" data-width={index % 4} />
      ))}
    </div>
  );
}

export function Trouble({ failure, onRetry }: { readonly failure: Failure; readonly onRetry?: () => void }) {
  return (
    <div class="trouble" role="alert">
      <Icon name="alert" size={20} />
      <div>
        <p class="trouble-text">{visibleLines(failure.message)}</p>
        <p class="soft">
          <code>{failure.code}</code>
        </p>
      </div>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
