import { expect, it, vi } from 'vitest';
import { pinHash } from '../pins/pinned-fields.ts';
import { digestOf, listByDigest, readList } from './tool-list.ts';

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const raw = [
  tool('a', { description: 'Says “é, 看, 😀”, [1], {"x": 2}' }),
  { name: 'no schema' },
  tool('b', { inputSchema: { type: 'object', properties: { x: { type: 'string', pattern: 'x' } } } }),
  'nothing',
  tool('a'),
];
const definitions = [raw[0], raw[2]];

it('reads a list as it was listed', () => {
  const list = readList(raw);
  expect(JSON.parse(list.text)).toEqual(raw);
  expect(list.tools.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(list.tools.map(({ definition }) => definition)).toEqual(definitions);
  expect(list.tools.map(({ hash }) => hash)).toEqual(definitions.map((each) => pinHash(each as never)));
  expect(list).toMatchObject({ leftOut: 3, hasPattern: true });
  expect(list.faults).toHaveLength(3);
});

it('knows it again by its digest, and parses a definition when somebody looks at it', () => {
  const list = readList(raw);
  const digest = digestOf(list, 'build');
  const parse = vi.spyOn(JSON, 'parse');
  const known = listByDigest(list.text, digest, 'build');
  expect(parse).toHaveBeenCalledTimes(1);
  const first = known?.tools[0]?.definition;
  expect(known?.tools[0]?.definition).toBe(first);
  expect(parse).toHaveBeenCalledTimes(2);
  parse.mockRestore();
  expect(known).toEqual(list);
  expect(known?.tools.map(({ definition }) => definition)).toEqual(definitions);
  expect(known?.tools.map(({ hash }) => hash)).toEqual(list.tools.map(({ hash }) => hash));
});

it('takes no digest of another text or of another build', () => {
  const list = readList(raw);
  const digest = digestOf(list, 'build');
  expect(listByDigest(list.text, digest, 'another')).toBeUndefined();
  expect(listByDigest(list.text.replace('Says', 'Sags'), digest, 'build')).toBeUndefined();
  expect(listByDigest(list.text, null, 'build')).toBeUndefined();
});

it('keeps few definitions that were looked at', () => {
  const { tools } = readList(Array.from({ length: 100 }, (_, at) => tool(`tool_${at}`)));
  const first = tools[0]?.definition;
  for (const { definition } of tools) expect(definition.inputSchema).toEqual({ type: 'object' });
  expect(tools[0]?.definition).toEqual(first);
  expect(tools[0]?.definition).not.toBe(first);
});
