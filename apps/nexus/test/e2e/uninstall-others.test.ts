import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const gitIn =
  ({ root }: Project) =>
  (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: root,
      encoding: 'utf8',
    });

async function makeRepository(env: Record<string, string>, more: Record<string, string> = {}) {
  const files = {
    ...more,
    'a.ts': '// a\n',
    'code/mine.ts': '// b\n',
    'logs/mine.log': 'c\n',
    'results/mine': 'd\n',
    'workflows/worktrees/mine/e.ts': '// e\n',
  };
  const project = await makeProject({ files, env });
  const git = gitIn(project);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  return { project, git };
}

async function use(project: Project): Promise<void> {
  await using server = startServer(project);
  await server.session.initialize();
  await server.session.call('memory_write', { key: 'k', value: 'v', backend: 'session' });
  await server.session.call('list_symbols', { path: 'a.ts' });
}

slowlyVerifiesApp(
  'command.uninstall',
  'takes what Nexus made alone out of a data directory that is the repository',
  async () => {
    const { project, git } = await makeRepository({ NEXUS_DATA_DIR: '.' });
    await using _ = project;
    writeFileSync(project.path('not-in-git.txt'), 'the only copy\n');
    writeFileSync(project.path('clients.json'), '[]\n');
    mkdirSync(project.path('processes'));
    writeFileSync(project.path('processes/mine.txt'), 'mine\n');
    git('add', 'clients.json', 'processes');
    git('commit', '-qm', 'more');
    git('branch', 'nexus/my-own');
    git('branch', 'nexus/some-work-12345678');
    const before = () => readdirSync(project.root).sort();
    const names = before();
    await use(project);
    expect(existsSync(project.path('nexus.sqlite'))).toBe(true);

    const gone = await runNexus(project, ['uninstall', '--yes']);
    expect(gone.exitCode, gone.stderr).toBe(0);
    expect(before()).toEqual(names);
    expect(git('status', '--porcelain')).toBe('?? not-in-git.txt\n');
    expect(readFileSync(project.path('not-in-git.txt'), 'utf8')).toBe('the only copy\n');
    expect(git('branch', '--list', 'nexus/*').trim()).toBe('nexus/my-own');
    expect(gone.stdout).toContain('the branch nexus/my-own');
    expect(gone.stdout).toMatch(/Left: \d+ other files in /);
  },
);

slowlyVerifiesApp('command.uninstall', 'takes nothing where Nexus never ran', async () => {
  const { project, git } = await makeRepository({ NEXUS_DATA_DIR: '.' });
  await using _ = project;
  for (const name of ['machine', 'clients.json']) writeFileSync(project.path(name), 'mine\n');
  // By names that Nexus gives, too.
  for (const folder of ['audit', 'processes']) mkdirSync(project.path(folder));
  const named = ['http-token', 'logs/nexus.jsonl', 'audit/project', 'processes/12.0123abcd.lock'];
  for (const name of named) writeFileSync(project.path(name), 'mine\n');
  const dry = await runNexus(project, ['uninstall', '--dry-run']);
  expect(dry.exitCode, dry.stderr).toBe(0);
  expect(existsSync(project.path('http-token'))).toBe(true);
  const gone = await runNexus(project, ['uninstall', '--yes', '--all']);
  expect(gone.exitCode, gone.stderr).toBe(0);
  const left = ['processes/', 'audit/', 'clients.json', 'http-token', 'logs/nexus.jsonl', 'machine'];
  expect(git('status', '--porcelain').trim().split('\n')).toEqual(
    expect.arrayContaining(left.map((name) => `?? ${name}`)),
  );
});

slowlyVerifiesApp('command.uninstall-all', 'leaves what lies beside the state and the settings', async () => {
  const { project } = await makeRepository({ NEXUS_DATA_DIR: '' });
  await using _ = project;
  const { HOME = '' } = project.env;
  await use(project);
  const state = join(HOME, '.local', 'state', 'nexus');
  const config = join(HOME, '.config', 'nexus');
  const mine = [project.path('mine')];
  if (process.platform === 'linux') mine.push(join(state, 'mine'), join(config, 'mine'));
  for (const file of mine) writeFileSync(file, 'mine\n');
  // By a name that Nexus gives, but no file: neither is Nexus's, and a pipe is not waited on.
  const [made = ''] = process.platform === 'linux' ? readdirSync(join(state, 'projects')) : [];
  const odd = join('projects', made, 'project-folders');
  const foreign = ['0123456789abcde0', '0123456789abcdef'].map((name) => join(odd, name));
  if (process.platform === 'linux') {
    const [pipe = '', folder = ''] = foreign.map((path) => join(state, path));
    execFileSync('mkfifo', [pipe]);
    mkdirSync(folder);
  }
  const gone = await runNexus(project, ['uninstall', '--yes', '--all']);
  expect(gone.exitCode, gone.stderr).toBe(0);
  for (const file of mine) expect(readFileSync(file, 'utf8')).toBe('mine\n');
  if (process.platform !== 'linux') return;
  expect(readdirSync(config)).toEqual(['mine']);
  const folders = ['projects', join('projects', made), odd];
  expect(readdirSync(state, { recursive: true }).sort()).toEqual(['mine', ...folders, ...foreign].sort());
});

const hashOf = (path: string) => createHash('sha256').update(path).digest('hex');

