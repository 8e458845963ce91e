import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hosts } from '../hosts/hosts.ts';
import { appDir } from '../version.ts';
import type { Command } from './command.ts';

const FILE_NAME = 'nexus.config.json';
const schemaFile = new URL('nexus.config.schema.json', appDir);

export const init: Command = {
  usage: 'init',
  summary: 'write a config here, and print what to paste into each host',
  options: [{ flags: '--no-config', description: 'only print what to paste' }],
  examples: ['init', 'init --no-config'],
  async run(_args, options) {
    if (options.config !== false) writeConfig(resolve(FILE_NAME));
    const bin = fileURLToPath(new URL('bin/nexus.js', appDir));
    for (const { name, where, snippet } of hosts) {
      process.stdout.write(`\n${name} (${where}):\n\n${snippet(bin)}\n`);
    }
    process.stdout.write(
      [
        '',
        'Servers that a host has already become a toolbox by `nexus import claude-code`, or claude-desktop, cursor, vscode.',
        'Then `nexus doctor` checks that it works.',
        '',
      ].join('\n'),
    );
    return 0;
  },
};

function writeConfig(file: string): void {
  if (existsSync(file)) {
    process.stdout.write(`${file} is there already and stays as it is.\n`);
    return;
  }
  const config = {
    $schema: schemaFile.href,
    server: { name: 'nexus' },
    toolboxes: {},
    plugins: [],
    tools: {},
  };
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { flag: 'wx' });
  process.stdout.write(`Wrote ${file}.\n`);
}
