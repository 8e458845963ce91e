import type { Node } from 'web-tree-sitter';

/** Where a parser could not go on, or had to add what is missing: lines from 1, the first ones in their order. */
export function faultLinesOf(root: Node, limit: number): number[] {
  const lines = new Set<number>();
  // Not by recursion: a text made for it nests deeper than the stack.
  const open = root.hasError ? [root] : [];
  for (let node = open.pop(); node && lines.size < limit; node = open.pop()) {
    if (node.isError || node.isMissing) {
      lines.add(node.startPosition.row + 1);
      continue;
    }
    // The first child last, so that it is looked at next.
    open.push(...node.children.filter((child) => child.hasError || child.isMissing).reverse());
  }
  return [...lines].sort((a, b) => a - b);
}
