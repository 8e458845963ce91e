import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { listModels } from './list-models.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** What an API lists that answers so; `endless` goes on for ever. */
async function listed(body: string, { endless = false } = {}) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!endless) {
      response.end(body);
      return;
    }
    const more = () => {
      while (!response.destroyed && response.write(body));
    };
    response.on('drain', more);
    more();
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return listModels(
    { wire: 'openai-chat', baseUrl, apiKey: undefined } as Parameters<typeof listModels>[0],
    AbortSignal.timeout(60_000),
  );
}

it('reads a list of some thousands of models', async () => {
  const data = Array.from({ length: 5_000 }, (_, at) => ({ id: `model-${at}`, context_length: 8_000 }));
  const models = await listed(JSON.stringify({ data }));
  expect(models).toHaveLength(5_000);
  expect(models[7]).toEqual({ name: 'model-7', contextWindow: 8_000 });
});

it('takes no list whose pages do not end, and says so', async () => {
  await expect(listed('{"data":[],"has_more":true,"last_id":"a"}')).rejects.toMatchObject({
    kind: 'unavailable',
    message:
      'its list of models has more than 20 pages, which no provider’s has; name its models in the config',
  });
});

it('breaks off a list that does not end', async () => {
  await expect(listed('x'.repeat(100_000), { endless: true })).rejects.toMatchObject({
    kind: 'rejected',
    message: expect.stringContaining('4000000 bytes in a list of models'),
  });
});

it.each([
  ['holds more than is parsed at once', `{"data":[${'{},'.repeat(160_000)}{}]}`],
  ['is nested too deep', `{"data":${'['.repeat(2_000)}`],
  ['is no JSON', '<html>'],
  ['is empty', ''],
])('refuses a list that %s', async (_, body) => {
  await expect(listed(body)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'what it answers is no JSON',
  });
});
