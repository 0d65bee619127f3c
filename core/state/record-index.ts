import type { ResourceRecord } from "../contract/index.js";

type Indexed = Pick<ResourceRecord, "uid" | "key" | "refs">;

interface Node {
  readonly items: Set<string>;
  readonly children: Map<string, Node>;
}

/** Maps paths to items; finds the items at or below a path without visiting others. Pure. */
class PathTree {
  readonly #root = newNode();

  add(path: string, item: string): void {
    let node = this.#root;
    for (const name of namesOf(path)) {
      const child = node.children.get(name) ?? newNode();
      node.children.set(name, child);
      node = child;
    }
    node.items.add(item);
  }

  delete(path: string, item: string): void {
    const nodes = [this.#root];
    const names = namesOf(path);
    for (const name of names) {
      const child = nodes.at(-1)?.children.get(name);
      if (!child) return;
      nodes.push(child);
    }
    nodes.at(-1)?.items.delete(item);
    // Removes paths without items.
    for (let depth = nodes.length - 1; depth > 0 && isEmpty(nodes[depth]); depth--) {
      nodes[depth - 1]?.children.delete(names[depth - 1] ?? "");
    }
  }

  at(path: string): readonly string[] {
    return [...(this.#find(path)?.items ?? [])];
  }

  /** Returns the items at all paths below this one, or at all paths if it is empty. */
  below(path: string): readonly string[] {
    const found: string[] = [];
    const nodes = [...(this.#find(path)?.children.values() ?? [])];
    for (const { items, children } of nodes) {
      for (const item of items) found.push(item);
      for (const child of children.values()) nodes.push(child);
    }
    return found;
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of namesOf(path)) node = node?.children.get(name);
    return node;
  }
}

function newNode(): Node {
  return { items: new Set(), children: new Map() };
}

function isEmpty(node: Node | undefined): boolean {
  return node?.items.size === 0 && node.children.size === 0;
}

function namesOf(path: string): readonly string[] {
  return path === "" ? [] : path.split("/");
}

/** Finds uids of records by name and by the uids that they refer to; old copies included. */
export class RecordIndex {
  readonly names = new PathTree();
  /** Uids by the uid that they refer to. */
  readonly #referring = new Map<string, Set<string>>();
  /** The order in which the records were added. */
  readonly #ranks = new Map<string, number>();
  #nextRank = 0;

  constructor(records: Iterable<Indexed>) {
    for (const record of records) this.add(record);
  }

  add(record: Indexed): void {
    this.names.add(record.key, record.uid);
    this.#ranks.set(record.uid, this.#nextRank++);
    this.#refer(record);
  }

  delete(record: Indexed): void {
    this.names.delete(record.key, record.uid);
    this.#ranks.delete(record.uid);
    this.#forget(record);
  }

  replace(before: Indexed, record: Indexed): void {
    if (before.key !== record.key) {
      this.names.delete(before.key, before.uid);
      this.names.add(record.key, record.uid);
    }
    if (before.refs === record.refs) return;
    this.#forget(before);
    this.#refer(record);
  }

  /** Returns the items below a path in the order in which they were added. */
  below(path: string): readonly string[] {
    const rankOf = (uid: string): number => this.#ranks.get(uid) ?? 0;
    return this.names.below(path).toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  referringTo(uid: string): Iterable<string> {
    return this.#referring.get(uid) ?? [];
  }

  #refer({ uid, refs = [] }: Indexed): void {
    for (const ref of refs) {
      const known = this.#referring.get(ref);
      if (known) known.add(uid);
      else this.#referring.set(ref, new Set([uid]));
    }
  }

  #forget({ uid, refs = [] }: Indexed): void {
    for (const ref of refs) {
      const known = this.#referring.get(ref);
      known?.delete(uid);
      if (known?.size === 0) this.#referring.delete(ref);
    }
  }
}
