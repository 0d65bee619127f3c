import { describeContent } from "./describing.js";
import type { ContentId, History } from "./history.js";
import type { Past } from "./past.js";
import type { Rules, Scenario } from "./rules.js";
import { type Client, idleClient, type Request, type State } from "./state.js";
import { land, useSession } from "./store.js";

/** A possible next step. `apply` changes the given state and throws a violation that it causes. */
export interface Move {
  readonly label: () => string;
  readonly fault: boolean;
  readonly apply: (state: State) => void;
}

export interface World {
  readonly rules: Rules;
  readonly scenario: Scenario;
  readonly history: History;
  readonly past: Past;
}

/** A client at the point of choosing its next step. */
export class Turn {
  constructor(
    readonly world: World,
    readonly state: State,
    readonly index: number,
    readonly client: Client,
    readonly moves: Move[],
  ) {}

  get name(): string {
    const { role, session } = this.client;
    return `${role[0]?.toUpperCase()}${this.index}${session > 0 ? `/S${session}` : ""}`;
  }

  /** The same turn with the choice already made. */
  as(change: Partial<Client>): Turn {
    return new Turn(this.world, this.state, this.index, { ...this.client, ...change }, this.moves);
  }

  add(label: () => string, apply: (state: State) => void, fault = false): void {
    this.moves.push({ label: () => `${this.name} ${label()}`, fault, apply });
  }

  become(state: State, change: Partial<Client>): void {
    state.clients[this.index] = { ...this.client, ...change };
  }

  rest(state: State): void {
    if (this.client.role === "helper") state.clients.splice(this.index, 1);
    else state.clients[this.index] = idleClient(this.client.role, this.client.grows);
  }

  /** Adds a write with all its fates; `lost` is the client's state after it got no answer. */
  request(
    request: Request,
    label: () => string,
    fate: { yes: (state: State) => void; no: (state: State) => void; lost: (state: State) => void },
  ): void {
    const { world, state, client } = this;
    const perform = (next: State) => land(next, world, request, this.name);
    this.add(label, (next) => (perform(next) ? fate.yes(next) : fate.no(next)));
    const { late, lostReplies, crashes } = world.scenario;
    if (lostReplies && !client.again) {
      this.add(
        () => `${label()}, reply lost`,
        (next) => {
          perform(next);
          useSession(next, world.history, request);
          fate.lost(next);
        },
        true,
      );
    }
    if (state.late.length >= late) return;
    const delay = (next: State) => {
      next.late = [...next.late, request];
      useSession(next, world.history, request);
    };
    if (!client.again) {
      this.add(
        () => `${label()}, given up, may land later`,
        (next) => {
          delay(next);
          fate.lost(next);
        },
        true,
      );
    }
    if (crashes) {
      this.add(
        () => `${label()}, may land after the crash`,
        (next) => {
          delay(next);
          this.rest(next);
        },
        true,
      );
    }
  }

  /** The contents of an entry in words, for labels. */
  describe(content: ContentId): string {
    return describeContent(this.world.history, content);
  }
}
