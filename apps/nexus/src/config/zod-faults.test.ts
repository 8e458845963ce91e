import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { unknownKey, zodFaults } from './zod-faults.ts';

it('says of a section of an earlier version where it has gone', () => {
  expect(unknownKey(['consensus', 'github'], ['models', 'checks'])).toEqual({
    path: 'consensus.github',
    message: expect.stringMatching(/^no such key any more; it is sources\.github now, with baseUrl and key/),
  });
});

it('writes the schema down once for many unknown keys', () => {
  const schema = z.record(z.string(), z.strictObject({ command: z.string() }));
  const written = vi.spyOn(schema, 'toJSONSchema');
  const raw = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`box${at}`, { command: 'x', comand: 'x' }]),
  );
  const { error } = schema.safeParse(raw);
  const faults = error ? zodFaults(error, raw, schema) : [];
  expect(faults).toHaveLength(100);
  expect(faults[99]).toEqual({ path: 'box99.comand', message: 'no such key; did you mean command?' });
  expect(written).toHaveBeenCalledTimes(1);
});
