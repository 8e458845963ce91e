import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { quietKeys } from './quiet-keys.ts';

function terminal({ isForeground = true, isTTY = true } = {}) {
  const said: string[] = [];
  const input = Object.assign(new EventEmitter(), {
    isTTY,
    setRawMode: (isRaw: boolean) => void said.push(isRaw ? 'raw' : 'usual'),
    resume() {},
    pause() {},
    ref() {},
    unref() {},
  });
  const keys = quietKeys({
    input: input as never, // what is used of it
    send: (signal) => void said.push(signal),
    isForeground: () => isForeground,
  });
  return { keys, said, type: (text: string) => void input.emit('data', Buffer.from(text)) };
}

it('takes keys while something is drawn, and gives them back once', () => {
  const { keys, said, type } = terminal();
  keys.begin();
  keys.begin();
  type('abc\r');
  keys.end();
  keys.end();
  expect(said).toEqual(['raw', 'usual']);
});

it('hands Ctrl-C on as the terminal does, with keys as they were by then', () => {
  const { keys, said, type } = terminal();
  keys.begin();
  type('ab\x03');
  expect(said).toEqual(['raw', 'usual', 'SIGINT']);
});

it('is quiet again after Ctrl-Z and what brings it back, but not where it was ended meanwhile', () => {
  const { keys, said, type } = terminal();
  keys.begin();
  type('\x1a');
  process.emit('SIGCONT');
  expect(said).toEqual(['raw', 'usual', 'SIGTSTP', 'raw']);
  type('\x1a');
  keys.end();
  process.emit('SIGCONT');
  expect(said.slice(4)).toEqual(['usual', 'SIGTSTP']);
});

it('gives a terminal no order from the background, and a pipe none at all', () => {
  for (const { keys, said } of [terminal({ isForeground: false }), terminal({ isTTY: false })]) {
    keys.begin();
    expect(said).toEqual([]);
  }
});
