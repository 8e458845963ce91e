import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgressReport } from '@nexus/core';
import { describe, expect, it } from 'vitest';
import {
  beginSlowCall,
  fake,
  receivedBy,
  sourceOf,
  startDownstreams,
  textOf,
} from '../../test/downstreams-under-test.ts';

const box = (...servers: Parameters<typeof fake>[]) =>
  sourceOf({ a: { mcpServers: Object.fromEntries(servers.map((each, at) => [`s${at}`, fake(...each)])) } });

describe('a call', () => {
  it('reaches its server under the server’s own name, and the result comes back as it is', async () => {
    await using test = startDownstreams(box([{}, { tools: { rich: { name: 'wealthy' } } }]));
    const session = test.session('one');
    await session.open('a');
    const result = await session.call('a__s0__wealthy');
    expect(result).toEqual({
      content: [
        { type: 'text', text: 'text', annotations: { audience: ['user'], priority: 0.5 }, unknown: 1 },
        { type: 'image', data: expect.stringMatching(/^iVBOR/), mimeType: 'image/png' },
        { type: 'audio', data: 'c291bmQ=', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'fake://text', text: 'inside', mimeType: 'text/plain' } },
        { type: 'resource_link', uri: 'fake://link', name: 'link', size: 7 },
      ],
      structuredContent: { nested: { deep: [1, null, 'ü'] } },
      _meta: { 'fake/key': { kept: true } },
      unknownKey: 'kept',
    });
    expect(Object.keys(result)).toEqual(['content', 'structuredContent', '_meta', 'unknownKey']);
  });

  it('links by its server to what would be taken for Nexus’s own', async () => {
    await using test = startDownstreams(box([]));
    const session = test.session('one');
    await session.open('a');
    const { content } = await session.call('a__s0__rich', { link: 'nexus://results/5' });
    expect(content.at(-1)).toMatchObject({ uri: 'toolbox://a/s0/nexus%3A%2F%2Fresults%2F5' });
  });

  it('takes along what its caller said in _meta, but for the token of its own request, and the trace', async () => {
    await using test = startDownstreams(box([]));
    const session = test.session('one');
    await session.open('a');
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const meta = { 'x/y': { z: 1 }, progressToken: 'mine', traceparent, tracestate: 'v=1', baggage: 'k=v' };
    await session.call('a__s0__echo', {}, { meta, progress() {} });
    await session.call('a__s0__echo');
    const received = await receivedBy(session, 'a__s0__received');
    const sent = received.filter(({ params }) => params?.name === 'echo');
    expect(sent[0]?.params?._meta).toEqual({ ...meta, progressToken: expect.any(Number) });
    expect(sent[1]?.params?._meta).toEqual({
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
  });

  it('has its progress, the reports that come in one chunk with the result, too', async () => {
    await using test = startDownstreams(box([]));
    const session = test.session('one');
    await session.open('a');
    for (const tool of ['slow', 'burst']) {
      const reports: ProgressReport[] = [];
      const progress = (report: ProgressReport) => reports.push(report);
      await session.call(`a__s0__${tool}`, {}, { meta: { progressToken: 1 }, progress });
      expect(reports.map(({ progress: done, total }) => [done, total])).toEqual([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
    }
  });

  it('that is cancelled is cancelled at its server', async () => {
    await using test = startDownstreams(box([]));
    const session = test.session('one');
    await session.open('a');
    const call = await beginSlowCall(session, 'a__s0__slow');
    expect(await call.end()).toMatchObject({ _meta: { 'nexus/error': { code: 'NEXUS_CANCELLED' } } });
    const methods = (await receivedBy(session, 'a__s0__received')).map(({ method }) => method);
    expect(methods).toContain('notifications/cancelled');
  });

  it('whose arguments do not fit is answered with what is wrong, and not sent', async () => {
    await using test = startDownstreams(box([]));
    const session = test.session('one');
    await session.open('a');
    const result = await session.call('a__s0__echo', { message: 7 });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_INVALID_ARGUMENTS' } },
    });
    expect(textOf(result)).toContain('message: Instance type "number" is invalid');
  });

  it('that its server answers with an error has that error, of either kind', async () => {
    await using test = startDownstreams(box([]));
    const session = test.session('one');
    await session.open('a');
    expect(await session.call('a__s0__fail')).toEqual({
      content: [{ type: 'text', text: 'failed as asked' }],
      isError: true,
      _meta: { 'fake/why': 'asked' },
    });
    await expect(session.call('a__s0__fail', { code: -32042 })).rejects.toMatchObject({
      whose: 'a/s0',
      code: -32042,
      message: 'failed as asked',
      data: { asked: true },
    });
  });

  it('whose server tells what it was given in confidence has that masked, in either kind of error', async () => {
    await using test = startDownstreams(
      sourceOf({ a: { mcpServers: { s0: fake({}, { env: { MINE: 'sesame' } }) } } }),
    );
    const session = test.session('one');
    await session.open('a');
    expect(await session.call('a__s0__fail', { tell: 'MINE' })).toEqual({
      content: [{ type: 'text', text: 'failed with MINE=********' }],
      isError: true,
      _meta: { 'fake/why': 'asked', told: '********' },
    });
    await expect(session.call('a__s0__fail', { code: -32042, tell: 'MINE' })).rejects.toMatchObject({
      message: 'failed with MINE=********',
      data: { told: '********' },
    });
  });
});

describe('a server that dies in a call', () => {
  it('leaves a call that may not run twice with an unknown outcome, and no other server is harmed', async () => {
    await using test = startDownstreams(box([], [{ name: 'other' }]));
    const session = test.session('one');
    await session.open('a');
    const before = textOf(await session.call('a__s1__who'));
    const lost = await session.call('a__s0__die', { exitCode: 7 });
    expect(lost).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_OUTCOME_UNKNOWN' } },
    });
    expect(textOf(lost)).toMatch(/Server "s0".*code 7.*died as asked/s);
    expect(textOf(await session.call('a__s1__who'))).toBe(before);
    expect(textOf(await session.call('a__s0__echo', { message: 'back' }))).toBe('{"message":"back"}');
  });

  it.each([
    ['', 1, 1],
    [', however often it died just before', 3, 3],
  ])('runs a call that may run twice once more%s', async (_, calls, restarts) => {
    await using test = startDownstreams(sourceOf({}));
    const program = join(test.folder, 'dies-once.mjs');
    writeFileSync(program, DIES_ONCE);
    const dying = fake({}, { args: [program, join(test.folder, 'died'), ...(calls > 1 ? ['forgets'] : [])] });
    await test.downstreams.reconfigure(sourceOf({ a: { mcpServers: { s: dying } } }));
    const session = test.session('one');
    await session.open('a');
    for (let call = 0; call < calls; call += 1) {
      expect(textOf(await session.call('a__s__read'))).toBe('alive');
    }
    expect(test.downstreams.status()).toMatchObject([{ state: 'ready', restarts }]);
  });

  it('that answers no call is opened with the word that none is sent, and until when', async () => {
    await using test = startDownstreams(box([]));
    const session = test.session('one');
    expect((await session.open('a')).faults).toEqual([]);
    for (let call = 0; call < 5; call += 1) {
      await session.open('a');
      await session.call('a__s0__die', { exitCode: 7 });
    }
    const opened = await test.session('two').open('a');
    expect(opened.tools.length).toBeGreaterThan(0);
    expect(opened.faults).toEqual([
      {
        server: 's0',
        reason: expect.stringMatching(/none is sent before 20.*calls of them fail until then/),
      },
    ]);
  });
});

/** Dies in the first call it ever gets, and in every other one where it is told to forget. */
const DIES_ONCE = `
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [, , marker, forgets] = process.argv;
const tools = [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize') {
    answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'd', version: '1' } });
  } else if (method === 'tools/list') answer({ tools });
  else if (existsSync(marker)) {
    if (forgets) rmSync(marker);
    answer({ content: [{ type: 'text', text: 'alive' }] });
  } else {
    writeFileSync(marker, '');
    process.exit(1);
  }
});
`;
