import { cpuOf } from '../../cpu.ts';
import type { StdioServer } from '../../servers.ts';
import { makeScratch } from '../../subjects.ts';
import { call } from '../call.ts';
import { startServers } from '../http-servers.ts';
import type { GrowthRow } from '../row.ts';

/** How many sessions have all that is open. */
const SESSIONS = 3;

const ONE_TOOL = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];

export const openToolboxes: GrowthRow = {
  name: 'open-toolboxes',
  what: 'Toolboxes open at once: opening them all',
  method: `${SESSIONS} sessions of one server each open so many toolboxes, one after the other, each with a server of its own over HTTP on loopback that says it logs; CPU time of Nexus.`,
  unit: 'ms',
  sizes: [30, 100, 300],
  smallSizes: [10, 30, 90],
  async measure(size) {
    await using servers = await startServers(() => ONE_TOOL);
    using scratch = makeScratch({
      limits: { callsPerSecond: 10_000, burst: 100_000 },
      toolboxes: Object.fromEntries(
        Array.from({ length: size }, (_, at) => [
          `box-${at}`,
          { mcpServers: { only: { url: `${servers.url}/${at}` } } },
        ]),
      ),
    });
    const owner = await scratch.startShared();
    const others: StdioServer[] = [];
    for (let at = 1; at < SESSIONS; at += 1) others.push(await scratch.startShared());
    try {
      return await cpuOf(owner.pid, async () => {
        for (let at = 0; at < size; at += 1) {
          for (const session of [owner, ...others]) {
            await call(session, 'open_toolbox', { toolbox: `box-${at}` });
          }
        }
      });
    } finally {
      for (const session of others) await session.stop();
      await owner.stop();
    }
  },
};
