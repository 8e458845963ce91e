import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../../apps/nexus/src/loaded-config/load-config.ts';
import type { GrowthRow } from '../row.ts';

export const configFaults: GrowthRow = {
  name: 'config-faults',
  what: 'Faults in a config: until they are told',
  method:
    'A config of so many faults, a wrong value and an unknown key in each toolbox; CPU time from reading the file to the error that names them and where they stand.',
  unit: 'ms',
  sizes: [880, 2_900, 8_800],
  smallSizes: [300, 900, 2_700],
  atMost: 3_000,
  async measure(size) {
    const folder = mkdtempSync(join(tmpdir(), 'nexus-growth-'));
    try {
      const config = join(folder, 'nexus.config.json');
      writeFileSync(config, JSON.stringify(faulty(size), null, 2));
      const from = process.cpuUsage();
      const told = await loadConfig({ config, cwd: folder, env: { NEXUS_TRUST: 'all' } }).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
      const { user, system } = process.cpuUsage(from);
      if (!told.includes(`${size} faults`))
        throw new Error(`${size} faults were told as: ${told.slice(0, 500)}`);
      return (user + system) / 1_000;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function faulty(faults: number) {
  return {
    toolboxes: Object.fromEntries(
      Array.from({ length: faults / 2 }, (_, at) => [
        `box-${at}`,
        { mcpServers: { only: { command: 'node', comand: 'node', timeoutMs: 'soon' } } },
      ]),
    ),
  };
}
