import { type Fetched, type Fetching, type SourceName, ToolError } from '@nexus/plugin-sdk';
import type { z } from 'zod';
import type { Origin, WorkRecord } from '../identity/record.ts';
import type { Markup } from '../markup/markup.ts';

/** What asking a source needs of the call it is for. */
export interface Asking {
  readonly fetching: Fetching;
  readonly markup: Markup;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

export interface Search {
  readonly topic: string;
  readonly max: number;
  /** `YYYY-MM-DD`: nothing published before it. */
  readonly since?: string | undefined;
}

/** One page of what a source found. */
export interface Page {
  readonly records: readonly WorkRecord[];
  /** Entries that have not the form they are known in. */
  readonly unreadable: number;
  readonly total?: number | undefined;
  /** The source gave its search up before it had seen all. */
  readonly isIncomplete?: boolean;
  readonly fetched: Fetched;
  /** Where the next page begins; absent after the last. */
  readonly next?: string | undefined;
  /** What to know of how it was asked. */
  readonly note?: string | undefined;
}

/** How a source is searched: a page from where the last one ended. */
export type SearchPage = (search: Search, asking: Asking, next: string | undefined) => Promise<Page>;

/** What no source gives more of at once. */
export const PAGE = 100;

/** Of one answer; a page of a hundred works has some hundred thousand. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept: string;
}

/**
 * @throws {ToolError} NEXUS_NOT_FOUND where the source answers 404; NEXUS_UNAVAILABLE with its own words where it
 * refuses; what `Fetching` throws
 */
export async function ask(
  source: SourceName,
  question: Question,
  { fetching, signal, progress }: Asking,
): Promise<Fetched> {
  const fetched = await fetching.source(source, { ...question, maxBytes: MAX_BYTES, signal, progress });
  if (fetched.status === 200) return fetched;
  const said = ownWords(fetched);
  if (fetched.status === 404) throw new ToolError('NEXUS_NOT_FOUND', `${source} does not know it.${said}`);
  const isKey = fetched.status === 401 || fetched.status === 403;
  const fix = isKey ? ` See sources.${source}.key in the config.` : '';
  throw new ToolError('NEXUS_UNAVAILABLE', `${source} answers ${fetched.status}.${fix}${said}`);
}

/** @throws {ToolError} as {@link ask}; NEXUS_UNAVAILABLE where the answer has not the form it is known in */
export async function askJson<Schema extends z.ZodType>(
  source: SourceName,
  question: Omit<Question, 'accept'> & { readonly schema: Schema },
  asking: Asking,
): Promise<{ readonly fetched: Fetched; readonly value: z.output<Schema> }> {
  const { schema, ...rest } = question;
  const fetched = await ask(source, { ...rest, accept: 'application/json' }, asking);
  const parsed = schema.safeParse(jsonOf(fetched));
  if (parsed.success) return { fetched, value: parsed.data };
  throw new ToolError('NEXUS_UNAVAILABLE', `${source} answers in a form that is not known.`);
}

function jsonOf({ body }: Fetched): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** What a source says of its refusal, in whichever member it says it; data, and short. */
function ownWords(fetched: Fetched): string {
  const value = jsonOf(fetched) as Record<string, unknown> | undefined | null;
  const text = [value?.message, value?.error].find((each) => typeof each === 'string' && each !== '');
  return text === undefined ? '' : ` It says: ${JSON.stringify(String(text).slice(0, 200))}`;
}

export function originOf({ url, fetchedAt, staleBecause }: Fetched): Origin {
  return { url, fetchedAt, ...(staleBecause === undefined ? {} : { staleBecause }) };
}

/** Each entry by its own schema: one that has another form costs itself alone. */
export function readEach<Schema extends z.ZodType>(
  entries: readonly unknown[],
  schema: Schema,
  toRecord: (entry: z.output<Schema>) => WorkRecord | undefined,
): { readonly records: WorkRecord[]; readonly unreadable: number } {
  const records = entries.flatMap((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? (toRecord(parsed.data) ?? []) : [];
  });
  return { records, unreadable: entries.length - records.length };
}

/** @throws {ToolError} NEXUS_UNAVAILABLE where it has another form */
export function readOne<Schema extends z.ZodType>(
  entry: unknown,
  schema: Schema,
  toRecord: (entry: z.output<Schema>) => WorkRecord | undefined,
): WorkRecord[] {
  const { records } = readEach([entry], schema, toRecord);
  if (records.length > 0) return records;
  throw new ToolError('NEXUS_UNAVAILABLE', 'The source answers in a form that is not known.');
}

/** Text as it is written on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
