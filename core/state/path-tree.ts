interface Node {
  readonly items: Set<string>;
  readonly children: Map<string, Node>;
}

/** What stands at paths, and below them: finds either without looking at the rest. Pure. */
export class PathTree {
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
    // Nothing is left of paths at which nothing stands any more.
    for (let depth = nodes.length - 1; depth > 0 && isEmpty(nodes[depth]); depth--) {
      nodes[depth - 1]?.children.delete(names[depth - 1] ?? "");
    }
  }

  at(path: string): readonly string[] {
    return [...(this.#find(path)?.items ?? [])];
  }

  /** At all paths that begin with this one and a slash; with any, where it is empty. */
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
