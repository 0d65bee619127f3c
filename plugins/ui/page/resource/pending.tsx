/** Why a resource is pending, and what becomes of it. */
import type { ResourceDetail, ResourceView } from "../../api/index.js";
import { Holder } from "../parts/holder.js";
import { Icon } from "../parts/icon.js";
import { isAtWork, STATUS_ACTION } from "../parts/status-pill.js";
import { When } from "../parts/time.js";
import { visibleLines } from "../parts/visible.js";

interface PendingProps {
  readonly copy: ResourceDetail;
  readonly holder: ResourceView["holder"];
}

export function Pending({ copy, holder }: PendingProps) {
  const { status, error, since } = copy;
  if (status === "ready") return null;
  const when = since !== undefined && <When at={since} />;
  if (error === undefined && holder && isAtWork(holder)) {
    return (
      <>
        <Holder holder={holder} />
        <div class="banner" data-tone="busy" role="note">
          <Icon name="clock" size={18} />
          <p>
            <strong>Under way:</strong> its {STATUS_ACTION[status]} is of a run that began {when}, and has not ended.
          </p>
        </div>
      </>
    );
  }
  return (
    <div class="banner" data-tone="warn" role="note">
      <Icon name="alert" size={18} />
      <div>
        <p>
          <strong>Pending:</strong> its {STATUS_ACTION[status]} {error === undefined ? "was interrupted" : "failed"} in
          a run that began {when}. The next <code>up</code> goes on from there.
        </p>
        {error !== undefined && <pre class="message">{visibleLines(error.slice(0, 20_000))}</pre>}
      </div>
    </div>
  );
}
