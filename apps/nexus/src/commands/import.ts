import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redactSettings } from '@nexus/untrusted/secrets';
import { tellServer } from '../client/tell-server.ts';
import { type AddedServers, addServers, existingServers } from '../config/add-servers.ts';
import { formatOf, openDocument } from '../config/config-document.ts';
import { ExpansionError, expandVariables } from '../config/expansion/index.ts';
import { toolboxFaults } from '../config/toolbox-faults.ts';
import { writeConfig } from '../config/write-config.ts';
import { type HostProject, hostEntries } from '../hosts/hosts.ts';
import { type ImportableHost, importableHosts } from '../hosts/import/host-files.ts';
import { type ImportPlan, planImport } from '../hosts/import/plan-import.ts';
import { backupOf, replaceEntries, undoReplacement } from '../hosts/import/replace-entries.ts';
import { nodeCommand } from '../hosts/node-command.ts';
import { targetConfig } from '../loaded-config/target-config.ts';
import { commandOnThisMachine } from '../server/host-config.ts';
import { confirm } from '../terminal/confirm.ts';
import { fail, print } from '../terminal/output.ts';
import { shownParts } from '../trust/shown-parts.ts';
import { trustWritten } from '../trust/trust-written.ts';
import { appDir } from '../version.ts';
import { type Command, configOption, type Options, text } from './command.ts';

export const importServers: Command = {
  usage: 'import <host>',
  summary: `turn the servers of ${Object.keys(importableHosts).join(', ')} or a file into a toolbox`,
  options: [
    { flags: '--toolbox <name>', description: 'the toolbox that they become (default: the host’s name)' },
    { flags: '--each', description: 'a toolbox for each server, named after it' },
    { flags: '--dry-run', description: 'only show what would be written' },
    { flags: '--force', description: 'replace servers of the same name that have other settings' },
    {
      flags: '--replace',
      description: 'also put Nexus in their place in the host’s own file, with a backup beside it',
    },
    { flags: '--undo', description: 'put the host’s own file back as it was before --replace' },
    { flags: '--yes', description: 'replace without a question' },
    configOption,
  ],
  examples: [
    'import claude-desktop',
    'import claude-desktop --replace',
    'import claude-desktop --undo',
    'import vscode --toolbox dev --dry-run',
    'import ./team-servers.json --toolbox team',
  ],
  async run([host], options) {
    const target = targetConfig(text(options, 'config'));
    const source = sourceOf(String(host));
    const machine = {
      platform: process.platform,
      home: homedir(),
      env: process.env,
      projectRoot: target.projectRoot,
    };
    const files = source.files(machine);
    if (options.undo === true) return undo(files);
    const into = text(options, 'toolbox') ?? source.toolbox;
    const toolboxOf = (server: string) => (options.each === true ? server : into);
    const before = existsSync(target.file) ? readFileSync(target.file, 'utf8') : '';
    const config: unknown = openDocument(before, formatOf(target.file)).toJS();
    const plan = await planImport(files, machine, {
      text: before,
      before: (server) => existingServers(config, toolboxOf(server))[server],
    });
    if (plan.files.length === 0)
      return fail(`${source.title} keeps no servers here; looked for ${files.join(', ')}`);
    const count = Object.keys(plan.servers).length;
    print([
      `Read ${plan.files.join(', ')}: ${count} ${count === 1 ? 'server' : 'servers'}.`,
      ...plan.notes.map(indent),
    ]);
    if (count === 0) return 0;
    const toolboxes = groupBy(plan.servers, toolboxOf);
    const [fault] = toolboxFaults(mapValues(toolboxes, () => ({ mcpServers: {} })));
    if (fault) return fail(`a toolbox can't be named "${fault.path}": ${fault.message}; --toolbox names it`);
    let after = before;
    const results = Object.entries(toolboxes).map(([toolbox, servers]) => {
      const result = addServers(after, formatOf(target.file), {
        toolbox,
        description: `From ${source.title}: ${Object.keys(servers).join(', ')}`,
        servers,
        onConflict: options.force === true ? 'replace' : 'keep',
      });
      after = result.text;
      return { toolbox, ...result };
    });
    const isDryRun = options.dryRun === true;
    if (isDryRun) print([`Would be added to ${target.file}:`, JSON.stringify(shown(toolboxes), null, 2)]);
    else if (after !== before) writeConfig(target.file, after);
    const isReplacing = options.replace === true && !isDryRun;
    const toDo = (given: readonly string[]) => [
      ...variablesToSet(plan, given),
      '',
      ...nextSteps(results, {
        isDryRun,
        onlyThere: missingVariables(plan.servers).filter((name) => given.includes(name)),
      }),
    ];
    print([...report({ results, file: target.file }, isDryRun), ...(isReplacing ? [] : toDo([]))]);
    if (!isDryRun) await trustAdded(target.file, results);
    if (isReplacing) {
      const names = results.flatMap(({ added, replaced, unchanged }) => [
        ...added,
        ...replaced,
        ...unchanged,
      ]);
      const project = { root: target.projectRoot, configFile: target.file };
      const replaced = await replace({ host: String(host), plan, names, project }, options);
      print(toDo(typeof replaced === 'number' ? [] : replaced));
      if (typeof replaced === 'number') return replaced;
    }
    return results.some(({ kept }) => kept.length > 0) ? 1 : 0;
  },
};

interface Replaced {
  readonly host: string;
  readonly plan: ImportPlan;
  readonly names: readonly string[];
  readonly project: HostProject;
}

/**
 * Puts Nexus in the place of the servers that it has now, once the person agrees.
 * @returns the variables that its entry has now; or an exit code
 */
