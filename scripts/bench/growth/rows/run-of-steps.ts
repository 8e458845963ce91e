import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { longestStretch } from '../../cpu.ts';
import type { StdioServer } from '../../servers.ts';
import { bin, makeScratch } from '../../subjects.ts';
import { call } from '../call.ts';
import type { GrowthRow } from '../row.ts';

const plugin = fileURLToPath(new URL('../../fixtures/steps-run-plugin.mjs', import.meta.url));

export const runOfSteps: GrowthRow = {
  name: 'run-of-steps',
  what: 'Steps of a run: what a host waits while the run is read',
  method:
    'A run of so many steps that has ended. While `nexus runs <id> --json` reads all of it, a host of the same server pings all the time; the most that the server’s thread worked between two answers to it.',
  unit: 'ms',
  sizes: [1_000, 3_000, 10_000],
  smallSizes: [100, 300, 1_000],
  atMost: 100,
  async measure(size) {
    using scratch = makeScratch({ plugins: [plugin] });
    const host = await scratch.startShared();
    try {
      const { structuredContent } = await call(host, 'walk', { steps: size });
      const { runId } = structuredContent as { readonly runId: string };
      await untilEnded(host, runId);
      const { projectDir: cwd } = scratch;
      const env = { NEXUS_DATA_DIR: `${cwd}/.data`, NEXUS_RUNTIME_DIR: cwd, NEXUS_TRUST: 'all' };
      return await longestStretch(host, async () => {
        const { stdout } = await execa(process.execPath, [bin, 'runs', runId, '--json'], { cwd, env });
        const { steps } = JSON.parse(stdout) as { readonly steps: readonly unknown[] };
        if (steps.length !== size) throw new Error(`${steps.length} of ${size} steps were shown`);
      });
    } finally {
      await host.stop();
    }
  },
};

async function untilEnded(host: StdioServer, runId: string): Promise<void> {
  for (;;) {
    const { contents } = await host.request('resources/read', { uri: `nexus://runs/${runId}` });
    const [{ text }] = contents as [{ readonly text: string }];
    const { status } = JSON.parse(text) as { readonly status: string };
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(text.slice(0, 1_000));
    await sleep(200);
  }
}
