import { mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PluginTestOptions, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import bus from './index.ts';

let scratch: string;
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-bus-')));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const folder = (name: string) => mkdtempSync(join(scratch, name));

async function submit(place: PluginTestOptions, title: string): Promise<void> {
  const plugin = await startPlugin(bus, place);
  await plugin.answer('submit_task', { title, payload: null });
  await plugin.stop();
}

async function queued(place: PluginTestOptions): Promise<number> {
  const plugin = await startPlugin(bus, place);
  const { tasks } = await plugin.answer<{ tasks: { queued: number } }>('bus_status');
  await plugin.stop();
  return tasks.queued;
}

describe('the bus of a data directory', () => {
  it('is still the project’s after its folder moved', async () => {
    const [before, after, dataDir] = [folder('before'), join(scratch, 'after'), folder('data')];
    await submit({ projectRoot: before, dataDir }, 'work');
    renameSync(before, after);
    expect(await queued({ projectRoot: after, dataDir })).toBe(1);
  });

  it('is each folder’s own where two share it', async () => {
    const [one, other, dataDir] = [folder('one'), folder('other'), folder('data')];
    await submit({ projectRoot: one, dataDir }, 'work');
    expect(await queued({ projectRoot: other, dataDir })).toBe(0);
  });
});

const databaseUrl = process.env.NEXUS_TEST_DATABASE_URL;

describe.skipIf(databaseUrl === undefined)('the bus of a project on Postgres', () => {
  const place = (projectId: string, name: string, options = {}): PluginTestOptions => ({
    databaseUrl: databaseUrl ?? '',
    projectId,
    projectRoot: folder(name),
    options,
  });

  it('is one, whatever its folder is called on each machine', async () => {
    await submit(place('bus-name/one', 'api'), 'work');
    expect(await queued(place('bus-name/one', 'checkout'))).toBe(1);
    expect(await queued(place('bus-name/other', 'api'))).toBe(0);
  });

  it('keeps the folder’s name that it had before', async () => {
    await submit(place('bus-name/old', 'api', { name: 'api' }), 'work');
    expect(await queued(place('bus-name/old', 'checkout'))).toBe(1);
  });
});
