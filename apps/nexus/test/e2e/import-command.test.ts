// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const ownEntry = { command: 'node', args: ['/opt/nexus/bin/nexus.js', '--mode=server'] };
const servers = { fake: { type: 'stdio', ...fakeServer(), env: { A_TOKEN: 'hunter2' } }, nexus: ownEntry };

verifiesApp('command.import', 'makes a toolbox that works, and keeps secrets out of it', async () => {
  await using project = await makeProject({
    files: { '.mcp.json': JSON.stringify({ mcpServers: servers }) },
  });
  const dry = await runNexus(project, ['import', 'claude-code', '--dry-run']);
  expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Nothing was written.') });
  await expect(readFile(project.path('nexus.config.json'))).rejects.toThrow('ENOENT');
  const { exitCode, stdout } = await runNexus(project, ['import', 'claude-code', '--toolbox', 'mine']);
  expect(exitCode).toBe(0);
  expect(dry.stdout + stdout).not.toContain('hunter2');
  expect(stdout).toMatch(
    /Added: fake\.\n\nSet these variables [\s\S]*\n {2}FAKE_A_TOKEN +a secret of fake, or what may be one\n/,
  );
  expect(stdout).toContain('nexus: left out, it is Nexus itself');
  const { mine } = JSON.parse(await readFile(project.path('nexus.config.json'), 'utf8')).toolboxes;
  expect(mine).toMatchObject({
    description: 'From Claude Code: fake',
    mcpServers: { fake: { env: { A_TOKEN: '${FAKE_A_TOKEN}' } } },
  });
  const theirs = project.path('.mcp.json');
  const original = await readFile(theirs, 'utf8');
  const unasked = await runNexus(project, ['import', 'claude-code', '--toolbox', 'mine', '--replace']);
  expect(unasked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--yes') });
  expect(await readFile(theirs, 'utf8')).toBe(original);
  const again = ['import', 'claude-code', '--toolbox', 'mine', '--replace', '--yes'];
  const replaced = await runNexus(project, again);
  expect(replaced.stdout + replaced.stderr).not.toContain('hunter2');
  const { mcpServers } = JSON.parse(await readFile(theirs, 'utf8'));
  expect(mcpServers.fake).toBeUndefined();
  expect(mcpServers.nexus).toBeDefined();
  // The entry that was there already stays as it is.
  expect(replaced.stdout).toContain('Set these variables');
  const undone = await runNexus(project, ['import', 'claude-code', '--undo']);
  expect(undone).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('as it was before') });
  expect(await readFile(theirs, 'utf8')).toBe(original);
  const env = { ...project.env, FAKE_A_TOKEN: 'hunter2' };
  expect((await runNexus({ ...project, env }, ['toolbox', 'test', 'mine'])).exitCode).toBe(0);
});

slowlyVerifiesApp('command.import', 'writes the entry that the host is told to paste', async () => {
  const theirs = { a: { command: 'a', env: { A_TOKEN: 'hunter2' } } };
  await using project = await makeProject({
    config: {},
    files: {
      '.cursor/mcp.json': JSON.stringify({ mcpServers: theirs }),
      '.vscode/mcp.json': JSON.stringify({ servers: theirs }),
    },
  });
  for (const host of ['cursor', 'vscode']) {
    const { stdout } = await runNexus(project, ['import', host, '--toolbox', 'mine', '--replace', '--yes']);
    expect(stdout).toContain('has the values of A_TOKEN');
    expect(stdout).not.toContain('Set these variables');
    // Which the next command would else fail by.
    expect(stdout).toMatch(
      /This shell does not have A_TOKEN: set it here too.*\nNext: .*nexus toolbox test mine/,
    );
  }
  const entry = async (file: string, key: string) =>
    JSON.parse(await readFile(project.path(file), 'utf8'))[key].nexus;
  const cursor = await entry('.cursor/mcp.json', 'mcpServers');
  expect(cursor.env).toEqual({ A_TOKEN: 'hunter2' });
  expect(cursor.args.slice(-2)).toEqual(['--config', '${workspaceFolder}/nexus.config.json']);
  const vscode = await entry('.vscode/mcp.json', 'servers');
  expect(vscode).toMatchObject({ type: 'stdio', cwd: '${workspaceFolder}' });
});

