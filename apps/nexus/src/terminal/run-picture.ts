import { costLine, dollars, type RunDetail, type RunStep, tookWords } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/untrusted/shown';
import { age } from './age.ts';
import { stepCost } from './cost.ts';
import { cut } from './fit.ts';
import { questionLines } from './question-lines.ts';
import { shownId } from './short-id.ts';
import { shownSteps } from './step-titles.ts';
import { outputColumns } from './window-size.ts';
import { shownWidth } from './wrap.ts';

const MARKS = {
  running: '▶',
  waiting: '…',
  completed: '✓',
  failed: '✗',
  interrupted: '✗ interrupted:',
} as const satisfies Record<RunStep['status'], string>;
/** The same where no signs are shown, such as to whoever listens to a screen reader. */
const WORDS = {
  running: 'running:',
  waiting: 'waiting:',
  completed: 'done:',
  failed: 'failed:',
  interrupted: 'interrupted:',
} as const satisfies Record<RunStep['status'], string>;

/** A run as lines: its steps in the order of their beginning, children under the step that they do. */
export function runLines(run: RunDetail): string[] {
  return [
    visibleLine(`${run.title} (${run.kind}): ${run.status}, begun ${age(run.createdAt)} ago`),
    ...(run.message ?? '').split('\n').filter(Boolean).map(visibleLine),
    ...costLines(run),
    '',
    ...stepLines(run, ''),
    ...(run.asks ?? []).flatMap((question) => ['', 'It asks:', ...questionLines(question)]),
    ...keptLines(run),
  ];
}

/** The same of what is asked for by an id: of a job, which itself does nothing but to call, also the runs that it began. */
export function shownRunLines(run: RunDetail & { readonly begunRuns?: readonly RunDetail[] }): string[] {
  const begun = run.begunRuns ?? [];
  return [
    ...runLines(run),
    ...begun.flatMap((each) => ['', `It has begun run ${shownId(each.id)}:`, ...runLines(each)]),
  ];
}

/** What is answered ahead, of a run and of those below it. */
function keptLines({ id, keptAhead = [], children }: RunDetail): string[] {
  const lines = keptAhead.map(({ name, answer: { action, content } }) => {
    const said = content === undefined ? (action === 'accept' ? 'yes' : 'no') : JSON.stringify(content);
    const shown = cut(said, MAX_WHY_CHARS);
    return visibleLine(`Kept for "${name}" of ${shownId(id)}, until that is asked: ${shown}`);
  });
  return [...(lines.length === 0 ? [] : ['', ...lines]), ...children.flatMap(keptLines)];
}

function costLines({ usage, budget: { cap }, createdAt, endedAt }: RunDetail): string[] {
  const { calls, keptCalls = 0, unknownCalls = 0 } = usage;
  if (calls + keptCalls + unknownCalls === 0) return [];
  const tookMs = endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(createdAt);
  const ofCap = [
    ...(cap?.tokens === undefined ? [] : [`${cap.tokens} tokens`]),
    ...(cap?.costUsd === undefined ? [] : [dollars(cap.costUsd)]),
  ].join(' and ');
  return [`${costLine(usage, tookMs)}${ofCap === '' ? '' : `; the cap is ${ofCap}`}`];
}

function stepLines(run: RunDetail, indent: string): string[] {
  return shownSteps(run.steps).flatMap(({ step, title }) => {
    const children = childrenOf(run, step);
    const took = step.endedAt ? ` ${tookOf(step)}` : '';
    const attempt = step.attempt > 1 ? `, attempt ${step.attempt}` : '';
    const said = step.error?.message ?? step.refusal;
    const why = said === undefined ? '' : `: ${cut(said.replace(/\s+/g, ' '), MAX_WHY_CHARS)}`;
    const line = visibleLine(`${markOf(step, hasMarks())} ${title}${took}${attempt}${costOf(step)}${why}`);
    // A graph that goes on in a child is one graph.
    const deeper = step.name === 'continued' ? indent : `${indent}  `;
    return [
      `${indent}${line}`,
      ...valueLines(step, `${indent}    `),
      ...answerLines(run, step, `${indent}    `),
      ...children.flatMap((child) => stepLines(child, deeper)),
    ];
  });
}

const MAX_WHY_CHARS = 300;
const MAX_VALUE_CHARS = 160;

/** What a step was given and came to, a line each; a child run has its own. */
function valueLines({ kind, input, output }: RunStep, indent: string): string[] {
  if (kind !== 'step') return [];
  const line = (what: string, value: RunStep['output']) =>
    value === undefined || value.json === 'null'
      ? []
      : [
          `${indent}${what} ${valueText(value, (outputColumns() ?? Number.POSITIVE_INFINITY) - indent.length - 4)}`,
        ];
  return [...line('in ', input), ...line('out', output)];
}

/** What a person has said to what a step asks. */
function answerLines({ questions }: RunDetail, { kind, name }: RunStep, indent: string): string[] {
  const asked = kind === 'question' ? questions.find((each) => each.name === name) : undefined;
  if (asked?.status === 'expired') return [`${indent}nobody answered in time`];
  if (!asked?.answer) return [];
  const { action, content } = asked.answer;
  const said = Object.entries(content ?? {}).map(([field, value]) => `${field}=${textOf(value)}`);
  return [
    visibleLine(`${indent}answered ${ANSWERS[action]}${said.length > 0 ? `: ${said.join(', ')}` : ''}`),
  ];
}

