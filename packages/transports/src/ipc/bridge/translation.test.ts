import type { JsonRpcMessage } from '@nexus/core';
import { describe, expect, it } from 'vitest';
import { createProgressOffsets } from './progress-offsets.ts';
import { createServerRequests } from './server-requests.ts';
import { createToolHints } from './tool-hints.ts';

const message = (rest: Omit<JsonRpcMessage, 'jsonrpc'>): JsonRpcMessage => ({ jsonrpc: '2.0', ...rest });

describe('which requests may run twice', () => {
  const hints = createToolHints();
  hints.learn({
    tools: [
      { name: 'reads', annotations: { readOnlyHint: true } },
      { name: 'sets', annotations: { readOnlyHint: false, idempotentHint: true } },
      { name: 'adds', annotations: { readOnlyHint: false, idempotentHint: false } },
      { name: 'bare' },
      { name: 'keyed', inputSchema: { properties: { idempotencyKey: {} } } },
    ],
  });
  const call = (params: Record<string, unknown>) =>
    hints.mayRepeat(message({ id: 1, method: 'tools/call', params }));

  it.each([
    ['a tool that reads', { name: 'reads' }, true],
    ['a tool that sets', { name: 'sets' }, true],
    ['a tool that adds', { name: 'adds' }, false],
    ['a tool without hints', { name: 'bare' }, false],
    ['a call with a key', { name: 'keyed', arguments: { idempotencyKey: 'k' } }, true],
    ['a call with a key beside its arguments', { name: 'keyed', arguments: {}, idempotencyKey: 'k' }, true],
    ['a call with a key in args', { name: 'keyed', args: { idempotencyKey: 'k' } }, true],
    ['a call with an empty key', { name: 'keyed', arguments: { idempotencyKey: '' } }, false],
    ['a call without its key', { name: 'keyed', arguments: {} }, false],
    ['a key that the tool does not know', { name: 'adds', arguments: { idempotencyKey: 'k' } }, false],
    ['a tool that no list has named', { name: 'other' }, undefined],
  ])('%s', (_, params, expected) => {
    expect(call(params)).toBe(expected);
  });

  it('every other method', () => {
    expect(hints.mayRepeat(message({ id: 1, method: 'resources/read' }))).toBe(true);
  });
});

describe('questions of owners to the host', () => {
  const question = (id: number) => message({ id, method: 'roots/list' });

  it('keep their ids while no owner has died', () => {
    const requests = createServerRequests();
    expect(requests.toHost(question(0), 0).id).toBe(0);
    expect(requests.ownerId(0)).toBe(0);
  });

  it('are taken back when their owner dies, and a late answer reaches nobody', () => {
    const requests = createServerRequests();
    requests.toHost(question(0), 0);
    expect(requests.ownerGone()).toEqual([0]);
    expect(requests.ownerId(0)).toBeUndefined();
    expect(requests.toHost(question(0), 0).id).toBe(0);
  });

  it('get another id when a late answer could be taken for theirs', () => {
    const requests = createServerRequests();
    requests.toHost(question(0), 0);
    requests.ownerGone();
    const { id } = requests.toHost(question(0), 0);
    expect(id).not.toBe(0);
    expect(requests.hostId(0)).toBe(id);
    expect(requests.ownerId(0)).toBeUndefined();
    expect(requests.ownerId(id ?? '')).toBe(0);
  });
});

describe('progress of a call that runs again', () => {
  const report = (progress: number, total?: number) =>
    message({
      method: 'notifications/progress',
      params: { progressToken: 't', progress, ...(total ? { total } : {}) },
    });

  it('goes on from where the host saw it', () => {
    const offsets = createProgressOffsets();
    const first = report(3, 10);
    expect(offsets.toHost(first)).toBe(first);
    offsets.ownerGone();
    expect(offsets.toHost(report(1, 10)).params).toMatchObject({ progress: 4, total: 13 });
    offsets.ownerGone();
    expect(offsets.toHost(report(2)).params).toMatchObject({ progress: 6 });
  });

  it('begins anew when the token is used again', () => {
    const offsets = createProgressOffsets();
    offsets.toHost(report(3));
    offsets.ownerGone();
    const asked = message({ id: 1, method: 'tools/call', params: { _meta: { progressToken: 't' } } });
    offsets.answered({ message: asked });
    const again = report(1);
    expect(offsets.toHost(again)).toBe(again);
  });
});
