import type { RunDetail, RunStep } from '@nexus/plugin-sdk';
import { age } from './age.ts';
import { oneLine } from './table.ts';

const MARKS = { running: '▶', waiting: '…', completed: '✓', failed: '✗' } as const satisfies Record<
  RunStep['status'],
  string
>;

/** A run as lines: its steps in the order of their beginning, children under the step that they do. */
export function runLines(run: RunDetail): string[] {
  const { spent, cap } = run.budget;
  const ofCap = cap?.costUsd === undefined ? '' : ` of $${cap.costUsd.toFixed(2)}`;
  const cost = spent.tokens === 0 ? [] : [`${spent.tokens} tokens, $${spent.costUsd.toFixed(4)}${ofCap}`];
  return [
    oneLine(`${run.title} (${run.kind}): ${run.status}, begun ${age(run.createdAt)} ago`),
    ...(run.message === undefined ? [] : [oneLine(run.message)]),
    ...cost,
    '',
    ...stepLines(run, ''),
    ...questionLines(run),
  ];
}

function stepLines(run: RunDetail, indent: string): string[] {
  return run.steps
    .filter(({ kind }) => kind !== 'value' && kind !== 'event')
    .flatMap((step) => {
      const children = childrenOf(run, step);
      const took = step.endedAt ? ` ${seconds(step)}` : '';
      const attempt = step.attempt > 1 ? `, attempt ${step.attempt}` : '';
      const why = step.error ? `: ${step.error.message}` : '';
      const line = oneLine(`${MARKS[step.status]} ${step.title}${took}${attempt}${why}`);
      // A graph that goes on in a child is one graph.
      const deeper = step.name === 'continued' ? indent : `${indent}  `;
      return [`${indent}${line}`, ...children.flatMap((child) => stepLines(child, deeper))];
    });
}

/** What a step does by another run, or called for. */
function childrenOf({ children }: RunDetail, { name }: RunStep): readonly RunDetail[] {
  return children.filter(({ parentStep }) => parentStep === name);
}

function questionLines(run: RunDetail): string[] {
  const own = run.questions
    .filter(({ status }) => status === 'open')
    .flatMap(({ runId, name, message }) => [
      '',
      oneLine(`It asks: ${message}`),
      oneLine(`  nexus runs answer ${runId} yes --question "${name}"`),
    ]);
  return [...own, ...run.children.flatMap(questionLines)];
}

function seconds({ startedAt, endedAt = startedAt }: RunStep): string {
  return `${((Date.parse(endedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`;
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
  let last: string | undefined;
  const shown = run.steps.filter(({ kind }) => kind !== 'value' && kind !== 'event');
  for (const [at, step] of shown.entries()) {
    const id = `${prefix}_${at}`;
    lines.push(`  ${id}["${MARKS[step.status]} ${label(step.title)}"]`);
    if (last !== undefined) lines.push(`  ${last} --> ${id}`);
    last = id;
    for (const [of, child] of childrenOf(run, step).entries()) {
      const group = `${id}_c${of === 0 ? '' : of}`;
      lines.push(`  subgraph ${group}["${label(child.title)}"]`);
      addSteps(child, group, lines);
      lines.push('  end', `  ${id} -.-> ${group}`);
    }
  }
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
  return oneLine(text)
    .slice(0, 60)
    .replace(/["#;<>[\]{}()|`]/g, ' ');
}
