import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../harness/app.ts';
import { waysFor } from '../harness/verifies.ts';
import { waysIn } from '../harness/ways-in.ts';
import { type RequirementId, requirements } from './requirements.ts';

const ids = Object.keys(requirements) as RequirementId[];

async function cited(
  by: 'verifies' | 'verifiesAnew' | 'verifiesApp' | 'slowlyVerifiesApp',
  folder = join(testDir, 'e2e'),
): Promise<Set<string>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.test.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const call = new RegExp(String.raw`^\s*${by}\(\s*'([^']+)'`, 'gm');
  return new Set(texts.flatMap((text) => [...text.matchAll(call)].map(([, id]) => id ?? '')));
}

it('shows every requirement on messages, lines and tools by a test for each way in that it concerns', async () => {
  const wanted = ids.filter((id) => requirements[id].about !== 'app');
  const shown = new Set([...(await cited('verifies')), ...(await cited('verifiesAnew'))]);
  expect([...shown].sort()).toEqual(wanted.sort());
  for (const id of wanted) expect(waysFor(id).length, id).toBeGreaterThan(0);
});

it('shows every requirement on the app by a test in every check, but for those that say why not', async () => {
  const isOnlySlow = (id: RequirementId) => 'onlySlow' in requirements[id];
  const wanted = ids.filter((id) => requirements[id].about === 'app' && !isOnlySlow(id));
  expect([...(await cited('verifiesApp'))].sort()).toEqual(wanted.sort());
  const slow = await cited('slowlyVerifiesApp', join(testDir, 'slow'));
  expect(ids.filter((id) => isOnlySlow(id) && !slow.has(id))).toEqual([]);
});

it('shows what is about messages on every way in there is', () => {
  for (const id of ids.filter((id) => requirements[id].about === 'protocol')) {
    expect(waysFor(id), id).toEqual(waysIn);
  }
});

it('states each requirement in a sentence', () => {
  for (const id of ids) expect(requirements[id].text).toMatch(/^[A-Za-z].{15,140}\.$/);
});
