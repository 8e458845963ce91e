import { pathToFileURL } from 'node:url';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { sharedServer } from '../harness/shared-server.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { verifies, verifiesAnew } from '../harness/verifies.ts';

const config = {
  toolboxes: { box: { description: 'One server.', mcpServers: { it: fakeServer() } } },
};

const shared = sharedServer({ config });

verifies('toolbox.progress', 'brings every report, as the server numbers them', async (way) => {
  const { server } = await shared(way);
  await openToolbox(server.session, 'box');
  for (const [tool, wanted] of [
    ['slow', ['box/it: step 1', 'box/it: step 2', 'box/it: step 3']],
    ['burst', [undefined, undefined, undefined]],
  ] as const) {
    const { result } = await server.session.call(`box__it__${tool}`, {}, { _meta: { progressToken: tool } });
    expect(result.isError).toBeFalsy();
    const reports = server.session.received.filter(
      ({ method, params }) => method === 'notifications/progress' && params.progressToken === tool,
    );
    expect(
      reports.map(({ params }) => [params.progress, params.total]),
      tool,
    ).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(
      reports.map(({ params }) => params.message),
      tool,
    ).toEqual(wanted);
  }
});

verifiesAnew(
  'toolbox.ask',
  'asks the caller’s model, user and roots, and hands the answers on',
  async (way) => {
    await using project = await makeProject({ config });
    const capabilities = { sampling: {}, elicitation: {}, roots: {} };
    await using server = await way.open(project, { capabilities });
    const answers = {
      'sampling/createMessage': {
        role: 'assistant',
        model: 'm',
        content: { type: 'text', text: 'yes' },
        own: [1],
      },
      'elicitation/create': { action: 'accept', content: { name: 'Ada' }, _meta: { 'example.com/a': 1 } },
      'roots/list': { roots: [{ uri: 'file:///tmp', name: 'tmp', _meta: { a: 1 } }] },
    };
    for (const [method, answer] of Object.entries(answers)) server.session.onRequest(method, () => answer);
    await openToolbox(server.session, 'box');
    const params = {
      'sampling/createMessage': {
        messages: [{ role: 'user', content: { type: 'text', text: 'sure?' } }],
        maxTokens: 5,
        own: { kept: true },
      },
      'elicitation/create': {
        message: 'Who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
      'roots/list': {},
    };
    for (const [method, answer] of Object.entries(answers)) {
      const asked = { method, params: params[method as keyof typeof params] };
      const { result } = await server.session.call('box__it__ask', asked);
      // Who comes by the network names no folder that is not the project's: roots.test.ts.
      const isNarrowed = method === 'roots/list' && way.name === 'http';
      const narrowed = { roots: [{ uri: pathToFileURL(project.root).href, name: expect.any(String) }] };
      expect(result.structuredContent, method).toEqual({ result: isNarrowed ? narrowed : answer });
      const request = server.session.received.findLast((message) => message.method === method);
      const shown = method === 'elicitation/create' ? { message: 'box/it asks: Who?' } : {};
      expect(request?.params ?? {}, method).toMatchObject({ ...asked.params, ...shown });
    }
  },
);

verifies('toolbox.cancel', 'ends the work at the server', async (way) => {
  const { server } = await shared(way);
  await openToolbox(server.session, 'box');
  const { session } = server;
  const call = {
    name: 'box__it__slow',
    arguments: { steps: 1000, stepMs: 10 },
    _meta: { progressToken: 'p' },
  };
  void session.ask('tools/call', call, 'to-cancel').catch(() => {});
  await session.waitFor(({ method }) => method === 'notifications/progress');
  session.notify('notifications/cancelled', { requestId: 'to-cancel', reason: 'enough' });
  const { result } = await session.call('box__it__received');
  const methods = result.structuredContent.messages.map(({ method }: { method: string }) => method);
  expect(methods).toContain('notifications/cancelled');
});

const ECHO = `
name: say
description: Has a server say it.
inputs: [{ name: what, required: true, description: What it says }]
steps: [{ id: say, uses: 'tool:box__it__echo', with: { message: '\${{ inputs.what }}' } }]
`;
const ODD_ANSWERS = {
  structure_alone: { structuredContent: { said: 'odd' } },
  tool_result: { toolResult: { said: 'odd' } },
  plain_string: { content: 'odd' },
  textless: { content: [{ type: 'text' }, { type: 'text', text: 'odd' }] },
};
const odd = (tool: string) => `
name: ${tool.replace('_', '-')}
description: Reads what comes back.
steps: [{ id: say, uses: 'tool:box__it__${tool}' }]
`;

verifiesAnew(
  'toolbox.odd-results',
  'are content to whatever reads them, and untouched to a client',
  async (way) => {
    const it = fakeServer({ oddAnswers: true });
    const toolboxes = { box: { description: 'One server.', mcpServers: { it } } };
    const names = Object.keys(ODD_ANSWERS);
    const files = Object.fromEntries(names.map((name) => [`.nexus/workflows/${name}.yaml`, odd(name)]));
    await using project = await makeProject({ config: { toolboxes }, files });
    await using server = await way.open(project);
    const { session } = server;
    const call = async (name: string, args: Record<string, unknown>) => {
      await session.send({
        jsonrpc: '2.0',
        id: name,
        method: 'tools/call',
        params: { name, arguments: args },
      });
      return (await session.waitFor(({ id }) => id === name)).result;
    };
    await openToolbox(session, 'box');
    for (const [tool, answer] of Object.entries(ODD_ANSWERS)) {
      const name = `box__it__${tool}`;
      expect(await call(name, {})).toMatchObject(answer);
      const { result } = await session.call('use_tool', { tool: name });
      expect(result.content.map(({ text }: { text: string }) => text).join(''), tool).toContain('odd');
      const run = await session.call('run_workflow', { template: tool.replace('_', '-') });
      expect(JSON.stringify(run.result.structuredContent.steps), tool).toContain('odd');
    }
    const ops = names.map((tool) => ({ tool: `box__it__${tool}` }));
    const { results } = (await session.call('bundle', { ops })).result.structuredContent;
    expect(results.map(({ result }: { result: unknown }) => JSON.stringify(result))).toEqual(
      names.map(() => expect.stringContaining('odd')),
    );
  },
);

const MISSING = `
name: missing
description: Wants what its server has not.
steps: [{ id: say, uses: 'tool:box__it__ecko' }]
`;

verifies('workflows.toolbox', 'a step reaches a tool of a toolbox that is not open', async (way) => {
  const files = { '.nexus/workflows/say.yaml': ECHO, '.nexus/workflows/missing.yaml': MISSING };
  await using project = await makeProject({ config, files });
  await using server = await way.open(project);
  const { session } = server;
  const names = async () =>
    (await session.ask('tools/list')).result.tools.map(({ name }: { name: string }) => name);
  const before = await names();
  const dry = await session.call('run_workflow', { template: 'say', inputs: { what: 'x' }, dryRun: true });
  expect(dry.result.structuredContent, JSON.stringify(dry.result)).toMatchObject({
    status: 'ready',
    faults: [],
  });
  const runs = Array.from({ length: 5 }, (_, turn) =>
    session.call('run_workflow', { template: 'say', inputs: { what: `turn ${turn}` } }),
  );
  for (const [turn, { result }] of (await Promise.all(runs)).entries()) {
    expect(result.structuredContent?.status, JSON.stringify(result)).toBe('completed');
    expect(JSON.stringify(result.structuredContent.steps)).toContain(`turn ${turn}`);
  }
  const { result } = await session.call('run_workflow', { template: 'missing' });
  expect(JSON.stringify(result)).toMatch(/NEXUS_NOT_FOUND.*echo/);
  expect(await names()).toEqual(before);
});
