import { readFile } from 'node:fs/promises';
import type { EndpointScript } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { calls, chatOnTerminal, domains, domainsServer, startChat } from '../harness/chat.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const told = (request: { readonly body: unknown } | undefined) => JSON.stringify(request?.body);

verifiesApp(
  'chat.commands',
  'saves, clears, resumes, exports, and changes the model in between',
  async () => {
    await using under = await startChat([
      { text: 'Hello Ada.' },
      { text: 'Nobody yet.' },
      { text: 'You are Ada.' },
      { text: 'Two lines.' },
    ]);
    const { endpoint, project } = under;
    const chat = chatOnTerminal(project, []);
    const opened = await chat.shows(/conversation [\w-]+; \/help/);
    const first = /conversation ([\w-]+);/.exec(opened)?.[1] ?? '';
    await chat.say('I am Ada.', /Hello Ada\.[\s\S]*so far/);
    await chat.say('/save About Ada', new RegExp(`saved as ${first}`));
    await chat.say('/clear', /new conversation [\w-]+/);
    await chat.say('Who am I?', /Nobody yet\.[\s\S]*so far/);
    expect(told(endpoint.requests[1])).not.toContain('I am Ada');
    const listed = await chat.say('/resume', /About Ada/);
    expect(listed).toContain('Who am I?');
    await chat.say(`/resume ${first}`, new RegExp(`Hello Ada\\.[\\s\\S]*resumed ${first}`));
    await chat.say('/model nope', /There is no model nope/);
    await chat.say('/model openai', /model: openai/);
    expect(await chat.say('/help', /of several lines/)).toMatch(/^\/quit or \/exit +leave/m);
    await chat.say('And who am I?', /You are Ada\.[\s\S]*so far/);
    expect(endpoint.requests[2]).toMatchObject({ wire: 'openai-responses', fault: undefined });
    expect(told(endpoint.requests[2])).toContain('I am Ada.');
    await chat.say('"""\rone\rtwo\r"""', /Two lines\.[\s\S]*so far/);
    expect(told(endpoint.requests[3])).toContain('one\\ntwo');
    await chat.say('/export talk.md', /written to .*talk\.md/);
    await chat.say(
      '/export none/talk.md',
      /none\/talk\.md: its\s+folder\s+is\s+not\s+there\. Name\s+another/,
    );
    expect(await readFile(project.path('talk.md'), 'utf8')).toMatch(
      /> I am Ada\.\n\nHello Ada\.\n\n> And who am I\?\n\nYou are Ada\.\n\n> one\n> two\n\nTwo lines\./,
    );
    await chat.say('/export talk.md', /talk\.md: it\s+is\s+there\s+already/);
    await chat.say('/resume nothing', /No conversation nothing/);
    await chat.say('/quit', new RegExp(`nexus chat --resume ${first}`));
    expect(await chat.exited).toBe(0);
    const { stdout } = await runNexus(project, ['chat', '--list']);
    expect(stdout).toMatch(/3 +About Ada$/m);
    expect(stdout).toMatch(/1 +Who am I\?$/m);
  },
);

verifiesApp('chat.servers', 'uses several servers, and answers one that asks the model', async () => {
  await using under = await startChat([
    calls({ name: 'server2__askModel', input: {} }),
    { text: 'DSA is.' },
    { text: 'It says DSA.' },
    calls({ name: 'domains__askModel', input: {} }),
    { text: 'It may not.' },
  ]);
  const { endpoint, project } = under;
  const chat = chatOnTerminal(project, [
    '--server',
    domains,
    '--server',
    domains,
    '--server',
    'no-such-program',
  ]);
  await chat.shows(/no-such-program is left out[\s\S]*tools of nexus/);
  await chat.say('/servers', /domains +\d+\s+server\d +\d+/);
  await chat.say('Ask it.', /wants to ask the model: .*Which one is best\?/);
  await chat.say('y', /It says DSA\.[\s\S]*so far/);
  expect(told(endpoint.requests[1])).toContain('Which one is best?');
  expect(told(endpoint.requests[2])).toContain('DSA is.');
  await chat.say('Ask again.', /wants to ask the model/);
  await chat.say('n', /It may not\.[\s\S]*so far/);
  expect(told(endpoint.requests[4])).toContain('User rejected sampling request');
  expect(endpoint.requests).toHaveLength(5);
  chat.type('\u0004');
  expect(await chat.exited).toBe(0);
});

