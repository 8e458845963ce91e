import { ID_SORTS, idMeant } from '@nexus/primitives';

export type LogRecord = Readonly<Record<string, unknown>>;

/** What of a log a person wants to see. */
export interface LogFilter {
  /** A request of a client, or its trace: the beginning of its id. */
  readonly call?: string | undefined;
  /** A run or a job: the beginning of its id. */
  readonly run?: string | undefined;
  /** A server of a toolbox, by its name. */
  readonly server?: string | undefined;
  /** This level and what is worse; as numbers of pino's. */
  readonly least?: number | undefined;
}

/** Under what records name each of them. */
const FIELDS = {
  call: ['requestId', 'correlationId', 'trace', 'traceId', 'call'],
  run: ['run', 'runId', 'rootId', 'job', 'jobId', 'id'],
  server: ['server', 'serverName'],
} as const;

/**
 * The run or job that a person means by the beginning of its id, of those that these records name.
 * @returns what was written where it is none of them: one may still come
 */
export function runMeant(
  written: string,
  records: Iterable<LogRecord>,
): { readonly id: string } | { readonly fault: string } {
  const named = new Set<string>();
  for (const record of records) {
    for (const name of FIELDS.run) {
      const value = record[name];
      if (typeof value === 'string' && /^(?:run|job)_/.test(value)) named.add(value);
    }
  }
  const { run, job } = ID_SORTS;
  // No id without its sort begins with a letter of these.
  const said = [run, job].filter(({ one }) => written.trim().toLowerCase().startsWith(one));
  const sorts = said.length > 0 ? said : [run, job];
  for (const sort of sorts) {
    const ids = [...named].filter((id) => id.startsWith(sort.begins));
    const meant = idMeant(written, ids, sort);
    if ('id' in meant || meant.why !== 'none') return meant;
  }
  return { id: written.trim() };
}

export function isWanted(record: LogRecord, { call, run, server, least = 0 }: LogFilter): boolean {
  if (typeof record.level === 'number' && record.level < least) return false;
  const has = (names: readonly string[], fits: (value: string) => boolean) =>
    names.some((name) => record[name] !== undefined && fits(String(record[name])));
  return (
    (call === undefined || has(FIELDS.call, (value) => value.startsWith(call))) &&
    (run === undefined ||
      has(FIELDS.run, (value) => value.replace(/^(run|job)_/, '').startsWith(bare(run)))) &&
    (server === undefined || has(FIELDS.server, (value) => value === server))
  );
}

const bare = (id: string) => id.replace(/^(run|job)_/, '').replace(/…$/, '');