const ANSWERS = { accept: 'yes', decline: 'no', cancel: 'not at all' } as const;

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** As much of it as has room in a line, and of what is left out how long the whole is. */
function valueText({ json, characters }: NonNullable<RunStep['output']>, columns: number): string {
  const start = visibleLine(json.slice(0, MAX_VALUE_CHARS));
  const isWhole = json.length === characters && characters <= MAX_VALUE_CHARS;
  if (isWhole && shownWidth(start) <= columns) return start;
  const rest = ` (${characters} characters)`;
  return `${cut(`${start}…`, Math.max(LEAST_VALUE_COLUMNS, columns - rest.length))}${rest}`;
}

const LEAST_VALUE_COLUMNS = 20;

/** A call that failed is no success of the step that made it. */
export function markOf({ status, refusal }: RunStep, isSign = true): string {
  return (isSign ? MARKS : WORDS)[refusal === undefined ? status : 'failed'];
}

/** Whether signs may stand for words. */
export function hasMarks({ TERM }: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return TERM !== 'dumb';
}

/** `, 120 tokens, $0.0012`; nothing where nothing was spent. */
export function costOf({ spent }: Pick<RunStep, 'spent'>): string {
  const cost = stepCost(spent);
  return cost === '' ? '' : `, ${cost}`;
}

/** What a step does by another run, or called for. */
function childrenOf({ children }: RunDetail, { name }: RunStep): readonly RunDetail[] {
  return children.filter(({ parentStep }) => parentStep === name);
}

/** How long it took, or takes by now: `0.4 s`, `3 min 20 s`. */
export function tookOf(
  { startedAt, endedAt }: Pick<RunStep, 'startedAt' | 'endedAt'>,
  now = Date.now(),
): string {
  return tookWords((endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt));
}

/** The same as a Mermaid flowchart: a graph's nodes and ways, or the steps one after the other. */
export function runMermaid(run: RunDetail): string[] {
  const lines = ['flowchart TD'];
  if (run.edges) {
    const nodes = new Set(run.edges.flatMap(({ from, to }) => [from, to]));
    const ids = new Map([...nodes].map((name, at) => [name, `n${at}`]));
    for (const [name, id] of ids) lines.push(`  ${id}["${label(name)}${visitsOf(run, name)}"]`);
    for (const { from, to, isBack } of run.edges) {
      lines.push(`  ${ids.get(from)} ${isBack ? '-.->' : '-->'} ${ids.get(to)}`);
    }
    return lines;
  }
  addSteps(run, 'r', lines);
  return lines;
}

function addSteps(run: RunDetail, prefix: string, lines: string[]): void {
  let before: readonly string[] = [];
  const shown = shownSteps(run.steps);
  const ids = new Map(shown.map(({ step }, at) => [step, `${prefix}_${at}`]));
  const titles = new Map(shown.map(({ step, title }) => [step, title]));
  for (const side of sideBySide(shown.map(({ step }) => step))) {
    for (const step of side) {
      const id = ids.get(step) ?? prefix;
      lines.push(`  ${id}["${markOf(step)} ${label(titles.get(step) ?? step.title)}"]`);
      for (const earlier of before) lines.push(`  ${earlier} --> ${id}`);
      for (const [of, child] of childrenOf(run, step).entries()) {
        const group = `${id}_c${of === 0 ? '' : of}`;
        lines.push(`  subgraph ${group}["${label(child.title)}"]`);
        addSteps(child, group, lines);
        lines.push('  end', `  ${id} -.-> ${group}`);
      }
    }
    before = side.map((step) => ids.get(step) ?? prefix);
  }
}

/** Steps in groups that follow one another: of a group each began before all that began earlier had ended. */
function sideBySide(steps: readonly RunStep[]): RunStep[][] {
  const groups: RunStep[][] = [];
  let endsAt = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    const group = groups.at(-1);
    const beginsAt = Date.parse(step.startedAt);
    if (group && beginsAt < endsAt) group.push(step);
    else {
      groups.push([step]);
      endsAt = Number.NEGATIVE_INFINITY;
    }
    endsAt = Math.max(endsAt, step.endedAt ? Date.parse(step.endedAt) : Number.POSITIVE_INFINITY);
  }
  return groups;
}

function visitsOf(run: RunDetail, node: string): string {
  const count = new Set(
    familySteps(run).flatMap((step) => (step.node === node ? [step.name.split('/', 1)[0]] : [])),
  ).size;
  return count > 1 ? ` ×${count}` : '';
}

function familySteps(run: RunDetail): readonly RunStep[] {
  return [...run.steps, ...run.children.flatMap(familySteps)];
}

/** Mermaid reads quotes and brackets as its own. */
function label(text: string): string {
  return cut(visibleLine(text), 60).replace(/["#;<>[\]{}()|`]/g, ' ');
}
