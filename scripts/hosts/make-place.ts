import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fakeServer, type ModelEndpoint, modelEndpoint } from '@nexus/testing';
import type { Conversation } from './conversation.ts';
import type { InstalledHost } from './install-host.ts';
import type { Place, RealHost } from './real-host.ts';

const NEXUS = fileURLToPath(new URL('../../apps/nexus/bin/nexus.js', import.meta.url));
/** So that a result of some lines is cut. */
export const MAX_RESULT_CHARS = 2_000;

/** Some are programs of some hundred megabytes. */
const COMMAND_MS = 240_000;

export interface MadePlace extends Place, AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly endpoint: ModelEndpoint;
  readonly program: string;
}

/** A home, a project with a toolbox behind Nexus, and a scripted model: all that a host is given here. */
export async function makePlace(
  host: RealHost,
  installed: InstalledHost,
  conversation: Pick<Conversation, 'answer'>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<MadePlace> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'nexus-host-')));
  const home = join(base, 'home');
  const project = join(base, 'project');
  await Promise.all([home, project].map((folder) => mkdir(folder)));
  const endpoint = await modelEndpoint((seen) => conversation.answer(seen));
  const place = { home, project, modelUrl: endpoint.url };
  const env = {
    HOME: home,
    PATH: [dirname(process.execPath), dirname(installed.program), '/usr/bin', '/bin'].join(delimiter),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    ...host.env(place),
  };
  await writeIn(home, host.files(place));
  await writeIn(project, {
    'nexus.config.json': JSON.stringify({
      toolboxes: { lab: { mcpServers: { fake: fakeServer({ resources: true, picture: true }) } } },
      limits: { maxResultChars: MAX_RESULT_CHARS },
      ...config,
    }),
  });
  const made = { ...place, env, endpoint, program: installed.program };
  await nexus(made, 'trust', '--yes');
  for (const args of host.setUp?.(place) ?? []) await runIn(made, installed.program, args);
  return {
    ...made,
    async [Symbol.asyncDispose]() {
      await nexus(made, 'stop').catch(() => {}); // none runs any more, as a rule
      await endpoint[Symbol.asyncDispose]();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type Made = Omit<MadePlace, keyof AsyncDisposable>;

/** Connects a host to Nexus by what `nexus init` prints for it, with its tools allowed as it says there. */
export async function connect(host: RealHost, place: Made): Promise<void> {
  const printed = await nexus(place, 'init', '--no-config');
  const snippet = snippetOf(printed, host.name);
  if (host.takes === 'command') {
    await runIn(place, '/bin/sh', ['-c', snippet]);
    return;
  }
  const root = host.takes.of === 'home' ? place.home : place.project;
  await addTo(join(root, host.takes.file), host.allow?.(snippet) ?? snippet);
}

/** What is to be pasted under a host's heading. */
function snippetOf(printed: string, name: string): string {
  const heading = `\n${name} (`;
  const at = printed.indexOf(heading);
  if (at === -1) throw new Error(`nexus init prints nothing for ${name}`);
  const from = printed.indexOf(':\n\n', at) + 3;
  // What it needs besides is a paragraph of its own.
  return printed.slice(from).split('\n\n', 1)[0] ?? '';
}

/** JSON joins what a file has by then, TOML follows it. */
export async function addTo(file: string, snippet: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const before = await readFile(file, 'utf8').catch(() => '');
  if (!file.endsWith('.json')) return writeFile(file, `${before}\n${snippet}\n`);
  await writeFile(file, JSON.stringify({ ...JSON.parse(before || '{}'), ...JSON.parse(snippet) }));
}

export async function nexus(place: Made, ...args: string[]): Promise<string> {
  return runIn(place, process.execPath, [NEXUS, ...args]);
}

async function runIn(place: Made, command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    cwd: place.project,
    env: place.env,
    timeout: COMMAND_MS,
  });
  return stdout;
}

export async function writeIn(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    if (content.startsWith('#!')) await chmod(file, 0o755);
  }
}
