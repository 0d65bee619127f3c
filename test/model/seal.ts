/** The seal of a line, which only a holder of the key can write. */
import type { History, KeyId, Line, LineId, RecordedId } from "./history.js";

export interface Sealing {
  /** The key of the state that the writer continues from; 0 for none. */
  readonly key: KeyId;
  /** 1-based index of the line in its entry. */
  readonly number: number;
  /** Another key, or the first one, that is among the line's changes. */
  readonly brings?: KeyId | undefined;
  /** The records before it. */
  readonly recorded: RecordedId;
}

export function sealedLine(history: History, line: Line, { key, number, brings = 0, recorded }: Sealing): LineId {
  const by = brings || key;
  if (by === 0) return history.line(line);
  const seal = brings === 0 ? { brings } : { brings, vouches: recorded };
  const body = history.line({ ...line, seal });
  return history.line({ ...line, seal: { ...seal, mac: { key: by, number, body } } });
}
