import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host, TraceRecord } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { OFTEN } from './find.ts';
import type { Finding, Sample } from './sample.ts';

/** So many samples are looked at; more are counted and left out. */
const MOST_SAMPLES = 200_000;

export interface Gathered {
  readonly samples: readonly Sample[];
  /** What there was beyond those. */
  readonly leftOut: number;
}

/**
 * What the records have of what was done since: the audit trail of calls that may change something, the traces of
 * runs with their steps, models and servers.
 */
export async function gather({ audit, traces }: Host, since: number): Promise<Gathered> {
  const samples: Sample[] = [];
  let leftOut = 0;
  const take = (sample: Sample | undefined) => {
    if (!sample) return;
    if (samples.length < MOST_SAMPLES) samples.push(sample);
    else leftOut += 1;
  };
  const audited = new Set<string>();
  for await (const { tool, startMs, endMs, code, run } of audit.calls(since)) {
    audited.add(tool);
    const sample = { subject: `tool ${tool}`, startMs, code: failureOf(code), run };
    if (endMs !== undefined) take({ ...sample, ms: endMs - startMs });
  }
  for await (const span of traces.since(since)) {
    const tool = span.attributes['gen_ai.tool.name'];
    // Those that the audit trail has are counted there, also outside of runs.
    if (span.type !== 'call' || !audited.has(String(tool))) take(sampleOf(span));
  }
  return { samples, leftOut };
}

/** Who asks a person has not failed. */
function failureOf(code: string | undefined): string | undefined {
  return code === 'NEXUS_INPUT_REQUIRED' ? undefined : code;
}

/** A visit of a node of a graph after its first: `write#2/work`. */
const LATER_VISIT = /#(?:[2-9]|[1-9]\d+)(?:\/|$)/;

function sampleOf({ type, name, startMs, endMs, family, attributes }: TraceRecord): Sample | undefined {
  const code = attributes['error.type'];
  const cost = attributes['nexus.cost.usd'];
  const attempt = attributes['nexus.step.attempt'];
  const step = attributes['nexus.step.name'];
  const of = {
    startMs,
    ms: endMs - startMs,
    code: code === undefined ? undefined : failureOf(String(attributes['nexus.error.code'] ?? code)),
    run: attributes['nexus.run.id'] === undefined ? family : String(attributes['nexus.run.id']),
    costUsd: typeof cost === 'number' ? cost : undefined,
  };
  if (type === 'step') {
    const isSentBack = (typeof attempt === 'number' && attempt > 1) || LATER_VISIT.test(String(step));
    return { subject: name, ...of, isSentBack };
  }
  if (type === 'call') return { subject: `tool ${String(attributes['gen_ai.tool.name'])}`, ...of };
  if (type === 'server') return { subject: `server ${String(attributes['nexus.server'])}`, ...of };
  if (type === 'model') return { subject: `model ${String(attributes['gen_ai.request.model'])}`, ...of };
  return type === 'run' ? { subject: name, ...of } : undefined;
}

/** Models whose work often turned out bad: by its checks and reviews, or as somebody told. */
export async function useless({ models }: Host, since: number, minimum: number): Promise<Finding[]> {
  const outcomes = await models.outcomes({ since });
  return outcomes.flatMap(({ model, category, judged }): Finding[] => {
    if (!judged) return [];
    const of = judged.good + judged.bad;
    if (of < minimum || judged.bad / of < OFTEN) return [];
    const detail = `${judged.bad} of its works were judged bad`;
    return [
      { kind: 'useless', subject: `model ${model} at ${category}`, count: judged.bad, of, detail, links: [] },
    ];
  });
}

const Row = z.object({ toolName: z.string(), endedAt: z.string(), errorCategory: z.string().optional() });

/** Of calls that their clients may have given up on: how many ran out of their time here, too. */
export async function timedOut({ dataDir }: Host, since: number, minimum: number): Promise<Finding[]> {
  const file = join(dataDir, 'mcp-telemetry', 'timeout-mismatch-events.jsonl');
  const text = (
    await Promise.all([`${file}.1`, file].map((each) => readFile(each, 'utf8').catch(() => '')))
  ).join('');
  const byTool = new Map<string, { of: number; late: number }>();
  for (const line of text.split('\n')) {
    const row = rowOf(line);
    if (!row || Date.parse(row.endedAt) < since) continue;
    const tally = byTool.get(row.toolName) ?? { of: 0, late: 0 };
    tally.of += 1;
    if (row.errorCategory === 'timeout') tally.late += 1;
    byTool.set(row.toolName, tally);
  }
  return [...byTool].flatMap(([tool, { of, late }]): Finding[] => {
    if (of < minimum || late === 0) return [];
    const detail = 'of calls without a progress token whose budget exceeds what their client waits';
    return [{ kind: 'timed-out', subject: `tool ${tool}`, count: late, of, detail, links: [] }];
  });
}

function rowOf(line: string): z.output<typeof Row> | undefined {
  if (line === '') return undefined;
  try {
    return Row.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