slowlyVerifiesApp(
  'command.uninstall',
  'knows other projects from no file that a repository brings',
  async () => {
    const { project: other, git } = await makeRepository({});
    await using _ = other;
    git('branch', 'nexus/fix-login-0a1b2c3d');
    const id = join(other.root, '.git', 'nexus-project-id');
    writeFileSync(id, `made-${crypto.randomUUID()}\n`);
    const { project } = await makeRepository(
      { NEXUS_DATA_DIR: '../state' },
      {
        'app/nexus.config.json': '{}',
        [`state/project-folders/${hashOf(other.root).slice(0, 16)}`]: `${other.root}\n`,
        'state/clients.json': '{}',
      },
    );
    await using __ = project;
    const app = { ...project, root: project.path('app') };
    for (const isUsed of [false, true]) {
      if (isUsed) await use(app);
      else writeFileSync(project.path('state', 'nexus.sqlite'), '');
      const gone = await runNexus(app, ['uninstall', '--yes', '--all']);
      expect(gone.exitCode, gone.stderr).toBe(0);
      expect(gone.stdout).not.toContain(other.root);
      expect(existsSync(id)).toBe(true);
      expect(git('branch', '--list', 'nexus/*').trim()).toBe('nexus/fix-login-0a1b2c3d');
    }
  },
);

slowlyVerifiesApp(
  'command.uninstall',
  'takes the links in its state, and says what is behind them and stays',
  async () => {
    const { project } = await makeRepository({ NEXUS_DATA_DIR: '' });
    await using _ = project;
    await use(project);
    const disk = project.path('disk');
    mkdirSync(disk);
    const { dataDir: state } = JSON.parse((await runNexus(project, ['config', '--json'])).stdout);
    const links = ['audit', 'logs', 'traces'].map((name) => join(state, name));
    for (const link of links) {
      const behind = join(disk, basename(link));
      mkdirSync(link, { recursive: true });
      renameSync(link, behind);
      symlinkSync(behind, link);
    }
    const before = readdirSync(disk, { recursive: true });
    const gone = await runNexus(project, ['uninstall', '--yes']);
    expect(gone.exitCode, gone.stderr).toBe(0);
    for (const link of links)
      expect(gone.stdout).toContain(
        `Left: what is in ${join(disk, basename(link))}, where the link ${link} leads`,
      );
    expect(existsSync(state)).toBe(false);
    expect(readdirSync(disk, { recursive: true })).toEqual(before);
  },
);

const OF_OTHERS = {
  'var/clients.json': '{"acme":{},"globex":{}}',
  'var/machine': 'web-12345678\n',
  'var/chat/input-history': 'mine\n',
  'var/results/0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f': 'mine\n',
};

verifiesApp('command.uninstall', 'takes nothing by name that Nexus did not put there', async () => {
  const { project, git } = await makeRepository(
    { NEXUS_DATA_DIR: 'var' },
    {
      ...OF_OTHERS,
      'var/nexus.sqlite': 'a text\n',
      'var/http-token': 'mine\n',
      'var/audit/project': 'mine\n',
    },
  );
  await using _ = project;
  const gone = await runNexus(project, ['uninstall', '--yes']);
  expect(gone.exitCode, gone.stderr).toBe(0);
  expect(gone.stdout).toContain(`Left: what is in ${project.path('var')}: there is no record`);
  expect(git('status', '--porcelain')).toBe('');
});

slowlyVerifiesApp(
  'command.uninstall',
  'spares what was there before Nexus, and what git brought since',
  async () => {
    const { project, git } = await makeRepository({ NEXUS_DATA_DIR: 'var' });
    await using _ = project;
    git('checkout', '-q', '-b', 'later');
    mkdirSync(project.path('var'));
    writeFileSync(project.path('var', 'http-token'), 'mine\n');
    git('add', '-A');
    git('commit', '-qm', 'later');
    git('checkout', '-q', '-');
    for (const [path, text] of Object.entries(OF_OTHERS)) {
      mkdirSync(dirname(project.path(path)), { recursive: true });
      writeFileSync(project.path(path), text);
    }
    await use(project);
    git('checkout', '-q', 'later');
    const gone = await runNexus(project, ['uninstall', '--yes']);
    expect(gone.exitCode, gone.stderr).toBe(0);
    expect(readFileSync(project.path('var', 'http-token'), 'utf8')).toBe('mine\n');
    for (const path of Object.keys(OF_OTHERS)) expect(existsSync(project.path(path)), path).toBe(true);
    expect(readdirSync(project.path('var')).sort()).toEqual([
      'chat',
      'clients.json',
      'http-token',
      'machine',
      'results',
    ]);
    expect(gone.stdout).toContain('remove by hand what an older version left');
    const again = await runNexus(project, ['uninstall', '--dry-run']);
    expect(again.stdout).toContain('Nothing is there to be taken away.');
  },
);

if (process.platform === 'linux')
  slowlyVerifiesApp(
    'command.uninstall-all',
    'follows a link in the place of a state folder, and says so',
    async () => {
      const { project } = await makeRepository({ NEXUS_DATA_DIR: '' });
      await using _ = project;
      const { HOME = '' } = project.env;
      const projects = join(HOME, '.local', 'state', 'nexus', 'projects');
      const link = join(projects, `${basename(project.root)}-${hashOf(project.root).slice(0, 8)}`);
      const disk = join(HOME, 'disk');
      for (const folder of [projects, disk]) mkdirSync(folder, { recursive: true });
      writeFileSync(join(disk, 'mine'), 'mine\n');
      symlinkSync(disk, link);
      await use(project);
      expect(existsSync(join(disk, 'nexus.sqlite'))).toBe(true);
      const gone = await runNexus(project, ['uninstall', '--yes', '--all']);
      expect(gone.exitCode, gone.stderr).toBe(0);
      expect(readdirSync(disk)).toEqual(['mine']);
      expect(existsSync(link)).toBe(true);
      expect(gone.stdout).toContain(`Left: the link ${link}, and the folder ${disk} that it leads to.`);
    },
  );
