import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Store } from '@nexus/plugin-sdk';
import { execa } from 'execa';
import { expect } from 'vitest';
import { boot } from '../../src/boot/boot.ts';
import { loadConfig } from '../../src/loaded-config/load-config.ts';
import { bin } from '../harness/app.ts';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';
import { verifiesApp } from '../harness/verifies.ts';

const zod = JSON.stringify(fileURLToPath(import.meta.resolve('zod')));

/** A plugin without tools, with these bodies of start and stop; both may use `fs`. */
const plugin = (name: string, start: string, stop: string) => `
import * as fs from 'node:fs';
import { z } from ${zod};
export default {
  name: '${name}',
  options: z.strictObject({}),
  tools: [],
  async start(options, host) { const { projectRoot } = host; ${start} },
  ${stop},
};`;

const note = (word: string) => `fs.appendFileSync(state.projectRoot + '/ended', '${word} ');`;
const keepsRunning = 'const timer = setInterval(() => {}, 1000); return { projectRoot, timer };';
const clears = `async stop(state) { clearInterval(state.timer); ${note('first')} }`;

for (const flags of [['--standalone'], []]) {
  const how = flags.length > 0 ? 'alone' : 'shared';
  verifiesApp('boot.undone', `stops the plugins that began before one that fails, ${how}`, async () => {
    await using project = await makeProject({
      config: { plugins: ['./first.mjs', './second.mjs'] },
      files: {
        'first.mjs': plugin('first', keepsRunning, clears),
        'second.mjs': plugin('second', "throw new Error('no licence');", 'async stop() {}'),
      },
    });
    await using server = startServer(project, { args: flags });
    expect(await server.exit()).toMatchObject({ code: 1, signal: null });
    expect(server.stderr()).toContain('no licence');
    expect(readFileSync(project.path('ended'), 'utf8')).toBe('first ');
  });
}

verifiesApp('boot.undone', 'ends though the plugin that failed left a timer', async () => {
  const leaves = "setInterval(() => {}, 1000); throw new Error('no licence');";
  await using project = await makeProject({
    config: { plugins: ['./only.mjs'] },
    files: { 'only.mjs': plugin('only', leaves, 'async stop() {}') },
  });
  await using server = startServer(project, { args: ['--standalone'] });
  expect(await server.exit()).toMatchObject({ code: 1, signal: null });
});

verifiesApp('boot.undone', 'ends what began when HTTP can not be opened', async () => {
  await using project = await makeProject({
    config: { plugins: ['./first.mjs'] },
    files: { 'first.mjs': plugin('first', keepsRunning, clears) },
  });
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { exitCode, stderr } = await execa(process.execPath, [bin, 'serve', '--http', String(port)], {
    cwd: project.root,
    env: project.env,
    extendEnv: false,
    reject: false,
  });
  other.close();
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(String(port)) });
  expect(readFileSync(project.path('ended'), 'utf8')).toBe('first ');
});

verifiesApp('stop.whole', 'closes the store and stops the other plugins', async () => {
  await using project = await makeProject({
    config: { plugins: ['./first.mjs', './second.mjs', './third.mjs'] },
    files: {
      'first.mjs': plugin('first', 'return { projectRoot };', `async stop(state) { ${note('first')} }`),
      'second.mjs': plugin('second', '', "stop() { throw new Error('thrown') }"),
      'third.mjs': plugin('third', '', "stop: async () => { throw new Error('rejected') }"),
    },
  });
  await using server = startServer(project, { args: ['--standalone'] });
  await server.session.initialize();
  server.session.end();
  expect(await server.exit()).toMatchObject({ code: 0, signal: null });
  expect(readFileSync(project.path('ended'), 'utf8')).toBe('first ');
  expect(server.stderr()).toContain('plugin \\"second\\" did not end as it should');
  expect(server.stderr()).toContain('plugin \\"third\\" did not end as it should');
});

verifiesApp('stop.whole', 'closes the store behind plugins that fail', async () => {
  const keeps = 'globalThis.keptByTest = host.store;';
  await using project = await makeProject({
    config: { plugins: ['./first.mjs'] },
    files: {
      'first.mjs': plugin('first', keeps, "stop() { throw new Error('thrown') }"),
    },
  });
  const loaded = await loadConfig({ cwd: project.root, env: project.env });
  const nexus = await boot(loaded, { debug() {}, info() {}, warn() {}, error() {} });
  const { keptByTest: store } = globalThis as unknown as { keptByTest: Store };
  await store.open('first', []);
  await nexus.stop();
  await expect(store.open('first', [])).rejects.toMatchObject({ code: 'NEXUS_SHUTTING_DOWN' });
});
