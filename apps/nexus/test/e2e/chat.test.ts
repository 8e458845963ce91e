import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { calls, domains, startChat } from '../harness/chat.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { openTerminal } from '../harness/terminal.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp('chat.example', 'answers the source’s question by the source’s four messages', async () => {
  await using under = await startChat([
    calls({ name: 'getAllDomainsofUser', input: { userId: 1 }, id: 'toolu_abc123xyz' }),
    { text: 'You have 2 domains: DSA and React.' },
  ]);
  const { exitCode, stdout, stderr } = await runNexus(under.project, [
    'chat',
    'What domains do I have?',
    '--server',
    domains,
  ]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/^\[\S+: 2 model calls; 20 tokens in, 10 out; \$[\d.]+; [\d.]+ s\]$/),
  });
  expect(stdout).toBe(
    '[Calling tool getAllDomainsofUser with args {"userId":1}]\nYou have 2 domains: DSA and React.',
  );
  const [first, second] = under.endpoint.requests;
  expect([first?.fault, second?.fault]).toEqual([undefined, undefined]);
  const tools = first?.body.tools as { name: string }[] | undefined;
  expect(tools?.find(({ name }) => name === 'getAllDomainsofUser')).toMatchObject({
    description: 'Get all the domains of a user',
    input_schema: { type: 'object', properties: { userId: { type: 'number' } }, required: ['userId'] },
  });
  expect(second?.body.messages).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'What domains do I have?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'toolu_abc123xyz', name: 'getAllDomainsofUser', input: { userId: 1 } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_abc123xyz' }] },
  ]);
  const told = JSON.stringify(second?.body.messages);
  expect(told).toContain('\\"name\\":\\"DSA\\"');
  expect(told).not.toContain('Other');
  const listed = await runNexus(under.project, ['chat', '--list']);
  expect(listed.stdout).toMatch(/1 +What domains do I have\?$/m);
  const kept = await runNexus(under.project, ['chat', '--list', '--json']);
  expect(JSON.parse(kept.stdout)).toMatchObject([{ exchanges: 1, firstWords: 'What domains do I have?' }]);
});

verifiesApp(
  'chat.named',
  'says which files, lines and symbols of its answer are not in the project',
  async () => {
    const text =
      'See src/a.ts:1, deep/b.ts:1, `src/a.ts:9`, and src/none.ts: `greet()` and `greetEverybody()`, by `fetch()`.';
    const general = 'In most languages `greetEverybody()` would be a function.';
    await using under = await startChat([{ text }, { text }, { text: general }], undefined, {
      'src/a.ts': 'export function greet() {}',
      'src/deep/b.ts': 'one line',
    });
    const { stdout } = await runNexus(under.project, ['chat', 'Where is it?']);
    expect(stdout).toBe(`${text}\n[not found in the project: src/a.ts:9, src/none.ts, greetEverybody()]`);
    const { stdout: json } = await runNexus(under.project, ['chat', 'Where is it?', '--json']);
    expect(JSON.parse(json)).toMatchObject({
      text,
      missing: ['src/a.ts:9', 'src/none.ts', 'greetEverybody()'],
    });
    expect((await runNexus(under.project, ['chat', 'And elsewhere?'])).stdout).toBe(general);
  },
);

verifiesApp(
  'chat.lean',
  'tells each request of what reads the project, and finds the rest by need',
  async () => {
    const source = Array.from({ length: 120 }, (_, n) => `export const value${n} = ${n}; // line ${n}`).join(
      '\n',
    );
    await using under = await startChat(
      [
        calls({ name: 'read_file', input: { path: 'a.ts' } }),
        calls({ name: 'find_tools', input: { queries: ['memory stats'] } }),
        calls({ name: 'use_tool', input: { tool: 'memory_stats', arguments: {} } }),
        { text: 'It is 7.' },
      ],
      undefined,
      { 'a.ts': source },
    );
    const { exitCode, stdout } = await runNexus(under.project, ['chat', 'What is value7?']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /read_file .*\n.*find_tools .*\n\[Calling tool memory_stats with args {}\]\nIt is 7\.$/,
      ),
    });
    const bodies = under.endpoint.requests.map(({ body, fault }) => {
      expect(fault).toBeUndefined();
      return body as { tools: { name: string }[]; system: unknown; messages: unknown };
    });
    const [first] = bodies;
    expect(first?.tools.map(({ name }) => name)).toEqual([
      'extract_symbols',
      'git_history',
      'list_files',
      'read_file',
      'search_codebase',
      'search_usages',
      'find_tools',
      'use_tool',
    ]);
    for (const { tools, system } of bodies) expect({ tools, system }).toEqual(pick(first));
    expect(JSON.stringify(bodies[2]?.messages)).toMatch(/tool.{1,9}memory_stats.*readOnlyHint.*inputSchema/);
    // Two requests that took 26 300 tokens, 20 500 of them for all tools, so stay within 1.5 times the least, 7 000.
    expect(countTokens(JSON.stringify(first?.tools))).toBeLessThan(2_300);
  },
);

