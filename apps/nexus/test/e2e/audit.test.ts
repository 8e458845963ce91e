import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const VERIFIER = fileURLToPath(new URL('../../../../docs/verify-audit.mjs', import.meta.url));
const SECRET_WORD = 'xylophone';

const write = { key: 'instrument', value: SECRET_WORD, backend: 'session' };

async function chains(project: Project): Promise<string[]> {
  const trail = (await runNexus(project, ['audit', 'path'])).stdout.trim();
  const writers = await readdir(join(trail, 'writers'));
  return writers.map((writer) => join(trail, 'writers', writer, '000001.jsonl'));
}

async function independently(project: Project): Promise<{ code: number; said: string }> {
  const trail = (await runNexus(project, ['audit', 'path'])).stdout.trim();
  const key = (await runNexus(project, ['audit', 'key'])).stdout.trim();
  const child = spawn(process.execPath, [VERIFIER, trail, key], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

verifiesApp('audit.trail', 'has what was called, and no word of it', async () => {
  await using project = await makeProject({ config: { audit: { anchors: [{ file: 'anchor.jsonl' }] } } });
  {
    await using server = startServer(project);
    await server.session.initialize();
    await server.session.call('bus_status');
    await server.session.call('memory_write', write);
    const { result } = await server.session.call('verify_audit_chain');
    expect(result.structuredContent).toMatchObject({
      unaltered: true,
      complete: true,
      counts: { events: 3 },
    });
    server.child.stdin?.end();
    await server.exit();
  }
  const [file = ''] = await chains(project);
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ kind }) => kind)).toEqual([
    'writer.begin',
    'call.intent',
    'call.outcome',
    'checkpoint',
    'writer.end',
  ]);
  expect(lines[1].data).toMatchObject({ tool: 'memory_write', arguments: { size: expect.any(Number) } });
  expect(lines[2].data).toEqual({ intent: 1, ok: true });
  expect(await readFile(file, 'utf8')).not.toContain(SECRET_WORD);

  const verified = await runNexus(project, ['audit']);
  expect(verified.stdout).toContain('Unaltered: yes');
  expect(verified.stdout).toContain('Fresh: yes');
  expect(verified.exitCode).toBe(0);
  expect(await independently(project)).toMatchObject({ code: 0 });
  const tail = await runNexus(project, ['audit', 'tail', '--limit', '2', '--json']);
  expect(JSON.parse(tail.stdout).events).toHaveLength(2);
  const exported = await runNexus(project, ['audit', 'export']);
  expect(exported.stdout.trim().split('\n')).toHaveLength(lines.length);

  const erased = await runNexus(project, ['audit', 'erase', '--yes']);
  expect(erased.stdout).toContain('Erased what opens 1 commitment');
  expect((await runNexus(project, ['audit'])).exitCode).toBe(0);

  await writeFile(file, (await readFile(file, 'utf8')).replace('"memory_write"', '"memory_query"'));
  const changed = await runNexus(project, ['audit']);
  expect(changed.exitCode).toBe(1);
  expect(changed.stdout).toContain('edited: its hash is not that of its words');
  expect(changed.stdout).toContain('000001.jsonl:2');
  expect((await independently(project)).code).toBe(1);
});

slowlyVerifiesApp('audit.trail', 'says of a call that was killed that nobody knows its outcome', async () => {
  await using project = await makeProject({ slowPlugin: true });
  {
    await using server = startServer(project);
    await server.session.initialize();
    const working = server.session.call('slow_job', { note: 'left', ms: 600_000 });
    working.catch(() => undefined);
    await expect
      .poll(async () => (await runNexus(project, ['audit', '--json'])).stdout)
      .toContain('"running": 1');
    const gone = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    await gone;
  }
  const left = await runNexus(project, ['audit']);
  expect(left.stdout).toContain('Unaltered: yes');
  expect(left.stdout).toMatch(/Complete: yes.*1 call interrupted with their process/);
  expect(left.exitCode).toBe(0);
  await runNexus(project, ['call', 'memory_write', JSON.stringify(write)]);
  const told = await runNexus(project, ['audit']);
  expect(told.stdout).toContain('1 call interrupted with their process');
  expect(told.exitCode).toBe(0);
});

