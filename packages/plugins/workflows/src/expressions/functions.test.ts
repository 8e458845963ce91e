import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { functions } from './functions.ts';

const page = readFileSync(new URL('../../../../../docs/workflows.md', import.meta.url), 'utf8');

it('the functions of expressions are those that docs/workflows.md names', () => {
  const rows = page.split('\n').filter((line) => /^\| (text|lists and objects|the rest) \|/.test(line));
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)(?:\([^`]*\))?`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual(Object.keys(functions).sort());
});
