import { type Fetching, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Finding } from './sample.ts';

/** Issues of one review at most. */
const MOST_ISSUES = 10;
const TITLE = 'Nexus: ';

const Issues = z.array(z.object({ title: z.string(), html_url: z.string() }));
const Made = z.object({ html_url: z.string() });

export interface Filed {
  readonly filed: readonly string[];
  /** Open already, under the same title. */
  readonly known: readonly string[];
}

/**
 * Files an issue for each finding that has none open, the worst first.
 * @param repository `owner/name`, as the config has it
 * @throws {ToolError} as `Fetching.source` does
 */
export async function fileIssues(
  fetching: Fetching,
  {
    repository,
    findings,
    days,
    signal,
  }: { repository: string; findings: readonly Finding[]; days: number; signal: AbortSignal },
): Promise<Filed> {
  const path = `/repos/${repository}/issues`;
  const query = { state: 'open', per_page: '100' };
  const { body } = await fetching.source('github', { path, query, signal });
  const open = new Map(read(Issues, body).map(({ title, html_url: url }) => [title, url]));
  const filed: string[] = [];
  const known: string[] = [];
  for (const finding of findings.slice(0, MOST_ISSUES)) {
    const title = titleOf(finding);
    const standing = open.get(title);
    if (standing !== undefined) {
      known.push(standing);
      continue;
    }
    const answered = await fetching.source('github', {
      path,
      method: 'POST',
      body: JSON.stringify({ title, body: bodyOf(finding, days) }),
      signal,
    });
    filed.push(read(Made, answered.body).html_url);
  }
  return { filed, known };
}

function titleOf({ kind, subject }: Finding): string {
  return `${TITLE}${subject} ${WORDS[kind]}`;
}

const WORDS: Readonly<Record<Finding['kind'], string>> = {
  failed: 'failed often',
  slow: 'got slow',
  costly: 'cost much',
  'sent-back': 'was sent back',
  useless: 'was of little use',
  'timed-out': 'timed out',
};

/** Names are those of tools and steps, which others may have given: they stand as code. */
function bodyOf({ subject, count, of, detail, links }: Finding, days: number): string {
  const runs = links.map((link) => `- \`${link}\``);
  return [
    `\`${subject.replaceAll('`', "'")}\`: ${count} of ${of} in the last ${days} days (${detail.replaceAll('`', "'")}).`,
    ...(runs.length > 0 ? ['', 'Runs to look at:', ...runs] : []),
    '',
    'Filed by improvement_review of Nexus from its records; nothing was judged by a model.',
  ].join('\n');
}

function read<Schema extends z.ZodType>(schema: Schema, body: Uint8Array): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch (cause) {
    throw new ToolError('NEXUS_UNAVAILABLE', 'GitHub’s answer about issues could not be read.', { cause });
  }
}
