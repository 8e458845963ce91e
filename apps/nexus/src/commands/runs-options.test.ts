import { expect, it } from 'vitest';
import { runs } from './runs.ts';
import { faultOfOptions } from './runs-options.ts';

it('takes of each way to write it the options that it reads, and says of others whose they are', () => {
  expect(faultOfOptions('list', { status: 'failed', json: true, config: 'a.json' })).toBeUndefined();
  expect(faultOfOptions('list', { failed: true })).toBe(
    '--failed is no option of `nexus runs`, but of `nexus runs replay`; `nexus runs --status failed` lists those',
  );
  expect(faultOfOptions('list', { mermaid: true })).toBe(
    '--mermaid is no option of `nexus runs`, but of `nexus runs <id>`',
  );
  expect(faultOfOptions('cancel', { yes: true })).toBe(
    '--yes is no option of `nexus runs cancel <id>`, but of `nexus runs rerun <id>` and `nexus runs replay`',
  );
  expect(faultOfOptions('rerun', { dryRun: true })).toMatch(/^--dry-run is no option of/);
});

it('refuses what contradicts itself', () => {
  expect(faultOfOptions('rerun', { all: true, from: 'go' })).toBe(
    '--from and --all do not go together; write one of them',
  );
  expect(faultOfOptions('show', { mermaid: true, json: true })).toMatch(/^--mermaid and --json/);
  expect(faultOfOptions('rerun', { all: true, input: '{}' })).toBeUndefined();
});

it('knows of each option of the command by which way it is read', () => {
  const names = runs.options.map(({ flags }) => /^--([\w-]+)/.exec(flags)?.[1] ?? '');
  const keys = names.map((name) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  for (const key of keys) {
    const faults = (['list', 'show', 'answer', 'cancel', 'resume', 'rerun', 'replay'] as const).map((form) =>
      faultOfOptions(form, { [key]: true }),
    );
    expect(faults, key).toContain(undefined);
  }
});

it('says so before anything is asked', async () => {
  await expect(runs.run([[]], { failed: true })).resolves.toBe(1);
  await expect(runs.run([['rerun', 'run_0123']], { from: 'go', all: true })).resolves.toBe(1);
  await expect(runs.run([['run_0123']], { limit: '3' })).resolves.toBe(1);
  await expect(runs.run([['replay']], { mermaid: true })).resolves.toBe(1);
});
