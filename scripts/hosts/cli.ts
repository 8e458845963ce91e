import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments, wrongUse } from '../workspace/read-arguments.ts';
import type { Cells } from './features.ts';
import { claudeCode } from './hosts/claude-code.ts';
import { cline } from './hosts/cline.ts';
import { codex } from './hosts/codex.ts';
import { gemini } from './hosts/gemini.ts';
import { opencode } from './hosts/opencode.ts';
import { qwenCode } from './hosts/qwen-code.ts';
import { type InstalledHost, installHost } from './install-host.ts';
import { isWhole, type Tried, withTable } from './page.ts';
import type { RealHost } from './real-host.ts';
import { tryHost } from './try-host.ts';

const HOSTS: readonly RealHost[] = [claudeCode, codex, gemini, qwenCode, opencode, cline];
const PAGE = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url));
/** Outside of the repository: hosts look for settings in every folder above. */
const CACHE = join(homedir(), '.cache', 'nexus-hosts');
/** Set for the second process, which reaches nothing but this machine. */
const ALONE = 'HOSTS_ALONE';

const HELP = `Installs real hosts from npm, connects each to Nexus as \`nexus init\` says, with a scripted model on this
machine in the place of its own, and tries what a host does.

  pnpm test:hosts                    all of them, then the table in docs/hosts.md
  pnpm test:hosts codex gemini       some of them, and their columns where they were tried whole

Hosts: ${HOSTS.map(({ program }) => program).join(', ')}. One that can’t be installed is skipped by its name.

  --cache <folder>   where they are installed, once (default: ${CACHE})
`;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { cache: { type: 'string', default: CACHE } },
});
const unknown = positionals.filter((name) => !HOSTS.some(({ program }) => program === name));
if (unknown.length > 0) wrongUse(`no host ${unknown.join(', ')}`);
const chosen = HOSTS.filter(({ program }) => positionals.length === 0 || positionals.includes(program));

if (process.env[ALONE] === undefined) await installThenTry();
else await tryAll();

async function installThenTry(): Promise<void> {
  mkdirSync(values.cache, { recursive: true });
  for (const host of chosen) await install(host);
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  // A network of its own, in which there is this machine alone, and processes of its own: what a host leaves behind, as a
  // daemon, ends with the run. Where the system allows neither, only proxies are missing.
  const apart = ['unshare', '-rnp', '--fork', '--kill-child', '--mount-proc', 'sh', '-c'];
  const isUp = 'ip link set lo up';
  const canBeAlone = spawnSync('unshare', [...apart.slice(1), isUp]).status === 0;
  const [command = '', ...args] = canBeAlone ? [...apart, `${isUp} && exec "$@"`, 'sh', ...again] : again;
  const env = { ...process.env, [ALONE]: canBeAlone ? 'yes' : 'no' };
  process.exitCode = spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1;
}

async function tryAll(): Promise<void> {
  // The first process of a space of its own hears no signal that it does not listen for, Ctrl-C either.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const tried: Tried[] = [];
  for (const host of chosen) {
    const installed = await install(host);
    const cells: Cells = installed
      ? await tryHost(host, installed)
      : { lists: 'could not be installed here' };
    const row = { name: host.name, version: installed?.version ?? '', cells };
    process.stdout.write(`${JSON.stringify(row)}\n`);
    tried.push(row);
  }
  writePage(positionals.length === 0 ? tried : tried.filter(isWhole));
  // What a host is seen to lack is the table's to say; one that does not get Nexus's tools, or was not tried whole, has failed.
  if (tried.some((each) => each.version !== '' && !isWhole(each))) process.exitCode = 1;
}

async function install(host: RealHost): Promise<InstalledHost | undefined> {
  try {
    return await installHost(host, values.cache);
  } catch (error) {
    process.stderr.write(`${host.name} is skipped: ${String(error).slice(0, 300)}\n`);
    return undefined;
  }
}

function writePage(tried: readonly Tried[]): void {
  const run = { date: new Date().toISOString().slice(0, 10), nodeVersion: process.version };
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), tried, run));
}
