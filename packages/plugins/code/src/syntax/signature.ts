import { cutEndCounted } from '@nexus/primitives';
import type { Node } from 'web-tree-sitter';
import { CONTAINER_KINDS, type SymbolKind } from './symbol.ts';

const MAX_CHARACTERS = 240;
/** Characters that decorators, attributes and annotations start with. */
const DECORATED = /[@[#]/;
const GROUP = /^\w+\s*\(/;
const DECORATION = /decorator|attribute|annotation|comment/;

/** A declaration's head on one line, and the lines it spans without its decorators. */
export function signatureOf(
  node: Node,
  text: string,
  { kind, wrappers }: { kind: SymbolKind; wrappers: readonly string[] },
): { signature: string; line: number; endLine: number } {
  const whole = wrapped(node, text, wrappers);
  const start = afterDecorations(whole, text);
  const end = bodyOf(node)?.startIndex ?? node.endIndex;
  const head = text.slice(start.startIndex, Math.max(end, start.startIndex));
  const { row, column } = whole.endPosition;
  const line = start.startPosition.row + 1;
  return {
    signature: oneLine(CONTAINER_KINDS.has(kind) ? head.split('{', 1).join() : head),
    line,
    // A node that takes its newline along ends at the start of the next line.
    endLine: Math.max(line, column === 0 ? row : row + 1),
  };
}

/** `export const` belongs to what it declares; the `var (` of a group belongs to no one of its members. */
function wrapped(node: Node, text: string, wrappers: readonly string[]): Node {
  const parent = wrappers.length > 0 ? node.parent : null;
  if (
    !parent ||
    !wrappers.includes(parent.type) ||
    GROUP.test(text.slice(parent.startIndex, node.startIndex))
  ) {
    return node;
  }
  return wrapped(parent, text, wrappers);
}

function afterDecorations(node: Node, text: string): Node {
  if (!DECORATED.test(text[node.startIndex] ?? '')) return node;
  const rest = node.children.find((child) => child && !DECORATION.test(child.type));
  if (!rest || rest.startIndex === node.startIndex) {
    return rest?.childCount ? afterDecorations(rest, text) : node;
  }
  return rest;
}

function bodyOf(node: Node): Node | null {
  const value = node.childForFieldName('value') ?? assigned(node);
  return (
    node.childForFieldName('body') ??
    node.childForFieldName('accessors') ??
    value?.childForFieldName('body') ??
    null
  );
}

/** What is assigned in the end: `a.f = a.g = function () {}`. */
function assigned(node: Node): Node | null {
  if (node.type !== 'assignment_expression') return null;
  const right = node.childForFieldName('right');
  return right && (assigned(right) ?? right);
}

function oneLine(head: string): string {
  const line = head
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?[{:]$/, '');
  return cutEndCounted(line, MAX_CHARACTERS);
}
