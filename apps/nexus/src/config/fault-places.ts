import type { ParsedNode } from 'yaml';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from './yaml.ts';

/** Where something stands in a file, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds dotted paths in a config file's text: the key where it is written, else the nearest part that holds it.
 * @returns for a path of which not even the section is written, undefined
 */
export function faultPlaces(text: string): (path: string) => Place | undefined {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines });
  return (path) => {
    const offset = offsetOf(contents, path);
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}

function offsetOf(node: ParsedNode | null | undefined, path: string): number | undefined {
  const found = childrenOf(node)
    // A key may have a dot in it; the longest that fits is the one that was meant.
    .filter(({ key }) => path === key || path.startsWith(`${key}.`))
    .sort((a, b) => b.key.length - a.key.length)[0];
  if (!found) return undefined;
  return offsetOf(found.value, path.slice(found.key.length + 1)) ?? found.offset;
}

interface Child {
  readonly key: string;
  readonly offset: number;
  readonly value: ParsedNode | null;
}

function childrenOf(node: ParsedNode | null | undefined): Child[] {
  if (isMap(node)) {
    return node.items.flatMap(({ key, value }) =>
      isScalar(key) && key.range
        ? [{ key: String(key.value), offset: key.range[0], value: value as ParsedNode | null }]
        : [],
    );
  }
  if (!isSeq(node)) return [];
  return (node.items as ParsedNode[]).map((value, index) => ({
    key: String(index),
    offset: value.range[0],
    value,
  }));
}
