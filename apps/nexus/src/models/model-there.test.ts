import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { modelThere } from './model-there.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-there-'));
  vi.stubEnv('PATH', folder);
  for (const key of ['ANTHROPIC', 'OPENAI', 'GEMINI', 'GOOGLE', 'GOOGLE_GENERATIVE_AI'])
    vi.stubEnv(`${key}_API_KEY`, '');
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it.skipIf(process.platform === 'win32')('says so once when a model’s program is installed', async () => {
  const changed = vi.fn();
  const there = modelThere({}, folder, changed);
  expect(await there.isThere(false)).toBe(false);
  await writeFile(join(folder, 'claude'), '');
  await chmod(join(folder, 'claude'), 0o755);
  expect(await there.isThere(false)).toBe(false);
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(await there.isThere(false)).toBe(true);
  there.close();
});

it('counts a client that offers sampling, unless its model is switched off', async () => {
  const there = modelThere({}, folder, () => {});
  expect(await there.isThere(true)).toBe(true);
  const off = modelThere({ host: { enabled: false } }, folder, () => {});
  expect(await off.isThere(true)).toBe(false);
  there.close();
  off.close();
});
