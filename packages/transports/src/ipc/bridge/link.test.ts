import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { socketPair } from '../../../test/socket-pair.ts';
import { createLink } from './link.ts';

const open: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.dispose();
});

/** A link, the owner's end of it, and all that the link has told, in order. */
async function linked() {
  const { near, far, dispose } = await socketPair();
  open.push({ dispose });
  far.on('error', () => {});
  // What it writes is with the system at once from then on.
  if (far.connecting) await once(far, 'connect');
  const told: string[] = [];
  const over = new Promise<void>((resolve) => {
    const link = createLink(near, {
      line: (bytes) => void told.push(bytes.toString()),
      drained() {},
      lost() {
        told.push('lost');
        resolve();
      },
    });
    open.push({ dispose: async () => link.destroy() });
    links.set(near, link);
  });
  const link = links.get(near) ?? expect.unreachable();
  return { link, near, far, told, over };
}
const links = new WeakMap<Socket, ReturnType<typeof createLink>>();

/** Writes, and is gone, before the other end looks: the system has what it wrote. */
function writeAndDie(far: Socket, ...lines: string[]): void {
  for (const line of lines) far.write(`${line}\n`);
  far.destroy();
}

// A named pipe of Windows has no number that could be read.
describe.skipIf(process.platform === 'win32')('a link whose write finds its owner gone', () => {
  it('hands on what the owner had written, and then that it is lost', async () => {
    const { link, far, told, over } = await linked();
    writeAndDie(far, '{"id":1,"result":{}}', '{"method":"nexus/mayRepeat"}');
    link.write('{"id":2,"method":"tools/call"}\n');
    await over;
    expect(told).toEqual(['{"id":1,"result":{}}', '{"method":"nexus/mayRepeat"}', 'lost']);
  });

  it('does so though the owner had not read all that it was sent', async () => {
    const { link, far, told, over } = await linked();
    far.pause();
    link.write('{"id":1,"method":"tools/call"}\n');
    await new Promise<void>((resolve) => setImmediate(resolve));
    writeAndDie(far, '{"id":1,"result":{}}');
    link.write('{"id":2,"method":"tools/call"}\n');
    await over;
    expect(told).toEqual(['{"id":1,"result":{}}', 'lost']);
  });

  it('does so while it is paused, with what was read by then first', async () => {
    const { link, near, far, told, over } = await linked();
    link.pause();
    const long = `{"id":1,"result":"${'x'.repeat(10_000)}"}`;
    far.write(`${long}\n`);
    await expect.poll(() => near.readableLength).toBeGreaterThan(0);
    writeAndDie(far, '{"id":2,"result":{}}');
    link.write('{"id":3,"method":"tools/call"}\n');
    await over;
    expect(told).toEqual([long, '{"id":2,"result":{}}', 'lost']);
  });

  it('drops a line that was not whole', async () => {
    const { link, far, told, over } = await linked();
    far.write('{"id":1,"res');
    far.destroy();
    link.write('{"id":2,"method":"tools/call"}\n');
    await over;
    expect(told).toEqual(['lost']);
  });
});

it('a link hands nothing on once it is destroyed', async () => {
  const { link, near, far, told } = await linked();
  writeAndDie(far, '{"id":1,"result":{}}');
  link.destroy();
  await once(near, 'close');
  expect(told).toEqual(['lost']);
});
