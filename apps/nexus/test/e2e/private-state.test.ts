import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bin } from '../harness/app.ts';
import { startHttpServer } from '../harness/http-server.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { run } from '../harness/run-nexus.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** What others than its user may read or write, below a folder and itself. */
async function openTo(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const all = [folder, ...names.map((name) => join(folder, name))];
  const modes = await Promise.all(
    all.map(async (path) => {
      const mode = await stat(path).then(
        (stats) => stats.mode & 0o077,
        () => 0, // its writer has taken it away since
      );
      return [path, mode] as const;
    }),
  );
  return modes.filter(([, mode]) => mode !== 0).map(([path]) => path);
}

/** A command line under which whatever states no mode is open to everybody. */
const openly = (args: readonly string[]) => [
  '-c',
  'umask 000; exec "$@"',
  'sh',
  process.execPath,
  bin,
  ...args,
];

const withUmask = (project: Project, args: readonly string[]) => run(project, 'sh', openly(args));

verifiesApp('state.private', 'whatever the umask and the modes before, after each way to start', async () => {
  if (process.platform === 'win32') return;
  await using project = await makeProject();
  const folders = [project.dataDir, join(project.env.HOME ?? '', '.local', 'state', 'nexus')];
  const loosen = async () => {
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o777);
    }
  };
  const open = async () => (await Promise.all(folders.map(openTo))).flat();

  for (const args of [['call', 'memory_write', '{"key":"a","value":"b"}'], ['doctor']]) {
    await loosen();
    await withUmask(project, args);
    expect(await open()).toEqual([]);
  }
  {
    await loosen();
    await using server = startServer(project, { command: 'sh', args: openly(['--mode=server']) });
    await server.session.initialize();
    await server.session.call('memory_query', {});
    expect(await open()).toEqual([]);
    server.session.end();
    await server.exit();
  }
  await loosen();
  await using server = await startHttpServer(project);
  const client = await connectSdkClient(server.url, server.token);
  await client.callTool({ name: 'memory_query', arguments: {} });
  await client.close();
  expect(await open()).toEqual([]);
});

slowlyVerifiesApp(
  'state.private',
  'or it is said what to do, in a folder of others that all may write to',
  async () => {
    if (process.platform === 'win32') return;
    await using project = await makeProject();
    await mkdir(project.dataDir);
    await writeFile(join(project.dataDir, 'mine.txt'), 'x');
    await chmod(project.dataDir, 0o777);
    const { exitCode, stderr } = await withUmask(project, ['call', 'memory_query', '{}']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`run chmod go-w ${project.dataDir}`);
  },
);
