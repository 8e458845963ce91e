import type { IncomingMessage, ServerResponse } from 'node:http';

/** Two a page, so that whoever reads the first only does not see all. */
const PAGE = 2;

/** `GET …/models` as Anthropic, OpenAI and Google answer it, told apart by their headers for the key. */
export function answerList(
  request: IncomingMessage,
  response: ServerResponse,
  offered: readonly string[],
): void {
  const list = listFor(request, offered);
  const body = list ?? { error: { message: 'missing or invalid key' } };
  response.writeHead(list ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function listFor({ url = '/', headers }: IncomingMessage, offered: readonly string[]): object | undefined {
  if (headers.authorization?.startsWith('Bearer '))
    return { object: 'list', data: offered.map((id) => ({ id, object: 'model' })) };
  const { searchParams } = new URL(url, 'http://localhost');
  const after = searchParams.get('after_id') ?? searchParams.get('pageToken');
  const from = after === null ? 0 : offered.indexOf(after) + 1;
  const page = offered.slice(from, from + PAGE);
  const hasMore = from + PAGE < offered.length;
  if (headers['x-api-key'] && headers['anthropic-version']) {
    const data = page.map((id) => ({ type: 'model', id, display_name: id }));
    return { data, has_more: hasMore, first_id: page[0], last_id: page.at(-1) };
  }
  if (!headers['x-goog-api-key']) return undefined;
  const models = page.map((name) => ({
    name: `models/${name}`,
    inputTokenLimit: 4096,
    outputTokenLimit: 512,
  }));
  return { models, ...(hasMore ? { nextPageToken: page.at(-1) } : {}) };
}
