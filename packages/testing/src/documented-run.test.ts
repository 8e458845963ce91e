import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import { afterAll, expect, it } from 'vitest';
import { scriptedModels } from './scripted-models.ts';
import { startPlugin } from './start-plugin.ts';

/** Beside the tests, so that what the example imports is found. */
const reports = join(import.meta.dirname, '..', '.reports');
mkdirSync(reports, { recursive: true });
const folder = mkdtempSync(join(reports, 'documented-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The only example of a plugin with a run. */
async function documentedPlugin(): Promise<AnyPlugin> {
  const page = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
  const example = [...page.matchAll(/```js\n([\s\S]*?)```/g)].find(([, code]) =>
    code?.includes('defineRunTool'),
  );
  const file = join(folder, 'documented-plugin.js');
  writeFileSync(file, example?.[1] ?? '');
  return ((await import(file)) as { default: AnyPlugin }).default;
}

it('the example of a durable run in the docs translates, asks, and answers', async () => {
  const models = scriptedModels(({ prompt }) => `FR ${String(prompt).replace('Into French: ', '')}`);
  const plugin = await startPlugin(await documentedPlugin(), { models });
  try {
    const answer = plugin.answer('translate_texts', { texts: ['one', 'two'] });
    const { runs } = plugin.host;
    const newest = async () => (await runs.list({ limit: 1 })).runs[0]?.status;
    await expect.poll(newest, { timeout: 20_000 }).toBe('waiting');
    const [run] = (await runs.list({ limit: 1 })).runs;
    expect(run).toMatchObject({
      kind: 'translate_texts',
      title: 'Translate 2 texts',
      budget: { cap: { costUsd: 0.5 } },
    });
    const asked = await runs.answer(String(run?.id), { action: 'accept' });
    expect(asked.message).toBe('Publish 2 texts?');
    expect(await answer).toEqual({
      runId: run?.id,
      texts: ['FR one', 'FR two'],
      isPublished: true,
      usage: { calls: 2, inputTokens: 20, outputTokens: 10, costUsd: 0.002 },
      tookMs: expect.any(Number),
    });
    expect(models.requests).toHaveLength(2);
    expect(await plugin.resume(String(run?.id))).toEqual(await answer);
  } finally {
    await plugin.stop();
  }
});
