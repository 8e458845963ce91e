import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonFault } from './json-fault.ts';

it.each([
  ['{\n  "plugins": [ },\n  "tools": {},\n  "limits": {}\n}\n', { line: 2, column: 16 }],
  ['{\n  "plugins": []\n  "tools": {}\n}', { line: 3, column: 3 }],
  [
    '{\n  "profile": "lean",\n  "toolMode": dynamic,\n  "tools": {}, "and": "much more of it"\n}',
    { line: 3, column: 15 },
  ],
  ["{\n  'profile': 'lean',\n  \"tools\": {}\n}", { line: 2, column: 3 }],
  ['{\n  "limits": { "burst": 07 },\n  "tools": {}\n}', { line: 2, column: 25 }],
  ['{ "a": [1, 2,] }', { line: 1, column: 14 }],
  ['{ "a": 1 } }', { line: 1, column: 12 }],
  ['{\n  "plugins": [', { line: 2, column: 15 }],
  ['plugins: []', { line: 1, column: 1 }],
])('finds where %j stops being JSON', (text, place) => {
  expect(jsonFault(text)).toMatchObject({ place });
});

it('says what is wrong without a piece of the file, which may be a secret', () => {
  const fault = jsonFault('{ "env": { "TOKEN": hunter2hunter2, "more": "of it, so that a part is shown" } }');
  expect(fault?.message).toMatch(/^Unexpected token/);
  expect(fault?.message).not.toContain('hunter2');
});

it('never takes the beginning of JSON for the fault', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(jsonFault(json)).toBeUndefined();
      expect(jsonFault(`${json} @`)?.place).toEqual({ line: 1, column: json.length + 2 });
    }),
  );
});
