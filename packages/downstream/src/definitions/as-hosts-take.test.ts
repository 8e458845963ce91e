import { expect, it } from 'vitest';
import { asHostsTake } from './as-hosts-take.ts';
import { type Definition, readTools } from './read-definitions.ts';

const object = (members: object) => ({ type: 'object', ...members });
const tool = (members: object): Definition => ({ name: 'odd', inputSchema: { type: 'object' }, ...members });
const inText = (value: unknown) => JSON.stringify(value);

it('is the very definition that was served where a host takes it', () => {
  const sound = tool({
    inputSchema: object({ properties: { a: {}, list: [] }, required: ['a'], additionalProperties: false }),
    outputSchema: object({ properties: { n: { not: {} } } }),
    annotations: { title: 'Sound', readOnlyHint: true, other: 1 },
    icons: [{ src: 'data:', sizes: ['any'], theme: 'dark' }],
    execution: { taskSupport: 'optional' },
    own: true,
  });
  expect(asHostsTake(sound)).toBe(sound);
});

it('says a property’s true and false as the schemas that they mean, each at its place', () => {
  const properties = '{"first":{"type":"string"},"any":true,"__proto__":true,"none":false,"last":{}}';
  const served = tool({ title: 'Odd', inputSchema: object({ properties: JSON.parse(properties) }), z: 1 });
  const before = inText(served);
  expect(inText(asHostsTake(served))).toBe(
    before
      .replace('"any":true', '"any":{}')
      .replace('"__proto__":true', '"__proto__":{}')
      .replace('"none":false', '"none":{"not":{}}'),
  );
  expect(inText(served)).toBe(before);
});

it.each([
  [{ inputSchema: object({ properties: null, required: null }) }, { inputSchema: object({}) }],
  [{ outputSchema: { anyOf: [] } }, {}],
  [{ outputSchema: object({ type: 'array' }) }, {}],
  [{ outputSchema: object({ required: true }) }, {}],
  [
    { outputSchema: object({ properties: { n: true } }) },
    { outputSchema: object({ properties: { n: {} } }) },
  ],
  [
    { annotations: { title: 1, readOnlyHint: 'yes', idempotentHint: true } },
    { annotations: { idempotentHint: true } },
  ],
  [{ icons: 'data:' }, {}],
  [{ title: null, description: null, annotations: null, execution: null, _meta: null }, {}],
  [{ icons: [{ src: 'data:' }, { src: 'data:', sizes: '48x48' }, null] }, { icons: [{ src: 'data:' }] }],
  [{ execution: { taskSupport: 'maybe', more: 1 } }, { execution: { more: 1 } }],
])('leaves out what means nothing to a host: %j', (odd, listed) => {
  expect(inText(asHostsTake(tool(odd)))).toBe(inText(tool(listed)));
});

it('is asked of no tool whose input no host could take', () => {
  const { definitions, faults } = readTools([
    tool({ name: 'a', inputSchema: object({ properties: ['x'] }) }),
    tool({ name: 'b', inputSchema: object({ properties: { x: 'text' } }) }),
    tool({ name: 'c', inputSchema: object({ required: true }) }),
    tool({ name: 'd', inputSchema: object({ required: [1] }) }),
    tool({ name: 'e', inputSchema: object({ properties: { x: true }, required: null }) }),
  ]);
  expect(faults).toEqual([
    { tool: 'a', reason: 'its inputSchema has properties that are no object' },
    { tool: 'b', reason: 'its inputSchema has a property that is no schema: "x"' },
    { tool: 'c', reason: 'its inputSchema has a list required that is none' },
    { tool: 'd', reason: 'its inputSchema has a list required that is none' },
  ]);
  expect(definitions.map(({ name }) => name)).toEqual(['e']);
});
