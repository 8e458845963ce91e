import type { ToolCaller } from '@nexus/plugin-sdk';
import type { Finding } from '../findings/finding.ts';
import { isRedByChange } from './check-change.ts';
import type { CheckResult } from './run-check.ts';

/** What code knows of a claim. */
export interface Fact {
  readonly status: 'confirmed' | 'refuted' | 'open';
  readonly evidence: string;
}

export interface Known {
  readonly tools: ToolCaller;
  /** Whether the project holds the file as the diff leaves it. */
  readonly isInProject: boolean;
  readonly checks: readonly CheckResult[];
}

/** Lines that a parser's complaint may be away from what is at fault. */
const NEAR_LINES = 5;

/** Looks a mechanical claim up, by the tools of whoever asked for the review. */
export async function lookUp(finding: Finding, known: Known): Promise<Fact> {
  const { kind, subject = '' } = finding;
  switch (kind) {
    case 'defect':
      return { status: 'open', evidence: '' };
    case 'fails_check':
      return ofCheck(subject, known.checks);
    case 'missing_symbol':
      return known.isInProject ? ofSymbol(subject, known.tools) : NOT_HERE;
    case 'does_not_parse':
      return known.isInProject ? ofSyntax(finding, known.tools) : NOT_HERE;
  }
}

const NOT_HERE: Fact = { status: 'open', evidence: 'The project does not hold this state of the file.' };

function ofCheck(subject: string, checks: readonly CheckResult[]): Fact {
  const check = checks.find(({ name }) => name === subject);
  if (!check) return { status: 'refuted', evidence: `no check "${subject}" was run` };
  if (check.status === 'passed') return { status: 'refuted', evidence: `the check ${subject} passes` };
  if (check.status === 'failed' && !isRedByChange(check))
    return { status: 'refuted', evidence: `the check ${subject} fails without the change too` };
  if (check.status === 'failed') return { status: 'confirmed', evidence: `The check ${subject} fails.` };
  return { status: 'open', evidence: `The check ${subject} did not end.` };
}

async function ofSymbol(symbol: string, tools: ToolCaller): Promise<Fact> {
  const found = await answerOf(tools, 'search_usages', { symbol, limit: 1 });
  if (!found) return { status: 'open', evidence: '' };
  const { definition } = found as { definition?: { file: string; line: number } | null };
  if (!definition) return { status: 'open', evidence: `Nothing in the project defines ${symbol}.` };
  return {
    status: 'refuted',
    evidence: `${symbol} is defined in ${definition.file}, line ${definition.line}`,
  };
}

async function ofSyntax({ file, line }: Finding, tools: ToolCaller): Promise<Fact> {
  const read = await answerOf(tools, 'extract_symbols', { filePath: file, limit: 1 });
  if (!read) return { status: 'open', evidence: '' };
  const { syntaxFaults = [] } = read as { syntaxFaults?: readonly { line: number }[] };
  if (syntaxFaults.length === 0) return { status: 'refuted', evidence: `${file} parses` };
  const near = syntaxFaults.some((fault) => Math.abs(fault.line - line) <= NEAR_LINES);
  if (near) return { status: 'confirmed', evidence: `${file} does not parse there.` };
  return { status: 'open', evidence: `${file} does not parse, at line ${syntaxFaults[0]?.line}.` };
}

/** Undefined where the caller has no such tool, or it fails. */
async function answerOf(tools: ToolCaller, name: string, args: object): Promise<object | undefined> {
  if (!tools.find(name)) return undefined;
  const { isError, structuredContent } = await tools.call(name, { arguments: args });
  return isError ? undefined : structuredContent;
}