function pick(body: { readonly tools: unknown; readonly system: unknown } | undefined) {
  return { tools: body?.tools, system: body?.system };
}

verifiesApp('chat.histories', 'leaves histories that the provider takes, whatever its tools do', async () => {
  await using under = await startChat([
    calls(
      { name: 'getAllDomainsofUser', input: { userId: 1 } },
      { name: 'getAllDomainsofUser', input: { userId: 2 } },
      { name: 'failing', input: {} },
    ),
    calls({ name: 'noSuchTool', input: {} }, { name: 'addDomain', input: { userId: 1, name: 'x' } }),
    { text: 'So it is.', usage: { input: 100, output: 10 } },
  ]);
  const { exitCode, stdout, stderr } = await runNexus(under.project, [
    'chat',
    'Go on.',
    '--server',
    domains,
    '--json',
  ]);
  const answer = JSON.parse(stdout);
  expect({ exitCode, text: answer.text }).toEqual({ exitCode: 0, text: 'So it is.' });
  expect(answer.toolCalls).toEqual([
    { name: 'getAllDomainsofUser', isError: false },
    { name: 'getAllDomainsofUser', isError: false },
    { name: 'failing', isError: true },
    { name: 'noSuchTool', isError: true },
    // Not read-only, and nobody was there to allow it.
    { name: 'addDomain', isError: true },
  ]);
  expect(stderr).toMatch(/addDomain may change something and was not called: nobody is asked here/);
  expect(JSON.stringify(answer.messages)).toContain('nobody could be asked, and nobody said no');
  expect(answer.usage).toMatchObject({
    inputTokens: under.endpoint.usage.input,
    outputTokens: under.endpoint.usage.output,
  });
  expect(under.endpoint.requests.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
});

verifiesApp('chat.sessions', 'goes on with a conversation, with another provider’s model too', async () => {
  await using under = await startChat([
    calls({ name: 'getAllDomainsofUser', input: { userId: 1 } }),
    { text: 'Two.' },
    { text: 'DSA and React.' },
  ]);
  await runNexus(under.project, ['chat', 'How many domains?', '--server', domains]);
  const more = await runNexus(under.project, ['chat', 'Which?', '--continue', '--model', 'openai']);
  expect(more).toMatchObject({ exitCode: 0, stdout: 'DSA and React.' });
  const last = under.endpoint.requests.at(-1);
  expect(last).toMatchObject({ wire: 'openai-responses', fault: undefined });
  expect(JSON.stringify(last?.body.input)).toContain('How many domains?');
});

slowlyVerifiesApp('chat.sessions', 'goes on after a kill in the middle of a turn', async () => {
  await using under = await startChat([{ text: 'Hello Ada.' }, { hangs: true }, { text: 'You are Ada.' }]);
  const { project, endpoint } = under;
  await runNexus(project, ['chat', 'I am Ada.']);
  const { root: cwd, env } = project;
  const killed = execa(process.execPath, [bin, 'chat', 'Wait.', '--continue'], {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  await vi.waitFor(() => expect(endpoint.requests).toHaveLength(2), { timeout: 30_000 });
  killed.kill('SIGKILL');
  await killed;
  const { stdout } = await runNexus(project, ['chat', 'Who am I?', '--continue']);
  expect(stdout).toBe('You are Ada.');
  expect(JSON.stringify(endpoint.requests[2]?.body.messages)).toContain('I am Ada.');
  expect(endpoint.requests.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
});

slowlyVerifiesApp(
  'chat.sessions',
  'knows after a kill what the turn had done, and what it had cost',
  async () => {
    await using under = await startChat([
      { text: 'Hello Ada.' },
      calls({ name: 'getAllDomainsofUser', input: { userId: 1 } }),
      { hangs: true },
      { text: 'You have 2.' },
    ]);
    const { project, endpoint } = under;
    await runNexus(project, ['chat', 'I am Ada.']);
    const { root: cwd, env } = project;
    const args = [bin, 'chat', 'What domains do I have?', '--continue', '--server', domains];
    const killed = execa(process.execPath, args, {
      cwd,
      env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    await vi.waitFor(() => expect(endpoint.requests).toHaveLength(3), { timeout: 30_000 });
    killed.kill('SIGKILL');
    await killed;
    // Two answers of 15 tokens each, one of them in the turn that was killed.
    const capped = await runNexus(project, ['chat', 'How many?', '--continue', '--max-cost', '0.000001']);
    expect(capped.stderr).toMatch(/ 30 tokens and \$[\d.]+ spent or reserved/);
    const { stdout } = await runNexus(project, ['chat', 'How many?', '--continue']);
    expect(stdout).toBe('You have 2.');
    const sent = JSON.stringify(endpoint.requests[3]?.body.messages);
    expect(sent).toMatch(/What domains do I have\?.*tool_result.*DSA.*ended early.*How many\?/);
    expect(endpoint.requests.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined, undefined]);
  },
);

slowlyVerifiesApp(
  'chat.sessions',
  'names the call that a kill cut off, to the user and the model',
  async () => {
    await using under = await startChat([calls({ name: 'hanging', input: {} }), { text: 'I do not know.' }]);
    const { project, endpoint } = under;
    const { root: cwd, env } = project;
    const killed = execa(process.execPath, [bin, 'chat', 'Do it.', '--server', domains], {
      ...{ cwd, env, extendEnv: false, reject: false, stdin: 'ignore' },
    });
    let shown = '';
    killed.stdout.on('data', (data: Buffer) => {
      shown += data.toString();
    });
    await vi.waitFor(() => expect(shown).toContain('[Calling tool hanging'), { timeout: 30_000 });
    killed.kill('SIGKILL');
    await killed;
    const { stdout, stderr } = await runNexus(project, ['chat', 'Was it done?', '--continue']);
    expect(stdout).toBe('I do not know.');
    expect(stderr).toContain('in the middle of this call, and nobody saw what came of it');
    expect(stderr).toContain('[Calling tool hanging with args {}]');
    expect(JSON.stringify(endpoint.requests[1]?.body.messages)).toContain('Not known whether it was done');
    const { stderr: later } = await runNexus(project, ['chat', 'And now?', '--continue']);
    expect(later).not.toContain('in the middle of');
  },
);

verifiesApp('chat.terminal', 'streams, asks, cancels and resumes on a terminal of 40 columns', async () => {
  await using under = await startChat([
    {
      text: 'Here is a list of things that is longer than the window:\n\n- **one** thing\n\n```js\nconst a = 1;\n```',
    },
    calls(
      { name: 'addDomain', input: { userId: 1, name: 'Rust' } },
      { name: 'addDomain', input: { userId: 1, name: 'Go' } },
    ),
    { text: 'Added Rust.' },
    calls({ name: 'hanging', input: {} }),
    { text: 'Back again.' },
    calls({ name: 'askUser', input: {} }),
    { text: 'Hello Ada.' },
  ]);
  const terminal = openTerminal(under.project, ['chat', '--server', domains], 40);
  const screen = () => stripVTControlCharacters(terminal.shown());
  const shows = (pattern: RegExp) => vi.waitFor(() => expect(screen()).toMatch(pattern), { timeout: 30_000 });
  await shows(/tools of nexus, domains/);
  terminal.type('Make a list.\r');
  await shows(/\$0\.\d+\s+so\s+far/);
  // What stands around an answer breaks between words, too.
  expect(
    screen()
      .split(/\r?\n/)
      .every((line) => line.length <= 40),
  ).toBe(true);
  expect(screen()).toMatch(/Here is a list of things that is longer\r?\nthan the window:/);
  expect(screen()).toContain('• one thing');
  terminal.type('Add two.\r');
  await shows(/"name":"Rust"}\]\s+addDomain may change/);
  terminal.type('y\r');
  await shows(/"name":"Go"}\]\s+addDomain may change/);
  terminal.type('n\r');
  await shows(/Added Rust\./);
  terminal.type('Hang.\r');
  await shows(/Calling tool hanging/);
  terminal.type('\u0003');
  await shows(/you cancelled the turn/);
  terminal.type('Still there?\r');
  await shows(/Back again\./);
  expect(under.endpoint.requests.map(({ fault }) => fault)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const results = JSON.stringify(under.endpoint.requests[2]?.body.messages);
  expect(results).toContain('added');
  expect(results).toContain('the user said no');
  terminal.type('Ask me.\r');
  await shows(/domains asks: Which name\?/);
  terminal.type('Ada\r');
  await shows(/Hello Ada\./);
  expect(JSON.stringify(under.endpoint.requests.at(-1)?.body.messages)).toContain('Ada');
  terminal.type('/usage\r');
  await shows(/no cap/);
  terminal.type('\u0004');
  await shows(/nexus chat --resume/);
  expect(await terminal.exited).toBe(0);
});

verifiesApp('chat.pipe', 'takes a piped question, and answers without colours or prompts', async () => {
  await using under = await startChat([{ text: '# Title\n**bold**' }]);
  const { root: cwd, env } = under.project;
  const { stdout, stderr } = await execa(process.execPath, [bin, 'chat'], {
    cwd,
    env,
    extendEnv: false,
    input: 'What now?\n',
  });
  // As Markdown, so that it can go to a file.
  expect({ stdout, stderr }).toEqual({
    stdout: '# Title\n**bold**',
    // What it cost, beside the answer.
    stderr: expect.stringMatching(/^\[\S+: 1 model call; 10 tokens in, 5 out; [^\n]*; [\d.]+ s\]$/),
  });
  expect(JSON.stringify(under.endpoint.requests[0]?.body.messages)).toContain('What now?');
});
