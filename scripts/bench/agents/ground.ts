import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { fetchPackage } from '../../quality/fetch-package.ts';
import { referenceServer } from '../reference-servers.ts';
import { knowledge } from './knowledge.ts';

/** A library of some 250 source files that ships them: RxJS, under the Apache licence. */
const REPOSITORY = {
  name: 'rxjs',
  version: '7.8.2',
  integrity:
    'sha512-dhKf903U/PQZY6boNNtAGdWbG85WAbjT/1xYoZIC7FAY0yWapOBQVsVrDl58W86//e1VpMNBtRV4MaXfdMySFA==',
} as const;
const SHIPPED = ['src', 'package.json', 'README.md', 'CODE_OF_CONDUCT.md'];

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/agents/${name}`, import.meta.url));

/** A repository to work on, and the servers that both ways reach. */
export interface Ground extends Disposable {
  readonly folder: string;
  /** Of the shell: ripgrep and a client for MCP servers are on its PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Lines of source files that have a name as a word, without what stands around them: `export`, a brace, a semicolon. */
  linesWith(name: string): readonly string[];
}

export async function makeGround(): Promise<Ground> {
  const shipped = await fetchPackage(REPOSITORY);
  const folder = mkdtempSync(join(tmpdir(), 'nexus-agents-'));
  for (const name of SHIPPED) cpSync(join(shipped, name), join(folder, name), { recursive: true });
  commitAll(folder);
  const outside = mkdtempSync(join(tmpdir(), 'nexus-agents-beside-'));
  const graphFile = join(outside, 'graph.jsonl');
  writeFileSync(
    graphFile,
    knowledge()
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  const servers = serversFor(folder, graphFile);
  writeFileSync(join(outside, 'nexus.config.json'), JSON.stringify(configFor(servers)));
  const commands = join(outside, 'bin');
  mkdirSync(commands);
  writeFileSync(join(outside, 'servers.json'), JSON.stringify(servers));
  const client = `#!/bin/sh\nexec "${process.execPath}" "${fixture('mcp.mjs')}" "${join(outside, 'servers.json')}" "$@"\n`;
  writeFileSync(join(commands, 'mcp'), client, { mode: 0o755 });
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  return {
    folder,
    env: {
      PATH: [commands, dirname(rgPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: outside,
      LANG: 'C.UTF-8',
      NEXUS_CONFIG: join(outside, 'nexus.config.json'),
      NEXUS_DATA_DIR: join(outside, 'data'),
      NEXUS_RUNTIME_DIR: outside,
      NEXUS_TRUST: 'all',
    },
    linesWith(name) {
      const word = new RegExp(`\\b${name}\\b`);
      const texts = sources.filter((path) => path.endsWith('.ts')).map((path) => read(`src/${path}`));
      const lines = texts.flatMap((text) => text.split('\n')).filter((line) => word.test(line));
      return lines.map((line) => line.trim().replace(/^export (?!\{)|\s*[{;]$/g, ''));
    },
    [Symbol.dispose]() {
      for (const each of [folder, outside]) rmSync(each, { recursive: true, force: true });
    },
  };
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

type Servers = Readonly<Record<string, Program>>;

function serversFor(folder: string, graphFile: string): Servers {
  const node = (...args: string[]) => ({ command: process.execPath, args });
  return {
    tracker: node(fixture('tracker.mjs')),
    files: node(referenceServer('filesystem'), folder),
    graph: { ...node(referenceServer('memory')), env: { MEMORY_FILE_PATH: graphFile } },
    demo: node(referenceServer('everything')),
  };
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  tracker: 'Issues, orders and search of the team.',
  files: 'Files and folders of the project.',
  graph: 'A knowledge graph of services and who owns them.',
  demo: 'Every feature of MCP, to try things out.',
};

function configFor(servers: Servers): object {
  const toolboxes = Object.entries(servers).map(([name, server]) => [
    name,
    { description: DESCRIPTIONS[name], mcpServers: { [name]: server } },
  ]);
  return {
    toolboxes: Object.fromEntries(toolboxes),
    limits: { callsPerSecond: 10_000, burst: 100_000 },
  };
}

/** Two commits, by a clock that stands, so that every run has the same. */
function commitAll(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false', ...args], {
      cwd: folder,
      env: {
        ...{ PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
        ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' },
        ...{ GIT_AUTHOR_DATE: '2026-01-05T10:00:00Z', GIT_COMMITTER_DATE: '2026-01-05T10:00:00Z' },
      },
      stdio: 'pipe',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Take over the sources as they were shipped');
  for (const [path, from, to] of CHANGES) {
    const file = join(folder, path);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    writeFileSync(file, text.replace(from, to));
    git('commit', '--quiet', '--all', '--message', `Say more in ${path}`);
  }
}

const CHANGES = [
  ['src/internal/util/arrRemove.ts', 'Removes an item', 'Removes one item, where it is there,'],
  ['src/internal/util/noop.ts', 'noop() { }', 'noop(): void { }'],
] as const;
