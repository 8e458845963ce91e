import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { appDir } from '../harness/app.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** A copy of the built app that differs from it by a byte. */
async function copyBuild(folder: string): Promise<string> {
  for (const part of ['bin', 'dist', 'package.json']) {
    await cp(join(appDir, part), join(folder, part), { recursive: true });
  }
  await symlink(join(appDir, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await appendFile(join(folder, 'dist/main.js'), '\n');
  return join(folder, 'bin/nexus.js');
}

async function expectServers(project: SharedProject, pids: readonly number[]): Promise<void> {
  expect([...(await project.owners())].sort()).toEqual([...pids].sort());
}

slowlyVerifiesApp('sharing.apart', 'serves two builds apart', async () => {
  await using project = await shareProject();
  const other = await copyBuild(project.path('other-build'));
  const one = await project.host();
  const two = await project.host({ command: process.execPath, args: [other, '--mode=server'] });
  await expectServers(project, [one.pid, two.pid]);
});

slowlyVerifiesApp('sharing.apart', 'serves two configs apart', async () => {
  const named = (name: string) => JSON.stringify({ server: { name } });
  await using project = await shareProject({ files: { 'a.json': named('a'), 'b.json': named('b') } });
  const hosts = [];
  for (const name of ['a', 'b', 'a']) {
    const host = await project.host({ args: ['--config', `${name}.json`] });
    expect(host.session.received[0]?.result.serverInfo.name).toBe(name);
    hosts.push(host);
  }
  await expectServers(
    project,
    hosts.slice(0, 2).map(({ pid }) => pid),
  );
});

verifiesApp('sharing.apart', 'serves two projects apart', async () => {
  await using project = await shareProject();
  await using neighbour = await shareProject({ env: { NEXUS_RUNTIME_DIR: project.runtimeDir } });
  const hosts = [await project.host(), await neighbour.host()];
  await expectServers(
    project,
    hosts.map(({ pid }) => pid),
  );
});

slowlyVerifiesApp(
  'sharing.runtime-dir',
  'refuses a socket path that is too long, and says what helps',
  async () => {
    await using project = await shareProject();
    const long = project.path('x'.repeat(200));
    await mkdir(long);
    const env = { NEXUS_RUNTIME_DIR: long };
    const refused = project.start({ env });
    expect(await refused.exit()).toMatchObject({ code: 1 });
    expect(refused.stderr()).toMatch(
      /has \d{3} bytes.* 103\. Set NEXUS_RUNTIME_DIR .* or use --standalone\.\n$/,
    );
    await project.host({ env, args: ['--standalone'] });
  },
);

slowlyVerifiesApp('sharing.runtime-dir', 'refuses a runtime folder that is a link', async () => {
  await using project = await shareProject();
  await project.host().then((host) => host[Symbol.asyncDispose]());
  const [name = ''] = await readdir(project.runtimeDir);
  const elsewhere = project.path('elsewhere');
  await mkdir(elsewhere);
  await symlink(join(project.runtimeDir, name), join(elsewhere, name), 'junction');
  const refused = project.start({ env: { NEXUS_RUNTIME_DIR: elsewhere } });
  expect(await refused.exit()).toMatchObject({ code: 1 });
  expect(refused.stderr()).toContain('is a link or a file, not a folder');
});

verifiesApp('sharing.runtime-dir', 'refuses a process whose token is wrong', async () => {
  await using project = await shareProject();
  const owner = await project.host();
  const [file = ''] = (await readdir(project.runtimeDir, { recursive: true })).filter((name) =>
    name.endsWith('.json'),
  );
  const pointerFile = join(project.runtimeDir, file);
  const pointer = JSON.parse(await readFile(pointerFile, 'utf8'));
  await writeFile(pointerFile, JSON.stringify({ ...pointer, token: '0'.repeat(64) }));
  const refused = project.start();
  expect(await refused.exit()).toMatchObject({ code: 1 });
  expect(refused.stderr()).toContain('the token is not the one');
  expect((await owner.session.ask('ping')).result).toEqual({});
});
