/**
 * The contract between the server of `engine ui` and its page: JSON over HTTP, with all paths below `/api`. All content
 * is ready for people: secrets are masked, texts are redacted. This module uses neither Node nor browser APIs.
 *
 * - `POST /api/session` with `{ token }`: {@link Opened} and the cookie; 401. Each other request needs both, the key in
 *   the header `engine-ui-key`.
 * - `GET /api/about`: {@link About}
 * - `GET /api/stages`: {@link StageRow}`[]`
 * - `GET /api/stages/APP/STAGE`: {@link StageHead}
 * - `GET /api/stages/APP/STAGE/resources?from=0&limit=5000&seq=7`: {@link ResourceRows}
 * - `GET /api/stages/APP/STAGE/resource?fqn=…&seq=7`: {@link ResourceView}
 * - `GET /api/stages/APP/STAGE/part?fqn=…&path=/props/list&from=500&seq=7`: {@link ValuePart}, more of a value that
 *   `resource` returned in part
 * - `GET /api/stages/APP/STAGE/values?fqn=…`: {@link ValueAt}`[]`
 * - `GET /api/stages/APP/STAGE/neighbours?fqn=…&steps=1`: {@link Neighbourhood}, up to that many steps away; without
 *   `steps`, all
 * - `GET /api/stages/APP/STAGE/search?q=…`: {@link Found}`[]`
 * - `GET /api/stages/APP/STAGE/changes`: {@link StageChanges}
 * - `GET /api/search?q=…`: {@link FoundNames}, in all stages
 * - `GET /api/stages/APP/STAGE/history`: {@link HistoryRow}`[]`
 * - `GET /api/stages/APP/STAGE/difference?from=3&to=7`: {@link Difference}
 * - `POST /api/stages/APP/STAGE/drift`: 202 and {@link Started}; a check for drift has begun, and is a run like any
 *   other
 * - `GET /api/fleets/APP`: {@link FleetView}
 * - `GET /api/fleets/APP/stages?after=NAME`: {@link FleetStages}, from the first name after NAME on
 * - `GET /api/fleets/APP/stage?name=…`: {@link FleetStage}, or `null` if no fleet has recorded this stage
 * - `POST /api/fleets/APP/request` with {@link FleetOrder}: 204 once the request is sent, or a run has begun; 403 if
 *   changes are not allowed; 409 if the run or the server cannot do it
 * - `GET /api/runs`: {@link RunRow}`[]`, newest first
 * - `GET /api/runs/ID/events?from=0`: Server-sent events. Each `data` is a JSON array of {@link UiEvent}, its `id` is
 *   the number of sent events. The event `state` has a state of {@link RunRow} as JSON, which holds until the next
 *   events: the run is `cut off` or `silent`. The event `end` means that no more events will come.
 * - `POST /api/runs/ID/answer` with {@link Answer}: 204; 403 if changes are not allowed; 409 if no such question is
 *   open
 *
 * A failure is {@link Failure} with a status of 400 and above. APP, STAGE and ID are percent-encoded.
 */
import type { RunSummary } from "../../../core/base/index.js";
import type { RecordStatus } from "../../../core/contract/index.js";
import type {
  EndedRun,
  HistoryCopy,
  Holder,
  ResourceDetail,
  SealStatus,
  StageSummary,
  ValuePart,
} from "../../admin/index.js";

export * from "./fleets.js";
export * from "./lists.js";
export type { HistoryCopy, ResourceDetail, SealStatus, StageSummary, ValuePart };

