import { longestStretch } from '../../cpu.ts';
import { makeScratch } from '../../subjects.ts';
import { call } from '../call.ts';
import type { GrowthRow } from '../row.ts';

const sizes = [600, 2_000, 6_000] as const;
const smallSizes = [100, 300, 900] as const;

/** Toolboxes of one server each; every fourth one has a variable of the host in it. */
function manyToolboxes(count: number) {
  return {
    toolboxes: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `box-${at}`,
        {
          description: `What department ${at} uses.`,
          mcpServers: { only: { command: at % 4 === 0 ? `\${HOME:-}/server-${at}` : `server-${at}` } },
        },
      ]),
    ),
  };
}

/** What a host waits for while another one does something, in a project of this many toolboxes. */
async function waitDuring(size: number, what: 'join' | 'list'): Promise<number> {
  using scratch = makeScratch(manyToolboxes(size));
  const first = await scratch.startShared();
  try {
    await call(first, 'list_toolboxes');
    return await longestStretch(first, async () => {
      const second = await scratch.startShared();
      await second.request('tools/list');
      if (what === 'list') await call(second, 'list_toolboxes');
      await second.stop();
    });
  } finally {
    await first.stop();
  }
}

export const manyToolboxesJoin: GrowthRow = {
  name: 'many-toolboxes',
  what: 'Toolboxes in the config: what a host waits while another joins',
  method:
    'A config of so many toolboxes, every fourth with a variable of the host. While a second host joins, lists the tools and goes, the first one pings all the time; the most that the server’s thread worked between two answers to it.',
  unit: 'ms',
  sizes,
  smallSizes,
  atMost: 200,
  measure: (size) => waitDuring(size, 'join'),
};

export const manyToolboxesList: GrowthRow = {
  name: 'list-toolboxes',
  what: 'Toolboxes in the config: what a host waits while another lists them',
  method: 'The same, where the second host calls list_toolboxes, too.',
  unit: 'ms',
  sizes,
  smallSizes,
  measure: (size) => waitDuring(size, 'list'),
};
