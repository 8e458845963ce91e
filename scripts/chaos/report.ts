import { type Charge, type Finding, PROMISED } from './judge.ts';
import type { Outcome } from './run-campaign.ts';

const CHARGES: readonly Charge[] = [
  'hung',
  'lost',
  'failed',
  'crashed',
  'wrong answer',
  'wrong usage',
  'doubled',
  'misreported',
  'repeated',
];

/** A Markdown table of what was counted, a campaign a row. */
export function table(outcomes: readonly Outcome[]): string {
  const head = [
    'campaign',
    'runs',
    'faults',
    'calls answered',
    ...CHARGES,
    'repeated in the window',
    'seconds',
  ];
  const rows = outcomes.map((outcome) => [
    outcome.campaign.name,
    outcome.runs,
    outcome.faults.length,
    outcome.answered,
    ...CHARGES.map((charge) => count(outcome, charge)),
    withinWindow(outcome),
    Math.round(outcome.tookMs / 1000),
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Runs, but of what was repeated: calls. */
function count({ findings }: Outcome, charge: Charge): number {
  const own = findings.filter((finding) => finding.charge === charge);
  return charge === 'repeated' ? own.length : new Set(own.map(({ mark }) => mark)).size;
}

function withinWindow({ repeated, findings }: Outcome): string {
  const within = repeated.length - findings.filter(({ charge }) => charge === 'repeated').length;
  return String(within);
}

/** What misses a bar. */
export function missed({ findings }: Outcome): Finding[] {
  return findings.filter(({ charge }) => !PROMISED.has(charge));
}

/** The first findings of each campaign, in words. */
export function details({ campaign, findings }: Outcome, atMost = 12): string {
  const lines = findings
    .slice(0, atMost)
    .map(({ charge, kind, mark, text }) => `  ${charge}: ${kind} ${mark}: ${text.slice(0, 400)}`);
  const more = findings.length > atMost ? [`  and ${findings.length - atMost} more`] : [];
  return findings.length === 0 ? '' : [`${campaign.name}:`, ...lines, ...more].join('\n');
}
