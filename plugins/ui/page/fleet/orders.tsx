/** The buttons that steer a fleet run, or the commands that do the same. */
import { useState } from "preact/hooks";
import type { About, Failure, FleetOrder, FleetView } from "../../api/index.js";
import { askFleet, failureOf } from "../data/ask.js";
import { Copy } from "../parts/copy.js";
import { Dialog } from "../parts/dialog.js";
import { Trouble } from "../parts/notice.js";

type Request = FleetOrder["request"];

/** A request that was sent, and the state of the run at that time. */
export interface Sent {
  readonly request: Request;
  /** State and reason. */
  readonly at: string;
}

/** Returns a text that changes once a request is obeyed. */
export function momentOf({ report: { state, reason = "" } }: FleetView): string {
  return `${state} ${reason}`;
}

interface OrdersProps {
  readonly view: FleetView;
  readonly about: About;
  readonly sent: Sent | undefined;
  onSent(sent: Sent | undefined): void;
}

const WORDS: Readonly<Record<Request, string>> = {
  pause: "Pause",
  resume: "Resume",
  retry: "Retry what failed",
  cancel: "Cancel",
};

const SENT: Readonly<Record<Request, string>> = {
  pause: "The process that runs it was asked to pause. Running stages end first.",
  resume: "The run was asked to continue.",
  retry: "The failed stages were asked to begin again.",
  cancel: "The process that runs it was asked to cancel.",
};

export function Orders({ view, about, sent, onSent }: OrdersProps) {
  const [asks, setAsks] = useState<Request | undefined>();
  const [failure, setFailure] = useState<Failure | undefined>();
  const { report, program } = view;
  const requests = requestsFor(view);
  const canDo = (request: Request): boolean =>
    about.allowsChanges && (program !== undefined || !needsProgram(request, view));
  const send = (request: Request): void => {
    setAsks(undefined);
    setFailure(undefined);
    onSent({ request, at: momentOf(view) });
    askFleet(report.fleet, { run: report.run, request }).catch((error: unknown) => {
      onSent(undefined);
      setFailure(failureOf(error));
    });
  };
  const isAsked = (request: Request): boolean => request === "cancel" || report.command === "destroy";
  const buttons = requests.filter(canDo);
  const commands = requests.filter((request) => !canDo(request));
  return (
    <>
      {failure && <Trouble failure={failure} />}
      {requests.length > 0 && (
        <div class="fleet-orders">
          {buttons.length > 0 && (
            <div class="toolbar">
              {buttons.map((request) => (
                <button
                  key={request}
                  type="button"
                  class={
                    request === buttons[0] && (request === "resume" || request === "retry")
                      ? "button is-main"
                      : "button"
                  }
                  disabled={sent !== undefined}
                  onClick={() => (isAsked(request) && request !== "pause" ? setAsks(request) : send(request))}
                >
                  {request === "resume" && report.state === "waiting" ? "Begin the next wave" : WORDS[request]}
                </button>
              ))}
              <span class="soft" role="status">
                {sent && SENT[sent.request]}
              </span>
            </div>
          )}
          {commands.length > 0 && <Commands view={view} requests={commands} />}
        </div>
      )}
      {asks && <Confirm request={asks} view={view} onSend={() => send(asks)} onClose={() => setAsks(undefined)} />}
    </>
  );
}

/** Returns the requests that make sense now, the likeliest first. */
function requestsFor({ report: { state }, isHeld }: FleetView): readonly Request[] {
  switch (state) {
    case "running":
      return isHeld ? ["pause", "cancel"] : [];
    case "waiting":
    case "paused":
    case "interrupted":
      return ["resume", "cancel"];
    case "stopped":
      return ["retry", "resume"];
    case "failed":
      return ["retry"];
    case "cancelled":
      return ["resume"];
    default:
      return [];
  }
}

/** True if no process conducts the run that could continue it. */
function needsProgram(request: Request, { isHeld }: FleetView): boolean {
  return request === "retry" || (request === "resume" && !isHeld);
}

function Commands({ view, requests }: { readonly view: FleetView; readonly requests: readonly Request[] }) {
  const { program } = view;
  const file = program ? program.file : "FILE";
  const lineOf = (request: Request): string =>
    ["engine fleet", request, ...(file === undefined ? [] : [file])].join(" ");
  return (
    <div class="fleet-commands">
      {requests.map((request) => (
        <Copy key={request} text={lineOf(request)} label={`Copy the command: ${request}`} />
      ))}
      <span class="soft">
        {program ? "Type this command." : "Type this command with the file of the fleet's program."}
      </span>
    </div>
  );
}

interface ConfirmProps {
  readonly request: Request;
  readonly view: FleetView;
  onSend(): void;
  onClose(): void;
}

function Confirm({ request, view: { report }, onSend, onClose }: ConfirmProps) {
  const isCancel = request === "cancel";
  const title = isCancel ? "Cancel the run?" : "Continue to destroy?";
  const text = isCancel
    ? "Running stages are interrupted, and no more begin. Stages that have ended stay as they are. You can resume the run later."
    : "The run deletes the resources of all its stages.";
  return (
    <Dialog label={title} className="confirm" onClose={onClose}>
      <div class="confirm-text">
        <h2>{title}</h2>
        <p>{text}</p>
        <div class="question-answers">
          <button type="button" class="button" onClick={onClose}>
            {isCancel ? "Keep it running" : "Leave it"}
          </button>
          <button type="button" class="button is-bad" onClick={onSend}>
            {isCancel ? `Cancel the ${report.command}` : "Destroy"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
