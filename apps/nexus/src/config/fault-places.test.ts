import { expect, it } from 'vitest';
import { faultPlaces } from './fault-places.ts';

const json = `{
  "server": { "nme": "x" },
  "plugins": ["./a.mjs", "./b.mjs"],
  "tools": { "a.b": { "timeoutMs": 1 } }
}`;

it.each([
  ['server.nme', { line: 2, column: 15 }],
  ['plugins.1', { line: 3, column: 26 }],
  ['tools.a.b.timeoutMs', { line: 4, column: 23 }],
  ['server.name', { line: 2, column: 3 }],
  ['limits.burst', undefined],
])('finds %s, or what holds it', (path, place) => {
  expect(faultPlaces(json)(path)).toEqual(place);
});

it('finds keys of YAML too', () => {
  expect(faultPlaces('server:\n  name: x\n  nme: y\n')('server.nme')).toEqual({ line: 3, column: 3 });
});