/** Its tools have the names that Nexus gives them, among those that are to be found. */
const hangThenAnswer: EndpointScript = ({ body }, index) => {
  if (index > 0) return { text: 'It is too slow.' };
  const [tool = 'none'] = /\bslow\w+hanging\b/.exec(JSON.stringify(body.tools)) ?? [];
  return calls({ name: 'use_tool', input: { tool } });
};

slowlyVerifiesApp('chat.histories', 'tells the model of a tool that times out, and goes on', async () => {
  await using under = await startChat(hangThenAnswer, {
    toolboxes: {
      slow: {
        description: 'Slow',
        mcpServers: { d: { command: process.execPath, args: [domainsServer], timeoutMs: 500 } },
      },
    },
  });
  const { stdout, stderr, exitCode } = await runNexus(under.project, ['chat', 'Go.']);
  expect({ exitCode, stderr, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('It is too slow.'),
  });
  const [request, second] = under.endpoint.requests;
  expect([request?.fault, second?.fault]).toEqual([undefined, undefined]);
  expect(told(second)).toMatch(/"is_error":true/);
  expect(JSON.stringify(second?.body.messages)).toMatch(/500 ms|timed out|no answer/i);
});

verifiesApp(
  'chat.cap',
  'pauses at its cap, holds it when it is resumed, and goes on once it is raised',
  async () => {
    await using under = await startChat([
      {
        tools: [{ name: 'getAllDomainsofUser', input: { userId: 1 } }],
        usage: { input: 1_000_000, output: 100_000 },
      },
      { text: 'Two.' },
    ]);
    const { endpoint, project } = under;
    const args = ['--server', domains, '--max-cost', '2'];
    const first = await runNexus(project, ['chat', 'How many?', ...args]);
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toMatch(/cap of \$2[\s\S]*nexus chat --resume [\w-]+ with a higher --max-cost/);
    const second = await runNexus(project, ['chat', 'Well?', '--continue', ...args]);
    expect({ code: second.exitCode, requests: endpoint.requests.length }).toEqual({ code: 1, requests: 1 });
    const chat = chatOnTerminal(project, ['--continue', ...args]);
    await chat.shows(/tools of nexus/);
    await chat.say('Well?', /cap of \$2[\s\S]*Raise\s+it\s+by\s+\/cap/);
    await chat.say('/clear', /new conversation/);
    await chat.say('/usage', /\$0\.0000 spent.*cap \$2/);
    await chat.say('/resume', /How many\?/);
    const { stdout } = await runNexus(project, ['chat', '--list', '--json']);
    const { id } = (JSON.parse(stdout) as { id: string; firstWords: string }[]).find(
      ({ firstWords }) => firstWords === 'How many?',
    ) ?? { id: 'none' };
    await chat.say(`/resume ${id}`, /resumed/);
    await chat.say('Well?', /cap of \$2[\s\S]*Raise\s+it\s+by\s+\/cap/);
    expect(endpoint.requests).toHaveLength(1);
    await chat.say('/cap 100', /cap \$100/);
    await chat.say('Well?', /Two\.[\s\S]*so far/);
    expect(endpoint.requests[1]?.fault).toBeUndefined();
    chat.type('\u0004');
    expect(await chat.exited).toBe(0);
  },
);

