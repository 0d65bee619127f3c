/**
 * What the server of `engine ui` and its page say to each other: JSON over HTTP, all below `/api`. Everything is already as people may see
 * it: secrets are masked, texts are redacted. Nothing here knows Node or a browser.
 *
 * | Method and path | Answer |
 * | --- | --- |
 * | `POST /api/session` with `{ token }` | {@link Opened} and the cookie; 401. Each other request has both, the key as the header `engine-ui-key` |
 * | `GET /api/about` | {@link About} |
 * | `GET /api/stages` | {@link StageRow}`[]` |
 * | `GET /api/stages/APP/STAGE` | {@link StageHead} |
 * | `GET /api/stages/APP/STAGE/resources?from=0&limit=5000&seq=7` | {@link ResourceRows} |
 * | `GET /api/stages/APP/STAGE/resource?fqn=…&seq=7` | {@link ResourceView} |
 * | `GET /api/stages/APP/STAGE/part?fqn=…&path=/props/list&from=500&seq=7` | {@link ValuePart}: more of a value, of which `resource` gives a part |
 * | `GET /api/stages/APP/STAGE/values?fqn=…` | {@link ValueAt}`[]` |
 * | `GET /api/stages/APP/STAGE/neighbours?fqn=…` | {@link Neighbourhood} |
 * | `GET /api/stages/APP/STAGE/search?q=…` | {@link Found}`[]` |
 * | `GET /api/stages/APP/STAGE/history` | {@link HistoryRow}`[]` |
 * | `GET /api/stages/APP/STAGE/difference?from=3&to=7` | {@link Difference} |
 * | `POST /api/stages/APP/STAGE/drift` | 202 and {@link Started}: a look has begun, and is a run as any other |
 * | `GET /api/runs` | {@link RunRow}`[]`, newest first |
 * | `GET /api/runs/ID/events?from=0` | Server-sent events: each `data` is a JSON array of {@link UiEvent}, its `id` how many have been sent; the event `end` says that no more will come |
 * | `POST /api/runs/ID/answer` with {@link Answer} | 204; 403 where changes are not allowed; 409 where nothing is asked |
 *
 * A failure is {@link Failure} with a status of 400 and above. APP, STAGE and ID are percent-encoded.
 */
import type { RunSummary } from "../../../core/base/index.js";
import type { RecordStatus } from "../../../core/contract/index.js";
import type { HistoryCopy, Holder, ResourceDetail, SealStatus, StageSummary, ValuePart } from "../../admin/index.js";

export type { HistoryCopy, ResourceDetail, SealStatus, StageSummary, ValuePart };

