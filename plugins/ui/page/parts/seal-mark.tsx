/** Shows if the content was written with the key of the stage. */

import type { ComponentChildren } from "preact";
import type { StageHolder } from "../../../../core/base/index.js";
import type { SealStatus } from "../../api/index.js";
import { Icon, type IconName } from "./icon.js";
import { CiRun } from "./run-link.js";
import { When } from "./time.js";
import { visible } from "./visible.js";

interface Said {
  readonly text: string;
  readonly title: string;
  readonly icon: IconName;
  readonly className: string;
}

const SAID: Readonly<Record<Exclude<SealStatus, "none">, Said>> = {
  verified: { text: "sealed", title: "Verified with the key of the stage", icon: "shield", className: "mark" },
  unverified: {
    text: "sealed, not verified",
    title: "The server has no password or key of this stage. Anyone who can write to the store may have written this.",
    icon: "shield",
    className: "mark is-warn",
  },
  "other-key": {
    text: "another key, not verified",
    title: "Needs an earlier password or key. The one that the server has can neither verify nor restore this copy",
    icon: "shield",
    className: "mark is-warn",
  },
  forged: { text: "forged", title: "Changed without the key of the stage", icon: "alert", className: "mark is-bad" },
};

const BARE: Said = {
  text: "no seal",
  title: "Anyone who can write to the store may have written this",
  icon: "alert",
  className: "mark is-warn",
};

/** @param isExpected true if a missing seal is shown, too */
export function SealMark({
  seal,
  isExpected,
}: {
  readonly seal?: SealStatus | undefined;
  readonly isExpected?: boolean;
}) {
  if (seal === undefined || (seal === "none" && !isExpected)) return null;
  const { text, title, icon, className } = seal === "none" ? BARE : SAID[seal];
  return (
    <span class={className} title={title}>
      <Icon name={icon} size={14} /> {text}
    </span>
  );
}

/** The process of a holder in words. */
export const PROCESS: Readonly<Record<StageHolder["process"], string>> = {
  runs: "its process runs",
  stopped: "its process is stopped",
  gone: "its process is gone: the next run takes over",
  unknown: "it runs on another machine",
};

/** Shows the holder of a stage. @param link leads to its run */
export function Holder({ holder, link }: { readonly holder: StageHolder; readonly link?: ComponentChildren }) {
  const { user, host, pid, command, since, process, ci } = holder;
  return (
    <div class="banner" data-tone="busy">
      <Icon name="lock" size={18} />
      <p>
        <strong>
          {visible(user)}@{visible(host)}
        </strong>{" "}
        holds the lock: <code>{visible(command)}</code>, process {pid}, for <When at={since} isLasting />;{" "}
        {PROCESS[process]}. <CiRun run={{ ci }} /> {link}
      </p>
    </div>
  );
}
