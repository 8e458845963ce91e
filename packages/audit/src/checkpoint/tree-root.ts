import { createHash } from 'node:crypto';

/** The root of RFC 6962's Merkle tree (section 2.1) over the leaves, in their order, as base64. */
export function treeRoot(leaves: readonly string[]): string {
  return rootOf(leaves.map((leaf) => Buffer.from(leaf))).toString('base64');
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return digest();
  if (leaves.length === 1) return digest(Buffer.of(0), only);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return digest(Buffer.of(1), rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

function digest(...parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}
