import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutants } from './mutants.ts';

const engine = new URL('../../packages/engine/src/', import.meta.url);
const places = mutants.flatMap(({ name, patches }) => patches.map((patch) => ({ name, ...patch })));

it.each(places)('the text that $name changes of $file is there, once', ({ file, from }) => {
  expect(readFileSync(new URL(file, engine), 'utf8').split(from)).toHaveLength(2);
});