slowlyVerifiesApp('chat.commands', 'renders the answer to one question on a terminal, too', async () => {
  const answer =
    '# Answer\n\nIt is **here**, and what it says is long enough for more than one row of the window.\n';
  await using under = await startChat([{ text: answer }]);
  const chat = chatOnTerminal(under.project, ['Where?'], 60);
  await chat.shows(/\[\w+:.*\d tokens/);
  expect(await chat.exited).toBe(0);
  const screen = chat.screen();
  expect(screen).toContain('It is here, and');
  expect(screen).not.toContain('**');
  expect(screen.split('\n').every((line) => line.length <= 60)).toBe(true);
});

slowlyVerifiesApp('chat.commands', 'lists its commands whole in a narrow window', async () => {
  await using under = await startChat([]);
  const chat = chatOnTerminal(under.project, [], 60);
  await chat.shows(/\/help/);
  const help = await chat.say('/help', /cancels a\s+turn\./);
  expect(help.replace(/\s+/g, ' ')).toContain(
    'how much a conversation may cost; a turn that would exceed it is not made',
  );
  expect(help).not.toContain('…');
  expect(help.split('\n').every((line) => line.length <= 60)).toBe(true);
  chat.type('\u0004');
  expect(await chat.exited).toBe(0);
});

verifiesApp('chat.commands', 'never counts a call that was cancelled as nothing', async () => {
  await using under = await startChat([{ hangs: true }, { text: 'Here.' }]);
  const chat = chatOnTerminal(under.project, []);
  await chat.shows(/conversation [\w-]+; \/help/);
  chat.type('Where?\r');
  await vi.waitFor(() => expect(under.endpoint.requests).toHaveLength(1), { timeout: 30_000 });
  chat.type('\u0003');
  await chat.shows(/you cancelled the turn; cost not known of 1 call, interrupted\]/);
  const used = await chat.say('/usage', /with summaries and servers/);
  expect(used).toContain(
    'cost not known of 1 call, interrupted in this conversation; $0.0000 known to be spent',
  );
  await chat.say('Where?', /\$0\.\d{4} known so far/);
  chat.type('\u0004');
  expect(await chat.exited).toBe(0);
  // It is said of the conversation wherever that goes on.
  const again = chatOnTerminal(under.project, ['--continue']);
  await again.shows(/\/help/);
  await again.say(
    '/usage',
    /cost not known of 1 more call, interrupted in this conversation; .*known to be spent/,
  );
  again.type('\u0004');
  expect(await again.exited).toBe(0);
});

verifiesApp('chat.commands', 'keeps no conversation in which nothing was said', async () => {
  await using under = await startChat([{ text: 'Hello.' }]);
  const chat = chatOnTerminal(under.project, []);
  await chat.shows(/\/help/);
  await chat.say('/save Mine', /nothing is said yet/);
  await chat.say('Hello?', /so far/);
  await chat.say('/clear', /new conversation/);
  chat.type('\u0004');
  expect(await chat.exited).toBe(0);
  expect(chat.screen()).not.toContain('--resume');
  const { stdout } = await runNexus(under.project, ['chat', '--list', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ firstWords: 'Mine', exchanges: 1 }]);
});

slowlyVerifiesApp('chat.commands', 'breaks no word of what it says beside an answer', async () => {
  const input = { query: 'a search for words that are longer than one row of the window' };
  await using under = await startChat([calls({ name: 'search_codebase', input }), { text: 'None.' }]);
  const chat = chatOnTerminal(under.project, [], 60);
  await chat.shows(/\/help/);
  const said = await chat.say('Look.', /None\.[\s\S]*so\s+far/);
  expect(said).toContain('[Calling tool search_codebase');
  // What was typed stands there too, with what readline does to its row.
  const rows = said.slice(said.indexOf('[Calling')).split('\n');
  expect(rows.filter((row) => row.length > 60)).toEqual([]);
  chat.type('\u0004');
  expect(await chat.exited).toBe(0);
});
