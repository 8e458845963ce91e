import type { Node } from 'web-tree-sitter';

/** What a name is where it stands. */
export const USED_AS = ['import', 're-export', 'call', 'type', 'use', 'string', 'comment', 'text'] as const;

export type UsedAs = (typeof USED_AS)[number];

const IMPORT = /import|^use_declaration$|^using_directive$|^namespace_use|^preproc_include$/;
const RE_EXPORT = /^export_(?:specifier|clause)$/;
const CALL = /call|invocation|new_expression|object_creation|^instance_expression$|^command$/;
/** What may stand between a name and the call of it: `a.b.name()`, `A::name()`. */
const PATH =
  /member|attribute|field_expression|selector|scoped|qualified|navigation|^command_name$|^generic_function$/;
/** Fields of a call that hold what is called. */
const CALLED = ['function', 'constructor', 'name', 'method', 'macro', 'type', 'object'] as const;
const TYPE = /type|implements|extends|superclass|base_list|bounds/;
/** A part of a type that is a value: its body, or what a cast is made of. */
const NOT_TYPE = /body|block|arguments$|parameters$|_expression$/;
const MAX_ABOVE = 12;

/** What an identifier of code is used as. */
export function usedAs(node: Node): UsedAs {
  const above = ancestors(node);
  if (above.some(({ type }) => RE_EXPORT.test(type))) return 're-export';
  if (above.some(({ type }) => IMPORT.test(type) && !CALL.test(type))) return 'import';
  if (isRequired(node, above)) return 'import';
  if (isCalled(node)) return 'call';
  return isType(node, above) ? 'type' : 'use';
}

/** What text that is no code is. */
export function proseKind(type: string): UsedAs {
  if (type.includes('comment')) return 'comment';
  return type.includes('text') ? 'text' : 'string';
}

/** `const name = require('…').name`, and `const { name } = …`. */
function isRequired(node: Node, above: readonly Node[]): boolean {
  const declarator = above.find(({ type }) => type === 'variable_declarator');
  const value = declarator?.childForFieldName('value');
  if (!value || !/^require\s*\(/.test(value.text)) return false;
  return node.endIndex < value.startIndex || node.endIndex === value.endIndex;
}

function ancestors(node: Node): Node[] {
  const above: Node[] = [];
  for (let at = node.parent; at && above.length < MAX_ABOVE; at = at.parent) above.push(at);
  return above;
}

function isCalled(node: Node): boolean {
  let part = node;
  for (let at = node.parent; at; at = at.parent) {
    if (CALL.test(at.type)) {
      const { id } = part;
      const field = CALLED.find((name) => at.childForFieldName(name)?.id === id);
      // `name.other()` calls the other: what a method is called on is no call.
      return field !== undefined && field !== 'object';
    }
    if (!PATH.test(at.type) || at.lastNamedChild?.id !== part.id) return false;
    part = at;
  }
  return false;
}

function isType(node: Node, above: readonly Node[]): boolean {
  if (/^type_identifier$|^type_name$/.test(node.type)) return true;
  const first = above.find(({ type }) => TYPE.test(type) || NOT_TYPE.test(type));
  return first !== undefined && TYPE.test(first.type) && !NOT_TYPE.test(first.type);
}
