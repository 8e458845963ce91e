import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyFaults, memoryLedger } from '@nexus/conversation';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { type ScriptedAnswer, scriptedModels } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ChatEvent, type ChatOptions, createChat, type Permission } from './create-chat.ts';
import { type ServerTool, serverTools } from './servers/chat-server.ts';
import { sessionStore } from './sessions/session-store.ts';

const idle = { signal: new AbortController().signal };
const searchTools: ChatOptions['searchTools'] = async () => () => [];
const said = (text: string): ToolCallResult => ({ content: [{ type: 'text', text }] });

function tool(name: string, call: ServerTool['call'], isReadOnly = true): ServerTool {
  return {
    name,
    server: 's',
    origin: name,
    description: name,
    inputSchema: { type: 'object' },
    isReadOnly,
    reachesOut: true,
    isFirst: true,
    isOwn: true,
    call,
  };
}

describe('a chat', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nexus-chat-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function start(script: Parameters<typeof scriptedModels>[0], given: Partial<ChatOptions> = {}) {
    const models = scriptedModels(script);
    const store = sessionStore(folder);
    const session = given.session ?? store.begin();
    const permit = given.permit ?? (async (): Promise<Permission> => 'no');
    return {
      models,
      store,
      chat: createChat({ models, store, session, tools: () => [], searchTools, permit, ...given }),
    };
  }

  it('keeps the source’s pattern: user, tool use, tool result, answer', async () => {
    const look = tool('getAllDomainsofUser', async () => said('[{"id":1,"name":"DSA"}]'));
    const { chat } = start(
      [{ tools: [{ name: 'getAllDomainsofUser', input: { userId: 1 } }] }, 'You have 1 domain: DSA.'],
      { tools: () => [look] },
    );
    const { text } = await chat.ask('What domains do I have?', idle);
    expect(text).toBe('You have 1 domain: DSA.');
    expect(chat.session.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'What domains do I have?' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', name: 'getAllDomainsofUser', input: { userId: 1 } }],
      },
      { role: 'user', content: [{ type: 'tool_result' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'You have 1 domain: DSA.' }] },
    ]);
  });

  it('has each call on record before it is made: of one that a kill cut off, nobody saw the end', async () => {
    const asked = [
      { name: 'done', input: { a: 1 } },
      { name: 'sends', input: { to: 'ann' } },
      { name: 'later', input: {} },
    ];
    /** What another process finds once this one is killed. */
    let found: { names: string[]; told: string } | undefined;
    const sends = tool(
      'sends',
      async () => {
        const store = sessionStore(folder);
        const session = await store.load();
        found = {
          names: store.unseenCalls(session).map(({ name }) => name),
          told: JSON.stringify(session.messages),
        };
        return said('sent');
      },
      false,
    );
    const tools = [tool('done', async () => said('ok')), sends, tool('later', async () => said('ok'))];
    const { chat, store } = start([{ tools: asked }, 'All done.'], {
      tools: () => tools,
      permit: async () => 'once',
    });
    await chat.ask('Send it.', idle);
    expect(found?.names).toEqual(['sends']);
    expect(found?.told).toMatch(
      /It was called, and what it answered is lost: .*Not known whether it was done: .*Not called: Nexus was ended/,
    );
    const after = await store.load();
    expect(store.unseenCalls(after)).toEqual([]);
  });

  it('makes no call that it can’t put on record', async () => {
    let made = 0;
    const sends = tool('sends', async () => said(String(++made)), false);
    const store = sessionStore(folder);
    const { chat } = start([{ tools: [{ name: 'sends', input: {} }] }, 'Done.'], {
      tools: () => [sends],
      store: {
        ...store,
        note(session, messages) {
          if (Object.values(session.calls ?? {}).includes('made')) throw new Error('the disk is full');
          store.note(session, messages);
        },
      },
      permit: async () => 'once',
    });
    await expect(chat.ask('Send it.', idle)).rejects.toThrow('the disk is full');
    expect(made).toBe(0);
  });

  it('is on disk after every turn, found by its first words, and carried on', async () => {
    const first = start(['Hello Ada.']);
    await first.chat.ask('I am Ada.', idle);
    const [outline] = await first.store.list();
    expect(outline).toMatchObject({ firstWords: 'I am Ada.', exchanges: 1 });
    const loaded = await first.store.load(outline?.id.slice(0, 12));
    const second = start(['Ada.'], { session: loaded });
    await second.chat.ask('Who am I?', idle);
    expect(JSON.stringify(second.models.requests[0]?.prompt)).toContain('I am Ada.');
    expect((await first.store.load()).messages).toHaveLength(4);
    await expect(first.store.load('nothing')).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  });

  it('remembers what was allowed by what the tool is, not by what it is called', async () => {
    const called: string[] = [];
    const named = (origin: string): ServerTool => ({
      ...tool('note', async () => said(String(called.push(origin))), false),
      origin,
    });
    const use = { tools: [{ name: 'note', input: {} }] };
    const permit = vi.fn<ChatOptions['permit']>().mockResolvedValueOnce('always').mockResolvedValue('no');
    let tools = [named('t__s__add_note')];
    const { chat } = start([use, 'Done.', use, 'Done.', use, 'Done.'], { tools: () => tools, permit });
    await chat.ask('a', idle);
    await chat.ask('b', idle);
    tools = [named('t__s__delete_all')];
    await chat.ask('c', idle);
    expect(called).toEqual(['t__s__add_note', 't__s__add_note']);
    expect(permit).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['no', 'the user said no'],
    ['nobody to ask', 'nobody could be asked, and nobody said no'],
  ] as const)('tells the model of %j just that', async (permission, words) => {
    const write = tool('write', async () => said('written'), false);
    const { chat } = start([{ tools: [{ name: 'write', input: {} }] }, 'Done.'], {
      tools: () => [write],
      permit: async () => permission,
    });
    await chat.ask('Write.', idle);
    expect(JSON.stringify(chat.session.messages)).toContain(words);
  });

  it('asks about each call that may write outward once it knows untrusted text and private data, also when resumed', async () => {
    const answer = (label: object) => ({ ...said('done'), _meta: { 'nexus/label': label } });
    const labelled = (name: string, label: object) => tool(name, async () => answer(label), true);
    const open = { trust: 'trusted', privacy: 'public' };
    const post = vi.fn(async () => answer(open));
    const tools: ServerTool[] = [
      labelled('issue', { trust: 'untrusted', privacy: 'public' }),
      labelled('file', { trust: 'trusted', privacy: 'private' }),
      { ...tool('post', post, false), reachesOut: true },
      { ...tool('note', async () => answer(open), false), reachesOut: false },
    ];
    const permit = vi.fn<ChatOptions['permit']>().mockResolvedValue('always');
    const use = (name: string): ScriptedAnswer => ({ tools: [{ name, input: {} }] });
    const uses = ['post', 'note', 'issue', 'post', 'file', 'note', 'post', 'post'];
    const script = uses.flatMap((name) => [use(name), 'Done.']);
    const { chat, store } = start(script, { tools: () => tools, permit, maxExchanges: 10 });
    for (const _ of uses) await chat.ask('go', idle);
    expect(permit.mock.calls.map(([{ name }]) => name)).toEqual(['post', 'note', 'post', 'post']);
    permit.mockResolvedValue('no');
    const resumed = start(['They posted.', use('post'), 'Done.'], {
      tools: () => tools,
      permit,
      session: await store.load(chat.session.id),
    });
    await resumed.chat.ask('go', idle);
    expect(permit).toHaveBeenCalledTimes(5);
    expect(post).toHaveBeenCalledTimes(4);
  });

  it('takes the word of no other server for what its answers are', async () => {
    const harmless = { trust: 'trusted', privacy: 'public' };
    const look: ServerTool = {
      ...tool('look', async () => ({ ...said('done'), _meta: { 'nexus/label': harmless } })),
      ...{ isOwn: false, reachesOut: false },
    };
    const { chat } = start([{ tools: [{ name: 'look', input: {} }] }, 'Done.'], { tools: () => [look] });
    await chat.ask('Look.', idle);
    expect(chat.session.knows).toEqual({ untrusted: 'look', private: 'look' });
  });

  it('asks before a tool that is not read-only: once, always for the tool, or no', async () => {
    const write = vi.fn(async () => said('written'));
    const permit = vi
      .fn<ChatOptions['permit']>()
      .mockResolvedValueOnce('no')
      .mockResolvedValueOnce('once')
      .mockResolvedValueOnce('always');
    const turn = (to: string): ScriptedAnswer => ({ tools: [{ name: 'write', input: { to } }] });
    const script = ['a', 'b', 'c', 'd'].flatMap((to) => [turn(to), 'Done.']);
    const { chat } = start(script, { permit, tools: () => [tool('write', write, false)] });
    for (const _ of 'abcd') await chat.ask('go', idle);
    expect(permit.mock.calls.map(([use]) => use.input)).toEqual([{ to: 'a' }, { to: 'b' }, { to: 'c' }]);
    expect(write).toHaveBeenCalledTimes(3);
  });

  it('that is cancelled in the middle of a turn keeps a history that is valid and goes on', async () => {
    const caller = new AbortController();
    const hanging = tool('hang', () => {
      caller.abort(new Error('stop'));
      return new Promise(() => {});
    });
    const { chat } = start([{ tools: [{ name: 'hang', input: {} }] }, 'Fine.'], { tools: () => [hanging] });
    await expect(chat.ask('go', { signal: caller.signal })).rejects.toThrow('stop');
    expect(chat.session.messages).toHaveLength(4);
    expect((await chat.ask('again', idle)).text).toBe('Fine.');
    expect(historyFaults(chat.session.messages.slice(0, -1))).toEqual([]);
  });

  it('forgets a turn of which nothing came', async () => {
    const { chat } = start([new Error('down'), 'Up.']);
    await expect(chat.ask('one', idle)).rejects.toThrow('down');
    expect(chat.session.messages).toEqual([]);
    await chat.ask('two', idle);
    expect(chat.session.messages).toHaveLength(2);
  });

  it('summarises past five exchanges, shows it, and sends it in their place', async () => {
    const { chat, models } = start((request) =>
      request.system?.startsWith('You summarise') ? 'They counted.' : 'Yes.',
    );
    const events: ChatEvent[] = [];
    for (let n = 1; n <= 6; n += 1)
      await chat.ask(`number ${n}`, { ...idle, onEvent: (event) => events.push(event) });
    expect(events.filter(({ type }) => type === 'summary')).toEqual([
      { type: 'summary', summary: { text: 'They counted.', covers: 6 } },
    ]);
    const last = JSON.stringify(models.requests.at(-1)?.prompt);
    expect(last).toContain('They counted.');
    expect(last).not.toContain('number 3');
    expect(last).toContain('number 4');
    expect(chat.session.messages).toHaveLength(12);
  });

  it('goes on without a summary where none can be made', async () => {
    const { chat } = start((request) =>
      request.system?.startsWith('You summarise') ? new Error('no') : 'Yes.',
    );
    for (let n = 1; n <= 7; n += 1) await chat.ask(`number ${n}`, idle);
    expect(chat.session.messages).toHaveLength(14);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t'],
    ['a call alone', { tools: [{ name: 'look', input: {} }] }],
  ])('takes %s for no summary, sends everything, and asks again', async (_what, empty) => {
    let summaries = 0;
    const { chat, models } = start((request): ScriptedAnswer => {
      if (!request.system?.startsWith('You summarise')) return 'Yes.';
      summaries += 1;
      return summaries === 1 ? empty : 'They counted.';
    });
    const shown: ChatEvent[] = [];
    const show = (event: ChatEvent) => void (event.type === 'summary' && shown.push(event));
    for (let n = 1; n <= 6; n += 1) await chat.ask(`number ${n}`, { ...idle, onEvent: show });
    expect(shown).toEqual([]);
    expect(chat.session.summary).toBeUndefined();
    expect(JSON.stringify(models.requests.at(-1)?.prompt)).toContain('number 1');
    const turn = await chat.ask('number 7', { ...idle, onEvent: show });
    // The summary was paid for, too.
    expect(turn).toMatchObject({ calls: 2, usage: { inputTokens: 20, outputTokens: 10 } });
    expect(shown).toMatchObject([{ summary: { text: 'They counted.' } }]);
  });

  it('asks no model once its file is gone, and leaves no part of one', async () => {
    const { chat, models, store } = start(() => 'Yes.');
    await chat.ask('one', idle);
    await store.settled();
    expect(store.isLost(chat.session)).toBe(false);
    rmSync(folder, { recursive: true });
    await expect(chat.ask('two', idle)).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      message: expect.stringContaining('The file of this conversation is gone'),
    });
    expect(models.requests).toHaveLength(1);
    expect(store.isLost(chat.session)).toBe(true);
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
  });

  it('says that its file is gone which goes in the middle of a turn', async () => {
    let isGone = false;
    const { chat } = start(() => {
      if (isGone) rmSync(folder, { recursive: true });
      return 'Yes.';
    });
    await chat.ask('one', idle);
    isGone = true;
    await expect(chat.ask('two', idle)).rejects.toThrow('The file of this conversation is gone');
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
  });

  it('keeps the whole of a long result in a file, and tells the model where, and that it can’t read it there', async () => {
    const long = 'z'.repeat(30_000);
    const { chat, models } = start([{ tools: [{ name: 'dump', input: {} }] }, 'Long.'], {
      tools: () => [tool('dump', async () => said(long))],
    });
    await chat.ask('go', idle);
    const place = join(folder, 'results', chat.session.id);
    const [file = ''] = readdirSync(place);
    expect(readFileSync(join(place, file), 'utf8')).toBe(long);
    expect(JSON.stringify(models.requests[1]?.prompt)).toContain(
      `${join(place, file)}, for your user to open: no tool of yours reads it`,
    );
  });

  it('pauses at its cap with what was done, and goes on once it is raised', async () => {
    const ledger = memoryLedger({ tokens: 20 });
    const { chat } = start(['One.', 'Two.'], { ledger });
    await chat.ask('1', idle);
    await expect(chat.ask('2', idle)).rejects.toMatchObject({ code: 'NEXUS_BUDGET_EXCEEDED' });
    ledger.cap = { tokens: 100 };
    expect((await chat.ask('2', idle)).text).toBe('Two.');
    expect(chat.session.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(chat.session.spent).toEqual(ledger.spent);
    expect(chat.session.spent?.tokens).toBe(30);
  });
});