slowlyVerifiesApp(
  'command.import',
  'keeps what a YAML config says, and overwrites only when asked',
  async () => {
    const yaml =
      '# ours\nlimits:\n  burst: 7 # few\ntoolboxes:\n  dev:\n    mcpServers:\n      a: { command: old } # stays\n';
    const file = JSON.stringify({ servers: { a: { command: 'new' }, b: { url: 'https://b.example/mcp' } } });
    await using project = await makeProject({ files: { 'nexus.config.yaml': yaml, 'theirs.json': file } });
    const args = ['import', './theirs.json', '--toolbox', 'dev'];
    const kept = await runNexus(project, args);
    expect(kept).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/Added: b\.\nNot touched.*--force.*: a\./),
    });
    const text = () => readFile(project.path('nexus.config.yaml'), 'utf8');
    expect(await text()).toBe(`${yaml}      b:\n        url: https://b.example/mcp\n`);
    const replaced = await runNexus(project, [...args, '--force']);
    expect(replaced).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Replaced: a.') });
    expect(await text()).toContain('# few');
    expect(await text()).toMatch(/a:.*\bcommand: new|a:\s+command: new/);
    const again = await runNexus(project, args);
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('same settings: a, b.') });
  },
);

slowlyVerifiesApp('command.import', 'says where it looked, and which hosts it knows', async () => {
  await using project = await makeProject();
  const none = await runNexus(project, ['import', 'cursor']);
  expect(none).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/Cursor keeps no servers.*\.cursor/),
  });
  const unknown = await runNexus(project, ['import', 'emacs']);
  expect(unknown).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('claude-desktop, claude-code'),
  });
});

const each = {
  files: {
    '.mcp.json': JSON.stringify({
      mcpServers: {
        one: { ...fakeServer(), env: { API_KEY: 'key-of-one' } },
        two: { ...fakeServer(), env: { API_KEY: 'key-of-two' } },
        bad: { command: 'no-such-program' },
      },
    }),
  },
  env: { NEXUS_TRUST: '' },
};

slowlyVerifiesApp(
  'command.import',
  'trusts what it wrote and nothing else, and shows the commands',
  async () => {
    await using project = await makeProject({
      ...each,
      config: { toolboxes: { old: { mcpServers: { theirs: { command: 'not-mine' } } } } },
    });
    const { stdout } = await runNexus(project, ['import', 'claude-code', '--toolbox', 'box']);
    expect(stdout).toMatch(/Trusted, until one of these changes:\n +toolbox box, server one:\n +runs /);
    const { waiting } = JSON.parse((await runNexus(project, ['trust', '--json'])).stdout);
    expect(waiting.map(({ name }: { name: string }) => name)).toEqual(['toolboxes.old.mcpServers.theirs']);
  },
);

slowlyVerifiesApp(
  'command.import',
  'gives no server the key of another, and one bad server holds up no other',
  async () => {
    await using project = await makeProject(each);
    await runNexus(project, ['import', 'claude-code', '--toolbox', 'box']);
    const env = { ...project.env, ONE_API_KEY: 'key-of-one', TWO_API_KEY: 'key-of-two' };
    const opened = await runNexus({ ...project, env }, ['toolbox', 'open', 'box']);
    expect(opened.exitCode).toBe(0);
    expect(opened.stdout).toMatch(/left out: bad: .*no-such-program/);
    const lacking = await runNexus({ ...project, env: { ...env, TWO_API_KEY: '' } }, [
      'toolbox',
      'open',
      'box',
    ]);
    expect(lacking.stdout).toContain('box__one__echo');
    const { box } = JSON.parse(await readFile(project.path('nexus.config.json'), 'utf8')).toolboxes;
    expect(box.mcpServers.one.env).toEqual({ API_KEY: '${ONE_API_KEY}' });
    expect(box.mcpServers.two.env).toEqual({ API_KEY: '${TWO_API_KEY}' });
    // A second import finds all of it there.
    expect(
      (await runNexus({ ...project, env }, ['import', 'claude-code', '--toolbox', 'box'])).stdout,
    ).toContain('There already, with the same settings: one, two, bad.');
  },
);

slowlyVerifiesApp('command.import', 'uses a config further up, and shadows it with none', async () => {
  const files = { ...each.files, '.git/HEAD': '', 'deep/file': '' };
  await using project = await makeProject({ ...each, files, config: { limits: { burst: 7 } } });
  const deep = { ...project, root: project.path('deep') };
  expect((await runNexus(deep, ['import', 'claude-code'])).exitCode).toBe(0);
  const config = JSON.parse(await readFile(project.path('nexus.config.json'), 'utf8'));
  expect(config).toMatchObject({ limits: { burst: 7 }, toolboxes: { 'claude-code': {} } });
  expect(existsSync(project.path('deep/nexus.config.json'))).toBe(false);
});

slowlyVerifiesApp('command.import', 'makes a toolbox for each server where that is asked for', async () => {
  await using project = await makeProject(each);
  const { exitCode } = await runNexus(project, ['import', 'claude-code', '--each']);
  expect(exitCode).toBe(0);
  const { toolboxes } = JSON.parse(await readFile(project.path('nexus.config.json'), 'utf8'));
  expect(Object.keys(toolboxes)).toEqual(['one', 'two', 'bad']);
  expect(Object.keys(toolboxes.two.mcpServers)).toEqual(['two']);
});
