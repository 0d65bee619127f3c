import type { Defect } from "./defect.ts";
import { ledger } from "./ledger.ts";
import { lifecycle } from "./lifecycle.ts";
import { placement } from "./placement.ts";
import { secrets } from "./secrets.ts";
import { stores } from "./stores.ts";

export const defects: readonly Defect[] = [...ledger, ...lifecycle, ...placement, ...secrets, ...stores];