it('asks about the tool that a use of use_tool stands for, shows that one, and begins each request alike', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-chat-'));
  const long = (name: string, isReadOnly: boolean, isFirst = false): ServerTool => ({
    ...tool(name, async () => said(`${name} was called`), isReadOnly),
    description: `${name} `.repeat(1_000),
    isFirst,
  });
  const tools = [
    tool('read_file', async () => said('text')),
    long('look_up', true),
    long('write_note', false),
  ];
  const indirect = (name: string): ScriptedAnswer => ({
    tools: [{ name: 'use_tool', input: { tool: name, arguments: { a: 1 } } }],
  });
  const models = scriptedModels([indirect('look_up'), indirect('write_note'), 'Done.']);
  const store = sessionStore(folder);
  const permit = vi.fn<ChatOptions['permit']>().mockResolvedValue('no');
  const chat = createChat({ models, store, session: store.begin(), tools: () => tools, searchTools, permit });
  const shown: unknown[] = [];
  const { toolCalls } = await chat.ask('Go.', {
    ...idle,
    onEvent: (event) => event.type === 'tool_use' && shown.push([event.use.name, event.use.input]),
  });
  await store.settled();
  rmSync(folder, { recursive: true, force: true });
  expect(toolCalls).toEqual([
    { name: 'look_up', isError: false },
    { name: 'write_note', isError: true },
  ]);
  expect(permit.mock.calls.map(([use, asked]) => [use.name, asked.name])).toEqual([
    ['write_note', 'write_note'],
  ]);
  expect(shown).toEqual([
    ['look_up', { a: 1 }],
    ['write_note', { a: 1 }],
  ]);
  const [first, ...others] = models.requests.map((request) => request.tools);
  expect(first?.map(({ name }) => name)).toEqual(['read_file', 'find_tools', 'use_tool']);
  for (const told of others) expect(told).toEqual(first);
  // What the model said stays what it said.
  expect(JSON.stringify(chat.session.messages)).toContain('"name":"use_tool"');
});

