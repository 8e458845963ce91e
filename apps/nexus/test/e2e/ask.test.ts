import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { verifiesAnew } from '../harness/verifies.ts';

verifiesAnew('ask.client', 'brings the answer of the client’s model to the tool', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await way.open(project, { capabilities: { sampling: {} } });
  const content = { type: 'text', text: 'forty-two' };
  server.session.onRequest('sampling/createMessage', () => ({ role: 'assistant', model: 'm-1', content }));
  const { result } = await server.session.call('slow_ask_model', { question: 'How many?' });
  expect(result.structuredContent).toEqual({ model: 'm-1', content });
  const asked = server.session.received.find(({ method }) => method === 'sampling/createMessage');
  expect(asked?.params.messages[0].content.text).toBe('How many?');
});

verifiesAnew('ask.client', 'brings the answer of the client’s user to the tool', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await way.open(project, { capabilities: { elicitation: {} } });
  const answer = { action: 'accept', content: { name: 'Ada' } };
  server.session.onRequest('elicitation/create', () => answer);
  const { result } = await server.session.call('slow_ask_user', { question: 'Who?' });
  expect(result.structuredContent).toEqual(answer);
});

verifiesAnew('ask.client', 'says so where the client offers neither', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await way.open(project);
  for (const name of ['slow_ask_model', 'slow_ask_user']) {
    const { result } = await server.session.call(name, { question: 'Anyone?' });
    expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_UNAVAILABLE' });
  }
});
