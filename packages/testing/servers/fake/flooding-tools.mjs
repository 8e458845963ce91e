import { text, tool } from './tool.mjs';

/** More than anybody can take: what a hostile server sends, and what one with a fault does. */
export function floodingTools(_switches, { wire }) {
  return [
    tool({
      name: 'flood',
      description:
        'Sends a notification, or asks its client something, so many times; answers how often it was refused.',
      inputSchema: {
        type: 'object',
        properties: {
          method: { type: 'string' },
          params: { type: 'object' },
          times: { type: 'integer' },
          asks: { type: 'boolean' },
        },
        required: ['method', 'times'],
      },
      async call({ method, params = {}, times, asks }, { meta }) {
        const own =
          method === 'notifications/progress' ? { progressToken: meta.progressToken, ...params } : params;
        if (!asks) {
          for (let sent = 0; sent < times; sent += 1) wire.notify(method, { ...own, progress: sent });
          return text(`${times} sent`);
        }
        const answers = await Promise.all(Array.from({ length: times }, () => wire.ask(method, own)));
        const refused = answers.filter(({ error }) => error);
        return text(String(refused.length));
      },
    }),
    tool({
      name: 'fail_at_length',
      description: 'Fails with an error as long as it is told.',
      inputSchema: { type: 'object', properties: { characters: { type: 'integer' } } },
      call({ characters }) {
        throw { code: -32000, message: 'm'.repeat(characters), data: { large: 'd'.repeat(characters) } };
      },
    }),
    tool({
      name: 'nest',
      description: 'Answers structure that is nested so deep.',
      inputSchema: { type: 'object', properties: { depth: { type: 'integer' } } },
      call: ({ depth }) => ({
        ...text('deep'),
        structuredContent: { deep: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) },
      }),
    }),
  ];
}
