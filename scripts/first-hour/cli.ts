import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { modelEndpoint } from '@nexus/testing';
import { execa } from 'execa';
import { ownEnvironment } from '../workspace/own-environment.ts';
import { readArguments } from '../workspace/read-arguments.ts';

const HELP = `Does what docs/first-hour.md says, as a newcomer does, and writes down how long each part took.

  pnpm first-hour          from a clone of this checkout's last commit to a packed plugin
  pnpm first-hour --keep   leaves the clone and the project to look at

Packages come from npm's registry or its cache; the model is scripted, on this machine.
`;

const { values } = readArguments(HELP, { options: { keep: { type: 'boolean', default: false } } });
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const base = await realpath(await mkdtemp(join(tmpdir(), 'nexus-first-hour-')));
const [clone, project, home, prefix] = ['nexus', 'project', 'home', 'installed'].map((name) =>
  join(base, name),
) as [string, string, string, string];

/** A planner with one step, its expert, and whoever else asks. */
await using model = await modelEndpoint(({ body }) => {
  const isPlanner = JSON.stringify(body).includes('You plan the work of a team');
  const plan = {
    steps: [{ id: 'look', expert: 'code', title: 'Find it', task: 'Find where the greeting is made.' }],
  };
  return { text: isPlanner ? JSON.stringify(plan) : 'greet.js:1 makes it, and nobody calls it yet.' };
});
const own = ownEnvironment(checkout, process.env);
const env = {
  ...own,
  PATH: [join(prefix, 'bin'), own.PATH].join(delimiter),
  HOME: home,
  // What npm has fetched before is not fetched again: the minutes are those of work, not of the line.
  npm_config_cache: (await execa('npm', ['config', 'get', 'cache'])).stdout,
  npm_config_prefer_offline: 'true',
  ANTHROPIC_API_KEY: 'sk-ant-test',
  ANTHROPIC_BASE_URL: model.url,
};
const parts: { readonly what: string; readonly ms: number }[] = [];

try {
  await Promise.all([project, home, prefix].map((folder) => mkdir(folder)));
  await part('clone', async () => {
    await run(base, 'git', 'clone', '--quiet', checkout, clone);
  });
  await part('install what it needs, build and pack it', async () => {
    await run(clone, 'npx', '-y', 'pnpm@12', 'pack:app');
  });
  await part('install the command', async () => {
    const { version } = JSON.parse(await readFile(join(clone, 'apps/nexus/package.json'), 'utf8'));
    await run(
      base,
      'npm',
      'install',
      '--global',
      '--prefix',
      prefix,
      join(clone, `nexus-mcp-${version}.tgz`),
    );
  });
  await part('five servers behind one, each tried', async () => {
    const page = await readFile(join(clone, 'docs/first-hour.md'), 'utf8');
    const [, small = ''] = /```sh\n(mkdir[\s\S]*?)```/.exec(page) ?? [];
    const [, config = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    await run(project, 'sh', '-ec', small);
    await writeFile(join(project, 'nexus.config.json'), config);
    await run(project, 'nexus', 'trust', '--yes');
    says(await run(project, 'nexus', 'toolbox', 'test'), /^5 of 5 servers are well\.$/m);
    says(await run(project, 'nexus', 'find', 'create', 'entities'), /create_entities/);
    const said = 'arguments={"message":"hi"}';
    says(await run(project, 'nexus', 'call', 'use_tool', 'toolbox=mine', 'tool=echo', said), /hi/);
  });
  await part('hosts: what to paste, and whether all is well', async () => {
    says(await run(project, 'nexus', 'init'), /claude mcp add nexus/);
    says(await run(project, 'nexus', 'doctor'), /Nothing fails|All is well/);
  });
  await part('a first result of a team of experts', async () => {
    const asked = 'Where is the greeting made, and who calls it?';
    says(await run(project, 'nexus', 'run', 'orchestrate', asked), /greet\.js:1 makes it/);
    says(await run(project, 'nexus', 'runs'), /completed/);
  });
  await part('a plugin, packed, installed and called', async () => {
    await run(
      clone,
      'npx',
      '-y',
      'pnpm@12',
      '--dir',
      'packages/plugin-sdk',
      'pack',
      '--pack-destination',
      '../..',
    );
    await run(clone, 'npm', 'pack', './examples/word-count-plugin');
    await cp(join(clone, 'nexus-plugin-sdk-0.1.0.tgz'), join(project, 'nexus-plugin-sdk-0.1.0.tgz'));
    await run(
      project,
      'npm',
      'install',
      './nexus-plugin-sdk-0.1.0.tgz',
      join(clone, 'nexus-plugin-word-count-0.1.0.tgz'),
    );
    await run(project, 'nexus', 'add', 'nexus-plugin-word-count');
    says(await run(project, 'nexus', 'call', 'word_count', 'file=README.md'), /"words": ?6/);
  });
  await part('uninstall', async () => {
    says(await run(project, 'nexus', 'uninstall', '--all', '--yes'), /taken away/);
  });
} finally {
  process.stdout.write(`${table()}\n`);
  if (values.keep) process.stdout.write(`Left in ${base}\n`);
  else await rm(base, { recursive: true, force: true, maxRetries: 5 });
}

async function part(what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  parts.push({ what, ms: performance.now() - startedAt });
  process.stderr.write(`${what}: ${minutes(performance.now() - startedAt)} min\n`);
}

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { all = '', exitCode } = await execa(command, args, {
    cwd,
    env,
    extendEnv: false,
    all: true,
    reject: false,
    stdin: 'ignore',
  });
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${exitCode}:\n${all}`);
  return all;
}

function says(text: string, what: RegExp): void {
  if (!what.test(text)) throw new Error(`${what} is not in:\n${text}`);
}

function table(): string {
  const sum = parts.reduce((ms, each) => ms + each.ms, 0);
  return [
    ...['| Part | Minutes |', '| --- | ---: |'],
    ...parts.map(({ what, ms }) => `| ${what} | ${minutes(ms)} |`),
    `| all of it | ${minutes(sum)} |`,
  ].join('\n');
}

function minutes(ms: number): string {
  return (ms / 60_000).toFixed(1);
}
