import { afterEach, expect, it } from 'vitest';
import { createWorkers } from '../workers/index.ts';
import { holdSecrets, redactApart, redactText } from './index.ts';

const workers = createWorkers();
afterEach(() => workers.close());

it('masks in a long text what redactText masks in it, by form, place and value, while others go on', async () => {
  const release = holdSecrets(['a value without a form']);
  const line =
    'user=ada password=hunter2-Xy9! a value without a form, ghp_0123456789abcdefghijABCDEFGHIJ012345\n';
  const text = line.repeat(5_000);
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 1);
  const shown = await redactApart(workers)(text);
  clearInterval(ticking);
  expect(shown).toBe(redactText(text));
  expect(shown).not.toMatch(/hunter2|without a form|ghp_/);
  expect(turns).toBeGreaterThan(0);
  release();
});

it('refuses to show what could not be read to its end', async () => {
  const run = async () => ({ fault: 'overran' as const, reason: 'took longer than 60000 ms' });
  const redact = redactApart({ pool: () => ({ run }) });
  await expect(redact('x'.repeat(300_000))).rejects.toThrow(
    'looking for secrets in it took longer than 60000 ms',
  );
});
