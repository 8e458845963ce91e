import { OWN_SENTENCES } from '@nexus/primitives';
import type { z } from 'zod';
import { membersOf } from '../json-object.ts';
import type { hit, unreached } from './hit-list.ts';

interface Hits {
  readonly hits: readonly z.output<typeof hit>[];
  readonly total: number;
  readonly nextOffset?: number | undefined;
  readonly unreachable: readonly z.output<typeof unreached>[];
  readonly unreachableTotal?: number | undefined;
  readonly note?: unknown;
  readonly whose?: unknown;
}

/**
 * Tools as a model reads them: where each is, what it does to things, what it is for; below it what it takes, and of
 * the likeliest what it answers, by its own word or, where it gives none, by what was seen.
 */
export function hitsText({
  hits,
  total,
  nextOffset,
  unreachable,
  unreachableTotal,
  note,
  whose,
}: Hits): string {
  const all = `${total} ${total === 1 ? 'tool' : 'tools'}`;
  const rest = nextOffset === undefined ? '' : OWN_SENTENCES.offsetGivesNext(nextOffset);
  const head =
    total === 0 ? 'No tool.' : hits.length < total ? `${hits.length} of ${all}${rest}.` : `${all}.`;
  const missing = unreachable.map(({ toolbox, server, reason }) => `${toolbox} / ${server}: ${reason}`);
  const left = (unreachableTotal ?? unreachable.length) - unreachable.length;
  return [
    typeof note === 'string' ? `${head} ${note}` : head,
    ...(typeof whose === 'string' ? [whose] : []),
    ...hits.map((each, place) => hitText(each, place === 0)),
    ...(missing.length === 0 ? [] : ['Not searched:', ...missing]),
    ...(left > 0 ? [`and ${left} more`] : []),
  ].join('\n');
}

function hitText(
  { toolbox, server, tool, description, annotations, ...input }: Hits['hits'][number],
  isLikeliest: boolean,
): string {
  const place = toolbox === server ? toolbox : `${toolbox} / ${server}`;
  const does = effectOf(membersOf(annotations));
  const head = `${place}: ${tool}${does === undefined ? '' : ` (${does})`}`;
  const takes = takesOf(input);
  const cut = input.isSchemaCut === true ? ['isSchemaCut'] : [];
  return [
    description === undefined ? head : `${head}: ${description}`,
    ...(takes === undefined ? cut : [[takes, ...cut].join(' ')]),
    ...(isLikeliest ? answersOf(input) : []),
  ].join('\n');
}

function answersOf({ result, resultSeen }: Readonly<Record<string, unknown>>): string[] {
  if (typeof result === 'string') return [`answers ${result}`];
  return typeof resultSeen === 'string' ? [`answered ${resultSeen}`] : [];
}

/** By the hints that the server gave; nothing where it gave none. */
function effectOf({ readOnlyHint, destructiveHint }: Readonly<Record<string, unknown>>): string | undefined {
  if (readOnlyHint === true) return 'reads';
  if (destructiveHint === true) return 'may destroy';
  return readOnlyHint === false || destructiveHint === false ? 'writes' : undefined;
}

/** What every schema says of its own dialect is for programs. */
function takesOf({ takes, inputSchema }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof takes === 'string') return takes;
  if (inputSchema === undefined) return undefined;
  const { $schema: _, ...schema } = membersOf(inputSchema);
  return JSON.stringify(schema);
}