/** The shown source, and the allowed actions. */
export interface About {
  /** Version of the library. */
  readonly version: string;
  /** `store`: stages of a store; `events`: only runs, of a file, a folder or this process. */
  readonly source: "store" | "events";
  /** The store in words, without credentials, or the folder's name. */
  readonly label: string;
  /** The stage that the page was opened for. */
  readonly stage?: { readonly app: string; readonly stage: string };
  /** The run that the page was opened for. */
  readonly run?: string;
  /** True for the page of a running process, which shows its own runs; `run` is absent until one has begun. */
  readonly isBeside?: true;
  /** The fleet that the page was opened for. */
  readonly fleet?: string;
  /** False: each request for a change returns 403. */
  readonly allowsChanges: boolean;
  /** True if the server has a program that can check for drift. */
  readonly canLook: boolean;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Set if the name does not exist: others of its kind, the nearest first. A stage has the form `APP/STAGE`. */
  readonly near?: readonly string[];
}

/** The answer to a valid token, in addition to the cookie. */
export interface Opened {
  readonly key: string;
}

export interface Started {
  readonly run: string;
}

/** A stage in the list. Its seal is verified if the server has the key of the stage, or has shown the stage before. */
export interface StageRow extends StageSummary {
  readonly seal?: SealStatus;
  /** True for the record of a fleet, which stands for the fleet. */
  readonly isFleet?: true;
}

/** A stage on its own page. */
export interface StageHead {
  readonly app: string;
  readonly stage: string;
  readonly seq: number;
  readonly resources: number;
  /** Counts by status; statuses without resources are absent. */
  readonly statuses: Readonly<Partial<Record<RecordStatus, number>>>;
  /** Number of pending resources that failed. */
  readonly failed: number;
  /** The first resources whose last action or delete failed. */
  readonly problems: readonly { readonly fqn: string; readonly message: string }[];
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  readonly seal: SealStatus;
  readonly holder?: Holder;
  /** The run or command that ended last; absent if none has ended, or it is not recorded any more. */
  readonly lastRun?: EndedRun;
}

/** Rows of a stage sorted by name, as columns: a stage may have a hundred thousand rows. */
export interface ResourceRows {
  readonly seq: number;
  /** Number of rows of the stage. */
  readonly total: number;
  readonly from: number;
  /** Paths below the stage. */
  readonly paths: readonly string[];
  /** Indices in `kindNames`. */
  readonly kinds: readonly number[];
  readonly kindNames: readonly string[];
  /** Indices in `statusNames`. */
  readonly statuses: readonly number[];
  readonly statusNames: readonly RecordStatus[];
  /** Indices, within these rows, of old copies that wait to be deleted. */
  readonly replaced: readonly number[];
  readonly protected: readonly number[];
  /** Indices of resources that are pending because they failed. */
  readonly failed: readonly number[];
  /** Indices of resources whose last delete failed. */
  readonly notDeleted: readonly number[];
  /** The last errors of the failed rows and then of the not deleted ones, in the order of the two lists. */
  readonly errors: readonly string[];
}

export interface ResourceView {
  /** The journal entry of this view. */
  readonly seq: number;
  /** The present copy first. */
  readonly copies: readonly ResourceDetail[];
  /** Names that the present copy probably depends on, or that depend on it: inferred as in {@link Neighbourhood}. */
  readonly inferred?: { readonly dependsOn: readonly string[]; readonly dependents: readonly string[] };
  readonly seal: SealStatus;
  /** The run whose session is open. */
  readonly holder?: Holder;
}

/** A value that a resource had, newest first; from one kept copy of the state to the next. */
export interface ValueAt {
  readonly seq: number;
  /** The run that made the value; absent if no copy contains the run any more. */
  readonly run?: HistoryCopy["run"];
  /** `gone`: not in the state any more after that run. */
  readonly what: "made" | "changed" | "gone";
  /** Changes since the copy before; for the first copy, all its values. */
  readonly changes: readonly Change[];
  readonly seal: SealStatus;
}

/** A place in props, output, options or data that differs. */
export interface Change {
  /** JSON Pointer that begins with `/props`, `/output`, `/data` or another member of a record. */
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
  /** As in a plan: for texts of several lines, the lines that differ. */
  readonly lines?: readonly string[];
}

