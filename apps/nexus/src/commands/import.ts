import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { ExpansionError, expandVariables } from '@nexus/core/expansion';
import { redactSettings } from '@nexus/untrusted/secrets';
import { type AddedServers, addServers } from '../config/add-servers.ts';
import { explicitConfig, type Found, findConfig } from '../config/find.ts';
import { toolboxFaults } from '../config/toolbox-faults.ts';
import { writeConfig } from '../config/write-config.ts';
import { type ImportableHost, importableHosts } from '../hosts/import/host-files.ts';
import { type ImportPlan, planImport } from '../hosts/import/plan-import.ts';
import { type Command, configOption, type Options, text } from './command.ts';
import { fail, print } from './output.ts';

const FILE_NAME = 'nexus.config.json';

export const importServers: Command = {
  usage: 'import <host>',
  summary: `turn the servers of ${Object.keys(importableHosts).join(', ')} or a file into a toolbox`,
  options: [
    { flags: '--toolbox <name>', description: 'the toolbox they go to (default: the host’s name)' },
    { flags: '--dry-run', description: 'only show what would be written' },
    { flags: '--force', description: 'replace servers of the same name that have other settings' },
    configOption,
  ],
  examples: [
    'import claude-desktop',
    'import vscode --toolbox dev --dry-run',
    'import ./team-servers.json --toolbox team',
  ],
  async run([host], options) {
    const target = targetConfig(options);
    const source = sourceOf(String(host));
    const machine = {
      platform: process.platform,
      home: homedir(),
      env: process.env,
      projectRoot: target.projectRoot,
    };
    const files = source.files(machine);
    const plan = await planImport(files, machine);
    if (plan.files.length === 0)
      return fail(`${source.title} keeps no servers here; looked for ${files.join(', ')}`);
    const count = Object.keys(plan.servers).length;
    print([
      `Read ${plan.files.join(', ')}: ${count} ${count === 1 ? 'server' : 'servers'}.`,
      ...plan.notes.map(indent),
    ]);
    if (count === 0) return 0;
    const toolbox = text(options, 'toolbox') ?? source.toolbox;
    const [fault] = toolboxFaults({ [toolbox]: { mcpServers: {} } });
    if (fault) return fail(`the toolbox can't be named "${toolbox}": ${fault.message}; --toolbox names it`);
    const before = existsSync(target.file) ? readFileSync(target.file, 'utf8') : '';
    const result = addServers(before, /\.ya?ml$/i.test(target.file) ? 'yaml' : 'json', {
      toolbox,
      description: `From ${source.title}: ${Object.keys(plan.servers).join(', ')}`,
      servers: plan.servers,
      onConflict: options.force === true ? 'replace' : 'keep',
    });
    const isDryRun = options.dryRun === true;
    if (isDryRun)
      print([`Would be added to ${target.file}:`, JSON.stringify(shownToolbox(toolbox, plan), null, 2)]);
    else if (result.text !== before) writeConfig(target.file, result.text);
    print(report({ result, plan, toolbox, file: target.file, isDryRun }));
    return result.kept.length > 0 ? 1 : 0;
  },
};

/** The config that holds for the project, or where one is to be written. */
function targetConfig(options: Options): { file: string; projectRoot: string } {
  const cwd = process.cwd();
  const explicit = explicitConfig(text(options, 'config'), process.env);
  if (explicit && !existsSync(resolve(cwd, explicit))) {
    return {
      file: resolve(cwd, explicit),
      projectRoot: findConfig({ explicit: undefined, cwd }).projectRoot,
    };
  }
  const { configFile, projectRoot }: Found = findConfig({ explicit, cwd });
  return { file: configFile ?? join(projectRoot, FILE_NAME), projectRoot };
}

function sourceOf(host: string): ImportableHost & { readonly toolbox: string } {
  const known = Object.entries(importableHosts).find(([name]) => name === host)?.[1];
  if (known) return { ...known, toolbox: host };
  const file = resolve(host);
  if (!existsSync(file)) {
    const names = Object.keys(importableHosts).join(', ');
    throw new Error(`"${host}" is neither a file here nor a host that is known: ${names}`);
  }
  return { title: file, toolbox: basename(file, extname(file)), files: () => [file] };
}

function shownToolbox(toolbox: string, { servers }: ImportPlan): unknown {
  return { toolboxes: { [toolbox]: { mcpServers: redactSettings(servers) } } };
}

interface Report {
  readonly result: AddedServers;
  readonly plan: ImportPlan;
  readonly toolbox: string;
  readonly file: string;
  readonly isDryRun: boolean;
}

function report({ result, plan, toolbox, file, isDryRun }: Report): string[] {
  const { added, replaced, unchanged, kept } = result;
  const say = (names: readonly string[], what: string) =>
    names.length > 0 ? [`${what}: ${names.join(', ')}.`] : [];
  const wrote = added.length + replaced.length > 0 && !isDryRun;
  const reasons = new Map(plan.variables.map(({ name, reason }) => [name, reason]));
  const missing = missingVariables(plan.servers);
  return [
    ...(wrote ? [`Toolbox ${toolbox} in ${file}:`] : []),
    ...say(added, isDryRun ? 'Would be added' : 'Added'),
    ...say(replaced, isDryRun ? 'Would be replaced' : 'Replaced'),
    ...say(unchanged, 'There already, with the same settings'),
    ...say(kept, 'Not touched, since it is there with other settings (--force replaces it)'),
    ...(missing.length > 0
      ? [
          '',
          'Set these variables where Nexus is started, such as in the host’s `env` for it; without them it does not start:',
          ...missing.map((name) =>
            indent(`${name}  ${reasons.get(name) ?? 'as the host’s own file has it'}`),
          ),
          'Their values were not copied.',
        ]
      : []),
    '',
    isDryRun
      ? 'Nothing was written.'
      : `Next: \`nexus doctor\`, then \`nexus toolbox test ${quote(toolbox)}\`.`,
  ];
}

function missingVariables(servers: unknown): string[] {
  try {
    expandVariables(servers, process.env);
    return [];
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    return [...new Set(error.missing.map(({ variable }) => variable))];
  }
}

function quote(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name}'`;
}

function indent(line: string): string {
  return `  ${line}`;
}
