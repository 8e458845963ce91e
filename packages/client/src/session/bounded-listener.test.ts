import { expect, it } from 'vitest';
import { boundListener } from './bounded-listener.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

it('looks for secrets only in what it passes on of a flood', () => {
  const passed: unknown[] = [];
  let looks = 0;
  const listener = {
    notification: (_method: string, params: unknown) => void passed.push(params),
    request: async () => ({}),
  };
  const mask = (text: string) => {
    looks += 1;
    return text.replace('hunter2', '***');
  };
  const bounded = boundListener(listener, { log: quiet, mask });
  for (let at = 0; at < 20_000; at += 1) {
    bounded.notification('notifications/message', { data: `hunter2 ${at}` });
  }
  expect(passed[0]).toEqual({ data: '*** 0' });
  expect(passed.length).toBeLessThan(5_000);
  // The name and the text of each.
  expect(looks).toBe(2 * passed.length);
});