/** What is looked at, and what may be done. */
export interface About {
  /** Version of the library. */
  readonly version: string;
  /** `store`: stages of a store; `events`: runs alone, of a file or a folder, or one that is under way. */
  readonly source: "store" | "events";
  /** The store in words, without credentials, or the folder's name. */
  readonly label: string;
  /** Where the page was opened for one stage. */
  readonly stage?: { readonly app: string; readonly stage: string };
  /** The run that the page was opened beside. */
  readonly run?: string;
  /** False: whatever would change something answers 403. */
  readonly allowsChanges: boolean;
  /** A program is known that can look for drift. */
  readonly canLook: boolean;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What the token is exchanged for, besides the cookie. */
export interface Opened {
  readonly key: string;
}

export interface Started {
  readonly run: string;
}

/** Verified where the page was opened with the key of the stage, or has shown the stage since. */
export interface StageRow extends StageSummary {
  readonly seal?: SealStatus;
}

/** A stage as its own page shows it. */
export interface StageHead {
  readonly app: string;
  readonly stage: string;
  readonly seq: number;
  readonly resources: number;
  /** How many are in each status; those of none are absent. */
  readonly statuses: Readonly<Partial<Record<RecordStatus, number>>>;
  /** How many of those that are pending have failed. */
  readonly failed: number;
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  readonly seal: SealStatus;
  readonly holder?: Holder;
}

/** Rows of a stage, by name, in columns: a hundred thousand are to be sent. */
export interface ResourceRows {
  readonly seq: number;
  /** All that there are. */
  readonly total: number;
  readonly from: number;
  /** Paths below the stage. */
  readonly paths: readonly string[];
  /** Index in `kindNames`. */
  readonly kinds: readonly number[];
  readonly kindNames: readonly string[];
  /** Index in `statusNames`. */
  readonly statuses: readonly number[];
  readonly statusNames: readonly RecordStatus[];
  /** Indices, within these rows, of what is an old copy that waits for its deletion. */
  readonly replaced: readonly number[];
  readonly protected: readonly number[];
  /** Indices of what is pending because it failed. */
  readonly failed: readonly number[];
  /** Indices of resources whose last delete failed. */
  readonly notDeleted: readonly number[];
}

export interface ResourceView {
  /** The entry of the journal that it is of. */
  readonly seq: number;
  /** The present copy first. */
  readonly copies: readonly ResourceDetail[];
  readonly seal: SealStatus;
  /** Whose session is open. */
  readonly holder?: Holder;
}

/** A value that a resource had, newest first; from one kept copy of the state to the next. */
export interface ValueAt {
  readonly seq: number;
  /** The run that made it so; absent where no copy has it any more. */
  readonly run?: HistoryCopy["run"];
  /** `gone`: not recorded any more after that run. */
  readonly what: "made" | "changed" | "gone";
  /** Against the copy before; for the first, all that it had. */
  readonly changes: readonly Change[];
  readonly seal: SealStatus;
}

/** One place in props, output, options or data that differs. */
export interface Change {
  /** JSON Pointer that begins with `/props`, `/output`, `/data` or another member of a record. */
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
  /** As of a plan: of texts of several lines, those that differ. */
  readonly lines?: readonly string[];
}

export interface Neighbourhood {
  readonly nodes: readonly { readonly fqn: string; readonly kind: string; readonly status: RecordStatus }[];
  /** Indices of nodes: what is there first, what needs it. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly certain: boolean }[];
  /** How many more there would be; at most 200 nodes are given. */
  readonly left: number;
}

/** Where a text was found. */
export interface Found {
  readonly what: "resource" | "scope" | "run" | "value";
  readonly fqn: string;
  /** For a value: JSON Pointer, as of {@link Change}. */
  readonly path?: string;
  /** What is shown of the place, with the text in it. */
  readonly excerpt: string;
}

export interface HistoryRow extends HistoryCopy {
  /** Milliseconds from the run's begin to its end, where both are recorded. */
  readonly duration?: number;
  /** The command that goes back to it. */
  readonly restore: string;
}

export interface Difference {
  readonly from: number;
  readonly to: number;
  /** Of the two that of which less is known. */
  readonly seal: SealStatus;
  readonly resources: readonly {
    readonly fqn: string;
    readonly kind: string;
    readonly what: "made" | "changed" | "gone" | "replaced";
    readonly changes: readonly Change[];
  }[];
  /** How many more differ; at most 1,000 are given. */
  readonly left: number;
}

/** A run, as a list of runs shows it. */
export interface RunRow {
  readonly run: string;
  readonly app: string;
  readonly stage: string;
  readonly phase: string;
  readonly planned: boolean;
  /** ISO 8601. */
  readonly since: string;
  readonly by: { readonly user: string; readonly host: string; readonly pid: number; readonly ci?: string };
  readonly state: "running" | "done" | "failed" | "interrupted" | "cut off";
  /** Milliseconds. */
  readonly duration?: number;
  readonly summary?: RunSummary;
}

/** A line of `--json`: see events.schema.json, whose members it has. Those of a later version may be among them. */
export interface UiEvent {
  readonly type: string;
  readonly time: string;
  readonly [member: string]: unknown;
}

/**
 * A look for drift tells of what has drifted by `resource:drifted`, as runs do, and of what differs besides: `old` is recorded, `new` is
 * there.
 */
export interface Drifted extends UiEvent {
  readonly type: "resource:drifted";
  readonly fqn: string;
  readonly gone: boolean;
  readonly changes?: readonly Change[];
}

/** What a run asks is told by events of the server's own, between those of the run. */
export interface Asked extends UiEvent {
  readonly type: "ui:asked";
  /** Made anew for each question. */
  readonly question: string;
  /** With what is told before it, a line each, e.g. what would be deleted. */
  readonly text: string;
}

export interface Answered extends UiEvent {
  readonly type: "ui:answered";
  readonly question: string;
  /** Undefined where it was answered elsewhere, or nobody asks any more. */
  readonly approved?: boolean;
}

export interface Answer {
  readonly question: string;
  readonly approved: boolean;
}

/** The header with the key of the page, which each of its requests has. */
export const KEY_HEADER = "engine-ui-key";
