import { isRecord } from '@nexus/core';
import { boundsFault, bytesUpTo, joinSignals } from '@nexus/primitives';
import { tooLong } from '../content/answer-bounds.ts';
import { ModelFailure } from '../failure.ts';
import type { OfferedModel } from '../source.ts';
import type { ApiAddress } from './load-model.ts';

/** A list is short; more pages are a server gone astray. */
const MAX_PAGES = 20;
const TIMEOUT_MS = 20_000;
/** Of one page: the longest list that a provider has takes a tenth. */
const MAX_PAGE_BYTES = 4_000_000;

/** The models that an API says it has. @throws {ModelFailure}, or the signal's reason */
export async function listModels(address: ApiAddress, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  using own = joinSignals(signal, AbortSignal.timeout(TIMEOUT_MS));
  const found: OfferedModel[] = [];
  let next: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await readPage(address, next, own);
      const rows = Array.isArray(answer.data) ? answer.data : answer.models;
      if (!Array.isArray(rows)) throw new ModelFailure('unavailable', 'what it answers is no list of models');
      found.push(...rows.filter(isRecord).flatMap(toOffered));
      next = nextPage(answer);
      if (next === undefined) return found;
    }
    throw new ModelFailure(
      'unavailable',
      `its list of models has more than ${MAX_PAGES} pages, which no provider’s has; name its models in the config`,
    );
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ModelFailure) throw error;
    const why = own.aborted ? `it did not answer within ${TIMEOUT_MS} ms` : 'it could not be reached';
    throw new ModelFailure('unavailable', why, { cause: error });
  }
}

async function readPage(
  { wire, baseUrl, apiKey }: ApiAddress,
  next: string | undefined,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(`${baseUrl}/models`);
  const { size, after, headers } = PAGES[wire];
  if (size !== undefined) url.searchParams.set(size, '1000');
  if (next !== undefined && after !== undefined) url.searchParams.set(after, next);
  const response = await fetch(url, { headers: apiKey ? headers(apiKey) : {}, signal, redirect: 'error' });
  // Its own words are left out: some give the key back in them.
  if (!response.ok) throw new ModelFailure('unavailable', `it answered ${response.status}`);
  const text = await boundedText(response);
  const answer = boundsFault(text) === undefined ? parsed(text) : undefined;
  if (!isRecord(answer)) throw new ModelFailure('unavailable', 'what it answers is no JSON');
  return answer;
}

/** @throws {ModelFailure} it is longer than any list of models */
async function boundedText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const bytes = await bytesUpTo(body, MAX_PAGE_BYTES);
  if (bytes === undefined) throw tooLong(MAX_PAGE_BYTES, 'bytes in a list of models');
  return bytes.toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Pages {
  readonly size?: string;
  readonly after?: string;
  headers(apiKey: string): Record<string, string>;
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

const PAGES: Readonly<Record<ApiAddress['wire'], Pages>> = {
  anthropic: {
    size: 'limit',
    after: 'after_id',
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  },
  'openai-responses': { headers: bearer },
  'openai-chat': { headers: bearer },
  google: { size: 'pageSize', after: 'pageToken', headers: (apiKey) => ({ 'x-goog-api-key': apiKey }) },
};

function nextPage(answer: Readonly<Record<string, unknown>>): string | undefined {
  const next = answer.has_more === true ? answer.last_id : answer.nextPageToken;
  return typeof next === 'string' && next !== '' ? next : undefined;
}

/** Anthropic and OpenAI say `id`, Google `name` with `models/` before it. */
function toOffered(row: Readonly<Record<string, unknown>>): OfferedModel[] {
  const name = typeof row.id === 'string' ? row.id : String(row.name ?? '').replace(/^models\//, '');
  if (name === '') return [];
  const contextWindow = countOf(row.inputTokenLimit ?? row.max_input_tokens ?? row.context_length);
  const maxOutputTokens = countOf(row.outputTokenLimit ?? row.max_tokens);
  return [
    {
      name,
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
  ];
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