slowlyVerifiesApp(
  'audit.trail',
  'knows a trail that was taken away, or lies in another’s place',
  async () => {
    await using project = await makeProject();
    const writes = () => runNexus(project, ['call', 'memory_write', JSON.stringify(write)]);
    const verified = async () => {
      const { stdout, stderr, exitCode } = await runNexus(project, ['audit']);
      return { said: stdout + stderr, exitCode };
    };
    await writes();
    const { file } = JSON.parse((await runNexus(project, ['audit', 'key', '--json'])).stdout);
    await rename(file, `${file}.aside`);
    expect((await verified()).said).toContain('unsigned: it is signed, and the key is not there');
    await rename(`${file}.aside`, file);
    expect((await runNexus(project, ['audit', 'erase', '--before', '2099-01-01', '--yes'])).exitCode).toBe(1);
    expect((await verified()).exitCode).toBe(0);

    const trail = join(project.dataDir, 'audit');
    await rename(trail, `${trail}.aside`);
    const gone = await verified();
    expect(gone.said).toContain('it was taken away, or another was put in its place');
    expect(gone.exitCode).not.toBe(0);
    await writes();
    const other = await verified();
    expect(other.said).toContain('swapped: the trail of this folder was ');
    expect(other.exitCode).toBe(1);
    // What it says to do, where its user did that.
    await rm(/delete (\S+)/.exec(other.said)?.[1] ?? '');
    await writes();
    expect((await verified()).exitCode).toBe(0);
  },
);

slowlyVerifiesApp(
  'audit.trail',
  'refuses what it can’t write down, unless the config lets it go on',
  async () => {
    const task = ['call', 'submit_task', JSON.stringify({ title: 'unwritten', payload: {} })];
    for (const onFailure of ['refuse', 'allow']) {
      await using project = await makeProject({ config: { audit: { onFailure } } });
      await mkdir(project.dataDir, { recursive: true });
      await writeFile(join(project.dataDir, 'audit'), 'a file where the folder should be');
      const called = await runNexus(project, task);
      const tasks = await runNexus(project, ['tasks', '--json']);
      expect(called.exitCode === 0, called.stdout + called.stderr).toBe(onFailure === 'allow');
      expect(tasks.stdout.includes('unwritten')).toBe(onFailure === 'allow');
      if (onFailure === 'refuse') expect(called.stdout + called.stderr).toContain('Nothing was done.');
    }
  },
);

slowlyVerifiesApp(
  'audit.trail',
  'brings its checkpoints to every anchor, and says which lacks what',
  async () => {
    const rows: string[] = [];
    const heard: (string | undefined)[] = [];
    const web = createServer(async (request, response) => {
      heard.push(request.headers.authorization);
      if (request.method === 'GET') return response.end(rows.join(''));
      let row = '';
      for await (const chunk of request) row += chunk;
      rows.push(row);
      return response.end();
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/anchor`;
    const anchors = [
      { file: 'anchor.jsonl' },
      { url, token: '${ANCHOR_TOKEN}' },
      { git: 'elsewhere' },
      { git: 'bare.git' },
      { machines: true },
    ];
    await using project = await makeProject({
      config: { audit: { anchors } },
      env: { ANCHOR_TOKEN: 't0ken-a' },
    });
    const elsewhere = project.path('elsewhere');
    await mkdir(elsewhere);
    execFileSync('git', ['init', '-q'], { cwd: elsewhere });
    execFileSync('git', ['init', '-q', '--bare', project.path('bare.git')]);
    try {
      await runNexus(project, ['call', 'memory_write', JSON.stringify(write)]);
      const taken = await runNexus(project, ['audit', 'checkpoint']);
      expect(taken.stdout).toContain('anchored in refs/nexus/audit of ');
      // Without a database that machines share, nobody else sees it.
      expect(taken.stdout).toMatch(/NOT anchored in the shared database: .*docs\/shared-database\.md/);
      expect(taken.exitCode).toBe(1);
      expect(new Set(heard)).toEqual(new Set(['Bearer t0ken-a']));
      const log = execFileSync('git', ['log', '--format=%B', 'refs/nexus/audit'], {
        cwd: elsewhere,
        encoding: 'utf8',
      });
      expect(log.split('\n').filter(Boolean)).toEqual(rows.map((row) => row.trim()).reverse());
      const verified = JSON.parse((await runNexus(project, ['audit', '--json'])).stdout);
      expect(verified).toMatchObject({ unaltered: true, fresh: false, faults: [] });
      expect(verified.behind).toMatchObject([{ anchor: 'the shared database' }]);
      const { number } = verified.anchors[0];
      expect(verified.anchors.map(({ number: each }: { number: number }) => each)).toEqual([
        number,
        number,
        number,
        number,
      ]);
      // Each is found out by itself.
      execFileSync('git', ['update-ref', '-d', 'refs/nexus/audit'], { cwd: elsewhere });
      rows.pop();
      const rewound = (await runNexus(project, ['audit'])).stdout;
      expect(rewound).toMatch(/anchor_rewound: .*\n +at http:/);
      expect(rewound).toMatch(/anchor_rewound: .*\n +at refs.nexus.audit of/);
      expect(rewound).not.toContain('t0ken-a');
    } finally {
      web.close();
    }
  },
);
