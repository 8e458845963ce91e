import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { repoDir } from '../harness/app.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { run } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { npmInstall, packApp, packedManifest } from '../harness/tarballs.ts';
import { verifiesApp } from '../harness/verifies.ts';

const INSTALL_MS = 240_000;

let folder: string;
let tarball: string;
/** The folder with the app installed, and nothing else. */
let installed: Project;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-packed-'));
  tarball = await packApp(folder);
  installed = await makeProject();
  await npmInstall(installed.root, [tarball]);
}, INSTALL_MS);

afterAll(async () => {
  await installed?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** With the installed command on the PATH, as a global install has it. */
function onPath(project: Project): Project {
  const path = [join(installed.root, 'node_modules/.bin'), project.env.PATH].join(delimiter);
  return { ...project, env: { ...project.env, PATH: path } };
}

verifiesApp('package.installs', 'depends on nothing of the workspace', async () => {
  const { dependencies = {}, optionalDependencies, peerDependencies } = await packedManifest(tarball);
  expect(Object.keys(dependencies).filter((name) => name.startsWith('@nexus/'))).toEqual([]);
  expect(JSON.stringify(dependencies)).not.toMatch(/workspace:|catalog:/);
  expect({ optionalDependencies, peerDependencies }).toEqual({});
});

verifiesApp('package.installs', 'checks itself, lists its tools and answers a call', async () => {
  await using project = await makeProject({ files: { 'a.ts': 'const needle = 1;\n' } });
  const doctor = await run(installed, 'npx', ['--no-install', 'nexus', 'doctor']);
  expect(doctor.stdout, doctor.stderr).toContain('Nothing fails. 1 warning: Language models.');
  const nexus = (args: readonly string[]) => run(onPath(project), 'nexus', args);
  const tools = JSON.parse((await nexus(['tools', '--json'])).stdout);
  expect(tools).toContainEqual(expect.objectContaining({ name: 'search_codebase' }));
  const call = await nexus(['call', 'search_codebase', 'query=needle']);
  expect(JSON.parse(call.stdout)).toMatchObject({ total: 1 });
  const parsed = await nexus(['call', 'extract_symbols', 'filePath=a.ts']);
  expect(JSON.parse(parsed.stdout)).toMatchObject({ symbols: [{ name: 'needle' }] });
  const listed = await nexus(['call', 'list_workflows', 'format=names']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ count: 16 });
  const ran = await nexus(['run', 'standards-review', 'files=*.ts', '--json']);
  expect(JSON.parse(ran.stdout).structuredContent).toMatchObject({ status: 'completed' });
  const written = await nexus(['call', 'memory_stats']);
  expect(written).toMatchObject({ exitCode: 0 });
});

verifiesApp('package.installs', 'writes a config, and names its schema, which is there', async () => {
  await using project = await makeProject();
  const { stdout } = await run(onPath(project), 'nexus', ['init']);
  const [, schema = ''] = /^Wrote .*JSON Schema, for editors: (.+)$/m.exec(stdout) ?? [];
  expect(existsSync(schema), stdout).toBe(true);
  // What a team commits names no path of one machine.
  expect(await readFile(project.path('nexus.config.json'), 'utf8')).not.toContain(project.root);
});

verifiesApp('package.readme', 'starts as the README’s host config says', async () => {
  const readme = await readFile(join(repoDir, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json]) =>
    JSON.parse(json ?? ''),
  );
  const { nexus } = blocks.find(({ mcpServers }) => mcpServers !== undefined).mcpServers;
  expect(nexus).toEqual({ command: 'nexus', args: ['--mode=server'] });
  await using project = await makeProject();
  await using server = startServer(onPath(project), nexus);
  const { result } = await server.session.initialize();
  expect(result.serverInfo.name).toBe('nexus');
  expect((await server.session.ask('tools/list')).result.tools.length).toBeGreaterThan(0);
});
