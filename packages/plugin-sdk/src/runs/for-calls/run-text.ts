import type { RunUsage } from '../runs.ts';

/** What every answer of a run has beside its tool's own. */
interface Ended {
  readonly runId?: string | undefined;
  readonly usage?:
    | (Pick<RunUsage, 'calls' | 'inputTokens' | 'outputTokens'> & { readonly costUsd?: number | undefined })
    | undefined;
  readonly tookMs?: number | undefined;
}

/**
 * An answer of a run as a reader gets it: the result, then where what stands behind it is, then what it cost. One
 * that came without a run, such as of a dry run, is the result alone.
 */
export function runText(result: string, { runId, usage, tookMs }: Ended): string {
  if (runId === undefined) return result;
  const behind = `What stands behind it, each step with what it was given and came to: nexus://runs/${runId}`;
  const paid = [
    ...(usage === undefined
      ? []
      : [
          usage.calls === 1 ? '1 model call' : `${usage.calls} model calls`,
          `${usage.inputTokens} tokens in, ${usage.outputTokens} out`,
          usage.costUsd === undefined
            ? 'cost not known'
            : `${Number(usage.costUsd.toPrecision(3))} US dollars`,
        ]),
    ...(tookMs === undefined ? [] : [`${Number((tookMs / 1_000).toPrecision(3))} s`]),
  ];
  return [result.trimEnd(), `---\n${behind}\n${paid.join('; ')}`].join('\n\n');
}
