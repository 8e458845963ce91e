import { text, tool } from './tool.mjs';

/** Words from the server to its client in the middle of a call. */
export function askingTools(_switches, { wire }) {
  return [
    tool({
      name: 'ask',
      description:
        'Sends its client a request (sampling/createMessage, elicitation/create, roots/list); answers what came back.',
      inputSchema: {
        type: 'object',
        properties: { method: { type: 'string' }, params: { type: 'object' } },
        required: ['method'],
      },
      async call({ method, params }) {
        const answer = await wire.ask(method, params);
        return { ...text(JSON.stringify(answer)), structuredContent: answer };
      },
    }),
    tool({
      name: 'log',
      description: 'Sends a log message of a level.',
      inputSchema: {
        type: 'object',
        properties: { level: { type: 'string', default: 'info' }, data: {} },
      },
      call({ level = 'info', data = 'logged' }) {
        wire.notify('notifications/message', { level, logger: 'fake', data });
        return text('sent');
      },
    }),
    tool({
      name: 'notify',
      description: 'Sends any notification.',
      inputSchema: {
        type: 'object',
        properties: { method: { type: 'string' }, params: { type: 'object' } },
        required: ['method'],
      },
      call({ method, params }) {
        wire.notify(method, params);
        return text('sent');
      },
    }),
  ];
}
