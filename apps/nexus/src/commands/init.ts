import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HostProject, type HostSetup, hosts } from '../hosts/hosts.ts';
import { nodeCommand } from '../hosts/node-command.ts';
import { targetConfig } from '../loaded-config/target-config.ts';
import { commandOnThisMachine, type HostCommand } from '../server/host-config.ts';
import { shown as shownOn } from '../terminal/shown.ts';
import { outputColumns } from '../terminal/window-size.ts';
import { wrap } from '../terminal/wrap.ts';
import { trustWritten } from '../trust/trust-written.ts';
import { appDir } from '../version.ts';
import type { Command } from './command.ts';

/** Sentences are no wider than reads well; what is pasted stays as it is, in any window. */
const COLUMNS = 100;
const FILE_NAME = 'nexus.config.json';
const schemaFile = new URL('nexus.config.schema.json', appDir);

export const init: Command = {
  usage: 'init',
  summary: 'write a config here, and print what to paste into each host',
  options: [{ flags: '--no-config', description: 'only print what to paste' }],
  examples: ['init', 'init --no-config'],
  async run(_args, options) {
    if (options.config !== false) await writeNewConfig();
    const start = commandOnThisMachine(nodeCommand(), fileURLToPath(new URL('bin/nexus.js', appDir)));
    const project = options.config === false ? projectOrExample() : here();
    for (const host of hosts) process.stdout.write(shown(host, start, project));
    process.stdout.write(
      told(
        '',
        'Servers that a host has already become a toolbox by `nexus import claude-code`, or claude-desktop, cursor, vscode.',
        'Then `nexus doctor` checks that it works.',
      ),
    );
    return 0;
  },
};

function shown(host: HostSetup, start: HostCommand, project: HostProject): string {
  const columns = Math.min(COLUMNS, outputColumns() ?? COLUMNS);
  const needs = host.needs === undefined ? '' : `\n${wrap(host.needs, columns).join('\n')}\n`;
  return `${told('', `${host.name} (${host.where}):`, '')}${host.snippet(start, project)}\n${needs}`;
}

/** Lines, on a terminal broken between words. */
function told(...lines: readonly string[]): string {
  return shownOn(lines.map((line) => `${line}\n`).join(''), process.stdout);
}

function here(): HostProject {
  const { file, projectRoot } = targetConfig(undefined);
  return { root: projectRoot, configFile: file };
}

/** Where there is no project to name, what to paste names one that is put in by hand. */
function projectOrExample(): HostProject {
  try {
    return here();
  } catch {
    return { root: '/path/to/project', configFile: '/path/to/project/nexus.config.json' };
  }
}

async function writeNewConfig(): Promise<void> {
  const { file } = targetConfig(undefined);
  const here = resolve(FILE_NAME);
  if (existsSync(file)) {
    const what =
      dirname(file) === dirname(here) ? 'stays as it is' : 'holds here, too, so no other is written';
    process.stdout.write(told(`${file} is there already and ${what}.`));
    return;
  }
  // Nothing of this machine stands in it, so that it can be committed.
  const config = { server: { name: 'nexus' }, toolboxes: {}, plugins: [], tools: {} };
  writeFileSync(here, `${JSON.stringify(config, null, 2)}\n`, { flag: 'wx' });
  await trustWritten(here, () => true);
  process.stdout.write(told(`Wrote ${here}. Its JSON Schema, for editors: ${fileURLToPath(schemaFile)}`));
}
