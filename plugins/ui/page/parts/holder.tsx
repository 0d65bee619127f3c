/** Who has a stage. */
import type { StageHolder } from "../../../../core/base/index.js";
import { Icon } from "./icon.js";
import { When } from "./time.js";
import { visible } from "./visible.js";

const PROCESS: Readonly<Record<StageHolder["process"], string>> = {
  runs: "its process runs",
  stopped: "its process is stopped",
  gone: "its process is gone: the next run takes over",
  unknown: "it runs elsewhere",
};

export function Holder({ holder }: { readonly holder: StageHolder }) {
  const { user, host, pid, command, since, process, ci } = holder;
  return (
    <div class="banner" data-tone="busy">
      <Icon name="lock" size={18} />
      <p>
        <strong>
          {visible(user)}@{visible(host)}
        </strong>{" "}
        holds the lock: <code>{visible(command)}</code>, process {pid}, for <When at={since} isLasting />;{" "}
        {PROCESS[process]}.{ci !== undefined && <span class="soft"> {visible(ci)}</span>}
      </p>
    </div>
  );
}
