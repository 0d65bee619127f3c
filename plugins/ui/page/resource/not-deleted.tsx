/** Says that the last delete of a resource failed, and why. */
import type { ResourceDetail } from "../../api/index.js";
import { Icon } from "../parts/icon.js";
import { When } from "../parts/time.js";
import { visibleLines } from "../parts/visible.js";

export function NotDeleted({ copy: { deleteFailed } }: { readonly copy: ResourceDetail }) {
  if (deleteFailed === undefined) return null;
  const { attempts, message, time } = deleteFailed;
  return (
    <div class="banner" data-tone="warn" role="note">
      <Icon name="alert" size={18} />
      <div>
        <p>
          <strong>Delete failed:</strong> the last of {attempts === 1 ? "1 attempt" : `${attempts} attempts`} failed{" "}
          <When at={time} />. An <code>up</code> that declares the resource keeps it.
        </p>
        <pre class="message">{visibleLines(message.slice(0, 20_000))}</pre>
      </div>
    </div>
  );
}