it('gives every tool of several servers a name of its own, and takes what is not said for the worst', async () => {
  const asked: unknown[] = [];
  const server = (name: string, tools: readonly object[]) => ({
    name,
    id: name,
    isOwn: true,
    isFirst: () => true,
    connection: {
      list: async () => tools,
      request: async (method: string, params: unknown) => {
        asked.push([name, method, params]);
        return { content: [] };
      },
    },
  });
  const look = {
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  };
  const tools = await serverTools([server('a', [look, { name: 'write' }]), server('b', [look])], idle.signal);
  expect(tools.map(({ origin }) => origin)).toEqual(['["a","look"]', '["a","write"]', '["b","look"]']);
  expect(tools.map(({ name, isReadOnly }) => [name, isReadOnly])).toEqual([
    ['a__look', true],
    ['write', false],
    ['b__look', true],
  ]);
  await tools[2]?.call({ at: 1 }, idle);
  expect(asked).toEqual([['b', 'tools/call', { name: 'look', arguments: { at: 1 } }]]);
});

it('knows a tool of a toolbox by what Nexus says that it is', async () => {
  const listed = [
    { name: 'add_note', _meta: { 'nexus/origin': 't__s__delete_all' } },
    { name: 't__s__note' },
  ];
  const connection = { list: async () => listed, request: async () => ({}) };
  const tools = await serverTools(
    [{ name: 'nexus', id: 'nexus', connection, isOwn: true, isFirst: () => true }],
    idle.signal,
  );
  expect(tools.map(({ origin }) => origin)).toEqual([
    '["nexus","t__s__delete_all"]',
    '["nexus","t__s__note"]',
  ]);
  const [another] = await serverTools(
    [{ name: 's', id: 's', connection, isOwn: false, isFirst: () => true }],
    idle.signal,
  );
  expect(another?.origin).toBe('["s","add_note"]');
});

it('reads what a server answered outside of the protocol', async () => {
  const connection = { list: async () => [{ name: 'old' }], request: async () => ({ toolResult: { a: 1 } }) };
  const [old] = await serverTools(
    [{ name: 's', id: 's', connection, isOwn: true, isFirst: () => true }],
    idle.signal,
  );
  expect(await old?.call({}, idle)).toMatchObject({ content: [{ type: 'text', text: '{"a":1}' }] });
});
