import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { PATIENCE } from '../harness/expert-kill.ts';
import { rowsOf } from '../harness/run-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

/** Of a host that gives up after 6 s: Nexus answers it after 4. */
const env = { NEXUS_CLIENT_TIMEOUT_MS: '6000' };
const EACH = 11;
const APART_MS = 15;

const tools = [
  { name: 'look', description: 'Looks.', annotations: { readOnlyHint: true } },
  { name: 'change', description: 'Changes.', annotations: { readOnlyHint: false } },
];

verifiesApp(
  'job.late',
  'ends each of 22 calls of a toolbox’s tools whose server is killed around their hand-over, and makes none twice that may not be',
  async () => {
    await using project = await shareProject({ config: {} });
    const hangFile = project.path('asked');
    const it = fakeServer({ hostileTools: tools, hang: 'tools/call', hangFile });
    const toolboxes = { box: { description: 'One server.', mcpServers: { it } } };
    writeFileSync(project.path('nexus.config.json'), JSON.stringify({ toolboxes }));
    writeFileSync(hangFile, '');
    const owner = await project.host({ env });
    await owner.session.call('open_toolbox', { toolbox: 'box' });
    // Goes on with what the owner leaves, and has opened nothing.
    const next = await project.host();
    const asked = () => readFileSync(hangFile, 'utf8').split('\n').slice(0, -1);
    for (let count = 0; count < EACH; count += 1) {
      for (const { name } of tools) {
        owner.session.call(`box__it__${name}`, { count }).catch(() => {});
        await sleep(APART_MS);
      }
    }
    await vi.waitFor(() => expect(asked()).toHaveLength(2 * EACH), PATIENCE);
    const read = rowsOf(project);
    const jobs = () =>
      read("select title, status, error from runs_runs where title like 'box%' order by title");
    // Some are jobs by then, some are about to be, some are not yet.
    await vi.waitFor(async () => expect((await jobs()).length).toBeGreaterThan(EACH), PATIENCE);
    owner.child.kill('SIGKILL');
    rmSync(hangFile);
    await owner.exit();
    await vi.waitFor(async () => {
      for (const { title, status, error } of await jobs()) {
        const isLook = String(title).endsWith('look');
        expect({ title, status }).toEqual({ title, status: isLook ? 'completed' : 'failed' });
        if (!isLook) expect(error).toContain('NEXUS_OUTCOME_UNKNOWN');
      }
    }, PATIENCE);
    const { result } = await next.session.call('list_jobs', { status: 'queued' });
    expect(result.structuredContent.total).toBe(0);
  },
);
