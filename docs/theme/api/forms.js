/** The forms of a function that has others as its members, such as `engine` and `engine.up`. */
import { ReflectionKind } from "typedoc";

/** `{ name, id, title, reflection, signatures }`, the function itself first; empty if the variable cannot be called. */
export function formsOf(variable) {
  const shape = shapeOf(variable);
  if (!shape?.signatures) return [];
  const own = {
    name: "",
    id: "call",
    call: variable.name,
    title: `${variable.name}()`,
    reflection: shape,
    signatures: shape.signatures,
  };
  return [own, ...(shape.children ?? []).map((child) => memberForm(variable.name, child))];
}

function memberForm(owner, child) {
  const title = child.signatures ? `${owner}.${child.name}()` : `${owner}.${child.name}`;
  const call = `${owner}.${child.name}`;
  return {
    name: child.name,
    id: child.name.toLowerCase(),
    call,
    title,
    reflection: child,
    signatures: child.signatures,
  };
}

/** The interface of a callable variable, if no other variable has it. */
function shapeOf(variable) {
  if (variable.type?.typeArguments?.length > 0) return undefined;
  const target = variable.type?.type === "reference" ? variable.type.reflection : undefined;
  return target?.kindOf?.(ReflectionKind.Interface) ? target : undefined;
}
