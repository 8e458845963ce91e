import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { treeRoot } from './tree-root.ts';

const digest = (...parts: (string | Buffer)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    .digest();
const leaf = (text: string) => digest('\0', text);
const node = (left: Buffer, right: Buffer) => digest('\x01', left, right);

it('the root is that of RFC 6962 over the leaves in their order', () => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(leaf) as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const roots = [
    digest(''),
    a,
    node(a, b),
    node(node(a, b), c),
    node(node(a, b), node(c, d)),
    node(node(node(a, b), node(c, d)), e),
  ];
  for (const [size, root] of roots.entries()) {
    expect(treeRoot(['a', 'b', 'c', 'd', 'e'].slice(0, size))).toBe(root.toString('base64'));
  }
  expect(treeRoot(['b', 'a'])).toBe(node(b, a).toString('base64'));
});

it('a leaf is no node: what one holds cannot be given out for two others', () => {
  const [a, b] = [leaf('a'), leaf('b')];
  const forged = Buffer.concat([Buffer.of(1), a, b]).toString('latin1');
  expect(treeRoot([forged])).not.toBe(treeRoot(['a', 'b']));
  expect(treeRoot([''])).not.toBe(treeRoot([]));
});
