import type { ResourceType, Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";

export interface ThingProps {
  readonly text?: string;
  /** Makes its next create or update fail. */
  readonly fails?: string;
}

export interface ThingOutput {
  readonly name: string;
  readonly text: string;
}

export interface Things {
  readonly Thing: ResourceType<ThingOutput, ThingProps>;
  /** The real resources, by FQN. */
  readonly there: Map<string, string>;
  /** Each call of a handler, as `phase fqn`. */
  readonly calls: string[];
  /** Runs inside the handlers, so that a test can inspect the context. */
  inside: (fqn: string, scope: Scope) => Promise<void> | void;
}

let made = 0;

/** A resource type of its own, with its real resources. */
export function newThings(): Things {
  const things: { -readonly [K in keyof Things]?: Things[K] } = {};
  const there = new Map<string, string>();
  const calls: string[] = [];
  made += 1;
  const Thing = Resource<ThingOutput, ThingProps>(`test:Thing${made}`, async function (_id, { text = "", fails }) {
    calls.push(`${this.phase} ${this.fqn}`);
    await things.inside?.(this.fqn, this.scope);
    if (this.phase === "delete") {
      there.delete(this.fqn);
      return this.destroy();
    }
    if (fails !== undefined) throw new Error(fails);
    there.set(this.fqn, text);
    return { name: this.physicalName, text };
  });
  return Object.assign(things, { Thing, there, calls, inside: () => {} });
}

/** Two types of resources: the handler of a site declares a page. */
export function newSites(): { readonly pages: Things; readonly sites: Things } {
  const [pages, sites] = [newThings(), newThings()];
  sites.inside = async (_fqn, scope) => {
    if (scope.phase === "up") await pages.Thing("page");
  };
  return { pages, sites };
}
