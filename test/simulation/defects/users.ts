import type { Defect } from "./defect.ts";

const area = "users";

/** Found in the world of users: see `--world users`. */
export const userDefects: readonly Defect[] = [
  {
    name: "what retainOnDelete keeps is deleted",
    area,
    file: "core/run/limits/protection.ts",
    find: "    if (retains(app, at)) return true;",
    replace: "    if (retains(app, at)) return false;",
  },
  {
    name: "the children of what retainOnDelete keeps are deleted",
    area,
    file: "core/run/limits/protection.ts",
    find: "at = parent === undefined || !isGoing(parent) ? undefined : app.ledger.contents.records.get(parent);",
    replace: "at = parent === undefined || isGoing(parent) ? undefined : app.ledger.contents.records.get(parent);",
  },
  {
    name: "maxDeletes allows what it was to refuse",
    area,
    file: "core/run/limits/delete-limit.ts",
    find: "if (counted.length <= this.most) return undefined;",
    replace: "if (counted.length >= this.most) return undefined;",
  },
  {
    name: "old copies of earlier runs do not count for maxDeletes",
    area,
    file: "core/run/limits/delete-limit.ts",
    find: "(!replaced || this.#oldCopies.has(uid))",
    replace: "(!replaced || !this.#oldCopies.has(uid))",
  },
  {
    name: "orphans are pruned though destroyOrphans is false",
    area,
    file: "core/destroy/prune.ts",
    find: "!replaced && !scopeAt(app, folderOf(key)).destroyOrphans",
    replace: "replaced && !scopeAt(app, folderOf(key)).destroyOrphans",
  },
  {
    name: "a targeted run prunes what its targets leave out",
    area,
    file: "core/destroy/prune.ts",
    find: "selectedOf(app, selection, inScope)",
    replace: "selectedOf(app, undefined, inScope)",
  },
  {
    name: "what others have made is adopted without leave",
    area,
    file: "core/apply/adopt.ts",
    find: "return wantsAdoption(compared) && canLook(compared);",
    replace: "return canLook(compared);",
  },
  {
    name: "a renamed resource's name counts as free",
    area,
    file: "core/run/taken-names.ts",
    find: "some((uid) => isHeldBy(uid, name, namesake, contents))",
    replace:
      "some((uid) => contents.records.get(uid)?.key === namesake.key && isHeldBy(uid, name, namesake, contents))",
  },
  {
    name: "the value of an ignored prop is that of the program",
    area,
    file: "core/apply/apply.ts",
    find: "const encoded = known ? withoutIgnored(declaration, declaredProps, known) : declaredProps;",
    replace: "const encoded = declaredProps;",
  },
  {
    name: "dependsOn is not waited for",
    area,
    file: "core/apply/apply.ts",
    find: "inputs = resolveInputs(props, refs, options.dependsOn);",
    replace: "inputs = resolveInputs(props, refs, undefined);",
  },
  {
    name: "every replacement deletes first",
    area,
    file: "core/apply/replace.ts",
    find: "const deleteFirst = options.deleteFirst || task.options.deleteBeforeReplace === true;",
    replace: "const deleteFirst = options.deleteFirst || task.options.deleteBeforeReplace !== false;",
  },
  {
    name: "what the program protects is replaced",
    area,
    file: "core/run/limits/protection.ts",
    find: '  if (isProtectedNow) throw protectedError(fqnIn(app.root, old.key), "replaced");\n',
    replace: "",
  },
  {
    name: "a delete that has failed counts as done",
    area,
    file: "core/destroy/delete-one.ts",
    find: "    if (failure !== undefined) throw failure;\n",
    replace: "",
  },
  {
    name: "a read that has failed counts as nothing found",
    area,
    file: "core/handler/read-resource.ts",
    find: 'if (isEngineError(error, "UNRESOLVED")) return undefined;\n    throw error;',
    replace: 'if (isEngineError(error, "UNRESOLVED")) return undefined;\n    return { output: undefined };',
  },
  {
    name: "the parent of a deleted child counts as whole",
    area,
    file: "core/destroy/delete-one.ts",
    find: 'const ready = wholes.filter(({ status }) => status === "ready");',
    replace: 'const ready = wholes.filter(({ status }) => status === "deleting");',
  },
  {
    name: "names of retained resources count as free",
    area,
    file: "core/run/taken-names.ts",
    find: "    return isNameRetained(contents, name);",
    replace: "    return false;",
  },
  {
    name: "readLag is not waited for",
    area,
    file: "core/handler/read-resource.ts",
    find: "const lag = mayBeMade && record.local !== true ? definition.readLag : 0;",
    replace: "const lag = mayBeMade && record.local === true ? definition.readLag : 0;",
  },
  {
    name: "a token is dropped after a failed repeat",
    area,
    file: "core/apply/create.ts",
    find: 'await tryToRecord(app, [{ op: "patch", uid: before.uid, set: { error: failure.message } }]);',
    replace:
      'await tryToRecord(app, [{ op: "patch", uid: before.uid, set: { error: failure.message, token: uuid() } }]);',
  },
  {
    name: "deleteFailed is not cleared",
    area,
    file: "core/apply/skip.ts",
    find: '= ["dropped", "deleteFailed"];',
    replace: '= ["dropped"];',
  },
  {
    name: "what others changed while a run waited counts as changed during the run",
    area,
    file: "core/engine/app.ts",
    find: "    this.ledger.foreign.clear();\n",
    replace: "",
  },
];