async function replace(
  { host, plan, names, project }: Replaced,
  options: Options,
): Promise<readonly string[] | number> {
  const files = plan.files.join(', ');
  if (options.yes !== true) {
    if (!process.stdin.isTTY) return fail(`${files} stays as it is; --yes replaces without a question`);
    const question = `Replace ${names.join(', ')} in ${files} by Nexus? The file as it is stays beside it.`;
    if ((await confirm(question)) !== true) return fail(`${files} stays as it is`);
  }
  const bin = fileURLToPath(new URL('bin/nexus.js', appDir));
  const entryOf = isHost(host) ? hostEntries[host] : hostEntries['claude-code'];
  const entry = entryOf(commandOnThisMachine(nodeCommand(), bin), project);
  const allGiven = plan.files.flatMap((file) => {
    const replacement = { names, projectRoot: project.root, entry, values: plan.values };
    const { removed, given } = replaceEntries(file, replacement);
    if (removed.length > 0)
      print([`${file}: Nexus in the place of ${removed.join(', ')}; as it was: ${backupOf(file)}`]);
    if (given.length > 0)
      print([indent(`Its entry there has the values of ${given.join(', ')} from the file.`)]);
    return given;
  });
  print([`Restart the host. \`nexus import ${host} --undo\` puts its file back.`]);
  return allGiven;
}

function isHost(host: string): host is keyof typeof hostEntries {
  return Object.hasOwn(hostEntries, host);
}

function undo(files: readonly string[]): number {
  const undone = files.filter(undoReplacement);
  if (undone.length === 0) return fail(`nothing was replaced in ${files.join(', ')}`);
  return print(undone.map((file) => `${file} is as it was before. Restart the host.`));
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

type Servers = ImportPlan['servers'];

function groupBy(servers: Servers, toolboxOf: (server: string) => string): Record<string, Servers> {
  const groups: Record<string, Record<string, Servers[string]>> = {};
  for (const [name, server] of Object.entries(servers)) {
    groups[toolboxOf(name)] = { ...groups[toolboxOf(name)], [name]: server };
  }
  return groups;
}

function mapValues<Before, After>(
  record: Readonly<Record<string, Before>>,
  map: (value: Before) => After,
): Record<string, After> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

function shown(toolboxes: Readonly<Record<string, Servers>>): unknown {
  return { toolboxes: mapValues(toolboxes, (servers) => ({ mcpServers: redactSettings(servers) })) };
}

type Result = AddedServers & { readonly toolbox: string };

/** What was asked for by name needs no further word; its commands are shown, since a repository may have named them. */
async function trustAdded(file: string, results: readonly Result[]): Promise<void> {
  const names = new Set(
    results.flatMap(({ toolbox, isNewToolbox, added, replaced }) => [
      ...[...added, ...replaced].map((server) =>
        JSON.stringify(['toolboxes', toolbox, 'mcpServers', server]),
      ),
      ...(isNewToolbox ? [JSON.stringify(['toolboxes', toolbox, 'description'])] : []),
    ]),
  );
  if (names.size === 0) return;
  const parts = await trustWritten(file, ({ path }) => names.has(JSON.stringify(path)));
  print(['', 'Trusted, until one of these changes:', ...shownParts(parts, {}).map(indent)]);
  await tellServer();
}

function report(
  { results, file }: { readonly results: readonly Result[]; readonly file: string },
  isDryRun: boolean,
): string[] {
  return results.flatMap((result) => reportToolbox(result, { file, isDryRun }));
}

/** @param given what Nexus's entry in the host's file has already */
function variablesToSet(plan: ImportPlan, given: readonly string[]): string[] {
  const reasons = new Map(plan.variables.map(({ name, reason }) => [name, reason]));
  const missing = missingVariables(plan.servers).filter((name) => !given.includes(name));
  if (missing.length === 0) return [];
  return [
    '',
    'Set these variables where Nexus is started, such as in the host’s `env` for it; a server that lacks one is left out:',
    ...missing.map((name) => indent(`${name}  ${reasons.get(name) ?? 'as the host’s own file has it'}`)),
    'Their values were not copied.',
  ];
}

/** @param onlyThere variables that Nexus's entry in the host's file has, and this shell has not */
function nextSteps(
  results: readonly Result[],
  { isDryRun, onlyThere }: { readonly isDryRun: boolean; readonly onlyThere: readonly string[] },
): string[] {
  if (isDryRun) return ['Nothing was written.'];
  const inShell =
    onlyThere.length === 0
      ? []
      : [
          `This shell does not have ${onlyThere.join(', ')}: set ${onlyThere.length === 1 ? 'it' : 'them'} here too before you test; the host’s file has ${onlyThere.length === 1 ? 'the value' : 'the values'}.`,
        ];
  const toolboxes = results.map(({ toolbox }) => quote(toolbox));
  const test = `nexus toolbox test${toolboxes.length === 1 ? ` ${toolboxes[0]}` : ''}`;
  return [...inShell, `Next: \`nexus doctor\`, then \`${test}\`.`];
}

function reportToolbox(
  { toolbox, added, replaced, unchanged, kept }: Result,
  { file, isDryRun }: { file: string; isDryRun: boolean },
): string[] {
  const say = (names: readonly string[], what: string) =>
    names.length > 0 ? [`${what}: ${names.join(', ')}.`] : [];
  const wrote = added.length + replaced.length > 0 && !isDryRun;
  return [
    ...(wrote ? [`Toolbox ${toolbox} in ${file}:`] : []),
    ...say(added, isDryRun ? 'Would be added' : 'Added'),
    ...say(replaced, isDryRun ? 'Would be replaced' : 'Replaced'),
    ...say(unchanged, 'There already, with the same settings'),
    ...say(kept, 'Not touched, since it is there with other settings (--force replaces it)'),
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
