import { readdir, readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { httpUrl, readToken } from '../harness/http-server.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** No form gives it away: only that the environment holds it under such a name. */
const SECRET = 'walrus-umbrella-4711';
const env = { CRM_API_TOKEN: SECRET };

const FAILURES: Readonly<Record<string, Parameters<typeof makeProject>[0]>> = {
  'a plugin that throws as it is loaded': {
    config: { plugins: ['./bad.mjs'] },
    files: { 'bad.mjs': 'throw new Error(`no login with ${process.env.CRM_API_TOKEN}`);' },
  },
  'a plugin that throws later, out of every call': {
    config: { plugins: ['./bad.mjs'] },
    files: {
      'bad.mjs': `const { CRM_API_TOKEN } = process.env;
        setTimeout(() => { throw new Error('lost ' + CRM_API_TOKEN); }, 0);
        throw new Error('no login', { cause: new Error(CRM_API_TOKEN) });`,
    },
  },
  'a database whose address has it': {
    config: { database: { url: 'postgres://crm:${CRM_API_TOKEN}@127.0.0.1:1/none' } },
  },
  'a config that is none': { files: { 'nexus.config.json': `{ "plugins": "${SECRET}", "${SECRET}": 1 }` } },
};

for (const [title, input] of Object.entries(FAILURES)) {
  const showsNone = async () => {
    await using project = await makeProject({ ...input, env });
    for (const level of ['info', 'debug']) {
      await using server = startServer(project, { env: { NEXUS_LOG_LEVEL: level }, args: ['--verbose'] });
      void server.session.initialize().catch(() => {});
      await vi.waitFor(() => expect(server.stderr()).not.toBe(''), { timeout: 20_000 });
      server.child.stdin?.end();
      await server.exit();
      expect(server.stderr()).not.toContain(SECRET);
    }
    const { stdout, stderr } = await runNexus(project, ['tools', '--verbose']);
    expect(`${stdout}${stderr}`).not.toBe('');
    expect(`${stdout}${stderr}`).not.toContain(SECRET);
  };
  if (title === Object.keys(FAILURES)[0]) {
    verifiesApp('exits.masked', `shows no secret at ${title}`, showsNone);
  } else {
    slowlyVerifiesApp('exits.masked', `shows no secret at ${title}`, showsNone);
  }
}

verifiesApp(
  'exits.masked',
  'logs neither the token of HTTP nor the socket’s, whoever sends them',
  async () => {
    await using project = await makeProject({ env });
    await using server = startServer(project, {
      command: process.execPath,
      args: [bin, 'serve', '--http', '0', '--verbose'],
      env: { NEXUS_LOG_LEVEL: 'debug' },
    });
    const url = await httpUrl(server);
    const token = await readToken(project);
    const { socketPath, token: hello } = await vi.waitFor(() => pointerOf(project));
    // As a path, a header, a body and a first line that are all wrong.
    await fetch(`${new URL(url).origin}/${token}`);
    await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}x` }, body: hello });
    const socket = createConnection(socketPath);
    socket.end(`${JSON.stringify({ nexus: 1, token: `${hello}`, purpose: hello })}\n`);
    await new Promise((resolve) => socket.on('error', resolve).on('close', resolve).resume());
    await runNexus(project, ['status', '--json']);
    server.child.kill('SIGTERM');
    await server.exit();
    expect(server.stderr()).not.toContain(token);
    expect(server.stderr()).not.toContain(hello);
  },
);

async function pointerOf({ runtimeDir }: Project): Promise<{ socketPath: string; token: string }> {
  const [folder = ''] = await readdir(runtimeDir);
  for (const name of await readdir(join(runtimeDir, folder))) {
    const text = await readFile(join(runtimeDir, folder, name), 'utf8').catch(() => '');
    if (text.includes('socketPath')) return JSON.parse(text);
  }
  return expect.unreachable('no pointer file');
}