/** A resource, then its dependencies and dependents, the nearest first. */
export interface Neighbourhood {
  readonly nodes: readonly { readonly fqn: string; readonly kind: string; readonly status: RecordStatus }[];
  /** Indices of nodes: first the dependency, then its dependent. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly certain: boolean }[];
  /** Number of further dependencies and dependents; at most 200 nodes are returned. */
  readonly left: number;
}

/** A place where a text was found. */
export interface Found {
  readonly what: "resource" | "scope" | "run" | "value";
  readonly fqn: string;
  /** For a value: JSON Pointer, as in {@link Change}. */
  readonly path?: string;
  /** The text at that place that contains the found text. */
  readonly excerpt: string;
}

export interface HistoryRow extends HistoryCopy {
  /** Milliseconds from the start of the run to its end, if both are recorded. */
  readonly duration?: number;
  /** The command that restores this copy. */
  readonly restore: string;
}

export interface Difference {
  readonly from: number;
  readonly to: number;
  /** The weaker seal of the two copies. */
  readonly seal: SealStatus;
  readonly resources: readonly {
    readonly fqn: string;
    readonly kind: string;
    readonly what: "made" | "changed" | "gone" | "replaced";
    readonly changes: readonly Change[];
  }[];
  /** Number of further resources that differ; at most 1,000 are returned. */
  readonly left: number;
}

/** A run in a list of runs. */
export interface RunRow {
  readonly run: string;
  readonly app: string;
  readonly stage: string;
  readonly phase: string;
  readonly planned: boolean;
  /** True if it compares the recorded resources with the real ones. */
  readonly checksDrift?: true;
  /** Number of resources that differ from their records, if the run has read them. */
  readonly drifted?: number;
  /** ISO 8601. */
  readonly since: string;
  readonly by: { readonly user: string; readonly host: string; readonly pid: number; readonly ci?: string };
  /**
   * `cut off`: its process has ended, and its end is not among the events. `silent`: its process is on another machine,
   * and no event came for two minutes.
   */
  readonly state: "running" | "done" | "failed" | "interrupted" | "cut off" | "silent";
  /** Milliseconds. */
  readonly duration?: number;
  readonly summary?: RunSummary;
  /** The first failure of a run that failed. */
  readonly failure?: Failure;
  /** True if a failure stopped the handlers that its summary counts as stopped. */
  readonly stoppedByFailure?: true;
  /** True while a question of the run waits for an answer. */
  readonly asks?: true;
}

/** A line of `--json`, with the members of events.schema.json. Events of a later version may be among them. */
export interface UiEvent {
  readonly type: string;
  readonly time: string;
  readonly [member: string]: unknown;
}

/**
 * An event of a check for drift: `resource:drifted` as in other runs, with all differences: `old` is recorded, `new` is
 * the real value.
 */
export interface Drifted extends UiEvent {
  readonly type: "resource:drifted";
  readonly fqn: string;
  readonly gone: boolean;
  readonly changes?: readonly Change[];
}

/** A question of a run. The server adds such events of its own to those of the run. */
export interface Asked extends UiEvent {
  readonly type: "ui:asked";
  /** A new id for each question. */
  readonly question: string;
  /** The question, and its details unless they are deletes. */
  readonly text: string;
  readonly deletes: readonly AskedDelete[];
  /** Number of further deletes. */
  readonly left: number;
}

/** A resource that a yes deletes; `replace`: its old copy, because another one takes its place. */
export interface AskedDelete {
  readonly fqn: string;
  readonly kind: string;
  readonly action: "delete" | "replace";
}

export interface Answered extends UiEvent {
  readonly type: "ui:answered";
  readonly question: string;
  /** Undefined if it was answered elsewhere, or is not open any more. */
  readonly approved?: boolean;
}

export interface Answer {
  readonly question: string;
  readonly approved: boolean;
}

/** The header with the key of the page, required in each of its requests. */
export const KEY_HEADER = "engine-ui-key";
