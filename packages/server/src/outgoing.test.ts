import type { JsonRpcMessage } from '@nexus/core';
import { holdSecrets } from '@nexus/untrusted/secrets';
import { expect, it } from 'vitest';
import { outgoing } from './outgoing.ts';

it('masks secrets in errors and in log messages, and leaves answers as they are', async () => {
  const sent: JsonRpcMessage[] = [];
  const channel = outgoing({
    kind: 'test',
    trust: 'user',
    start() {},
    send: async (message) => void sent.push(message),
    close: async () => {},
  });
  const release = holdSecrets(['sesame-open-1']);
  const data = { told: ['sesame-open-1'] };
  await channel.send({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'is sesame-open-1', data } });
  await channel.send({ jsonrpc: '2.0', method: 'notifications/message', params: { data } });
  expect(JSON.stringify(sent)).not.toContain('sesame-open-1');
  expect(JSON.stringify(sent).match(/\*{8}/g)).toHaveLength(3);
  const answer = { jsonrpc: '2.0', id: 2, result: data } as const;
  await channel.send(answer);
  expect(sent.at(-1)).toBe(answer);
  release();
});
