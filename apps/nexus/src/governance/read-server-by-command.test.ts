import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '@nexus/processes';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { readServerByCommand } from './read-server-by-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-foreign-'));
const fixture = fileURLToPath(new URL('../../test/fixtures/foreign-server.mjs', import.meta.url));
const toolsFile = join(folder, 'tools.json');
const log = createLog('silent');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (command: readonly string[], timeoutMs = 20_000) =>
  readServerByCommand({ command, timeoutMs, log });

describe('readServerByCommand', () => {
  it('reads every page whole, and leaves out what has no name', async () => {
    const odd = { name: 'b', inputSchema: { type: 'object', 'x-vendor': [1] }, _meta: { own: null } };
    writeFileSync(toolsFile, JSON.stringify([odd, { title: 'nameless' }, { name: 'a' }]));
    const { lock, faults } = await read([process.execPath, fixture, toolsFile]);
    expect(lock.tools).toEqual({ a: { name: 'a' }, b: odd });
    expect(faults).toEqual(['tools[1] has no name; left out']);
  });

  it('ends the server and what the server started', async () => {
    writeFileSync(toolsFile, JSON.stringify([{ name: 'a' }]));
    const pidFile = join(folder, 'pid');
    await read([process.execPath, fixture, toolsFile, pidFile]);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('says what the server said when it ends instead of answering', async () => {
    const code = 'console.error("no key in the environment"); process.exit(3)';
    const failure = read([process.execPath, '-e', code]);
    await expect(failure).rejects.toThrow(
      /exited with code 3\. Its last lines on stderr:\n {2}no key in the environment$/,
    );
  });

  it('says which program is not there', async () => {
    await expect(read(['no-such-server', '--stdio'])).rejects.toThrow(
      /^no-such-server --stdio: .*no command "no-such-server" on the PATH/,
    );
  });

  it('does not wait for ever on a server that says nothing', async () => {
    const silent = [process.execPath, '-e', 'process.stdin.resume()'];
    await expect(read(silent, 300)).rejects.toThrow('it did not answer within 300 ms');
  });
});
