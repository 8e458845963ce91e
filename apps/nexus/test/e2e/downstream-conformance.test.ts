import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { type Question, questions } from '../fixtures/conformance-server/questions.ts';
import { carriers, projectWithConformanceServer } from '../harness/conformance-server.ts';
import { type Check, didNotPass, didPass, runConformanceSuite } from '../harness/conformance-suite.ts';
import { startHttpServer } from '../harness/http-server.ts';
import { changeConfig } from '../harness/project.ts';
import { slowlyVerifiesApp, verifies, verifiesAnew, verifiesApp } from '../harness/verifies.ts';

const SUITE_TIMEOUT_MS = 60_000;
/** Shorter than the suite's one long call, so that its client has to come back for the answer. */
const MAX_STREAM_MS = 700;

/**
 * What the client answers, by the tool that asks. Each holds something that no schema knows; `_meta` is
 * first, where the SDK puts it.
 */
const answers = {
  test_sampling: {
    _meta: { 'client/answer': 'sampling' },
    role: 'assistant',
    model: 'client-model',
    stopReason: 'client/odd-reason',
    content: { type: 'text', text: 'It’s 42 – “exactly”.', 'client/unknown': [{ deep: null }] },
    'client/unknown': { number: 1.5, list: [] },
  },
  test_elicitation: {
    _meta: { 'client/answer': 'form' },
    action: 'accept',
    content: { username: 'ada', email: 'ada@example.com' },
    'client/unknown': true,
  },
  test_elicitation_url: { _meta: { 'client/answer': 'page' }, action: 'decline' },
  test_roots: {
    _meta: { 'client/answer': 'roots' },
    roots: [{ uri: 'file:///workspace', name: 'Workspace', 'client/unknown': 1, _meta: { a: 1 } }],
  },
} as const;

/** Of answers that are streams: Nexus answers as JSON what is ready at once, and the suite notes that. */
const ANSWERED_AS_JSON = ['server-sse-multiple-streams: server-sse-streams-functional'];

/** What a person or a model is asked says who asks; all else crosses as it is. */
function asShown(method: string, params: Record<string, unknown>): Record<string, unknown> {
  if (method === 'elicitation/create') {
    return { ...params, message: `fixture/fixture asks: ${params.message}` };
  }
  if (method !== 'sampling/createMessage') return params;
  return { ...params, systemPrompt: 'The MCP server fixture/fixture asks this.' };
}

const named = ({ scenario, id }: Check) => `${scenario}: ${id}`;

for (const carrier of carriers) {
  const passes = async () => {
    await using served = await projectWithConformanceServer(carrier);
    await changeConfig(served.project, { http: { maxStreamMs: MAX_STREAM_MS } });
    await using nexus = await startHttpServer(served.project, { args: ['--no-auth'] });
    const [itself, behind] = await Promise.all(
      [served.url, nexus.url].map((url) => runConformanceSuite(url, served.project)),
    );
    expect(behind?.exitCode, behind?.stdout).toBe(0);
    expect(behind?.checks.filter(didNotPass)).toEqual([]);
    const passed = itself?.checks.filter(didPass).map(named) ?? [];
    expect(passed.length).toBeGreaterThanOrEqual(44);
    const passedBehind = behind?.checks.filter(didPass).map(named);
    expect(passed.filter((check) => !passedBehind?.includes(check))).toEqual(ANSWERED_AS_JSON);
  };
  if (carrier === carriers[0]) {
    verifiesApp(
      'toolbox.conformance',
      `passes every check that the server behind it passes itself, reached by ${carrier}`,
      passes,
      SUITE_TIMEOUT_MS,
    );
  } else {
    slowlyVerifiesApp(
      'toolbox.conformance',
      `passes every check that the server behind it passes itself, reached by ${carrier}`,
      passes,
      SUITE_TIMEOUT_MS,
    );
  }

  verifiesAnew(
    'toolbox.ask',
    `brings questions, answers and a refusal across whole, by ${carrier}`,
    async (way) => {
      await using served = await projectWithConformanceServer(carrier);
      const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };
      await using nexus = await way.open(served.project, { capabilities });
      const { session } = nexus;
      const refused = session.call('test_sampling', { prompt: 'Anyone?' });
      const { id } = await session.waitFor(({ method }) => method === 'sampling/createMessage');
      const refusal = {
        code: -1,
        message: 'User rejected it',
        data: { reason: ['not now', { deep: null }] },
      };
      session.send({ jsonrpc: '2.0', id, error: refusal });
      // The SDK of the server puts the code in front.
      const told = { ...refusal, message: `MCP error -1: ${refusal.message}` };
      expect((await refused).result.content).toEqual([{ type: 'text', text: JSON.stringify(told) }]);
      for (const [tool, answer] of Object.entries(answers)) {
        const { method, argument, params } = questionOf(tool);
        const asked: string[] = [];
        session.onRequest(method, (received) => {
          asked.push(JSON.stringify(received));
          return answer;
        });
        const { result } = await session.call(tool, argument === undefined ? {} : { [argument]: 'Well?' });
        // As text, since equality of objects overlooks the order of keys.
        expect(asked, tool).toContain(JSON.stringify(asShown(method, params('Well?'))));
        const { root } = served.project;
        // Who comes by the network names no folder that is not the project's.
        const isNarrowed = tool === 'test_roots' && way.name === 'http';
        const own = { roots: [{ uri: pathToFileURL(root).href, name: basename(root) }] };
        const text = JSON.stringify(isNarrowed ? own : answer);
        expect(result.content, tool).toEqual([{ type: 'text', text }]);
      }
    },
  );
}

verifies('toolbox.resume', 'comes back for an answer whose stream the server closed', async (way) => {
  await using served = await projectWithConformanceServer('http');
  await using nexus = await way.open(served.project);
  const { result } = await nexus.session.call('test_reconnection');
  expect(result).toEqual({ content: [{ type: 'text', text: 'Answered after a reconnection.' }] });
});

verifiesAnew(
  'toolbox.updates',
  'tells a subscriber of updates, and of none after it unsubscribed',
  async (way) => {
    await using served = await projectWithConformanceServer('stdio');
    await using nexus = await way.open(served.project);
    const { session } = nexus;
    const uri = 'test://watched-resource';
    const updates = () =>
      session.received.filter(({ method }) => method === 'notifications/resources/updated');
    await session.ask('resources/subscribe', { uri });
    const { params } = await session.waitFor(({ method }) => method === 'notifications/resources/updated');
    expect(params).toEqual({ uri });
    await session.ask('resources/unsubscribe', { uri });
    // What was on its way has come by then.
    await session.call('test_simple_text');
    const before = updates().length;
    // Together longer than the server lets pass between two updates.
    await session.call('test_tool_with_logging');
    await session.call('test_tool_with_logging');
    expect(updates().length).toBe(before);
  },
);

function questionOf(tool: string): Question {
  const question = questions[tool];
  if (!question) throw new Error(`the server has no ${tool}`);
  return question;
}
