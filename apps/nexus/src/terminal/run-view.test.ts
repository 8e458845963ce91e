import type { RunDetail, RunStep } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { runView } from './run-view.ts';
import { shownWidth } from './wrap.ts';

const at = Date.parse('2026-11-22T10:00:00.000Z');
const iso = (seconds: number) => new Date(at + seconds * 1_000).toISOString();

const step = (name: string, also: Partial<RunStep> = {}): RunStep => ({
  ...{ name, title: name, kind: 'step', status: 'running', attempt: 1, startedAt: iso(0) },
  spent: { tokens: 0, costUsd: 0 },
  ...also,
});

const run = (steps: readonly RunStep[], children: readonly RunDetail[] = []) =>
  ({ id: 'run_1', steps, children, questions: [] }) as unknown as RunDetail; // what the view reads of it

const plan = step('Plan', {
  status: 'completed',
  endedAt: iso(2),
  spent: { tokens: 120, costUsd: 0.0012 },
});

function terminal({ live, columns = 80 }: { live: boolean; columns?: number }) {
  let text = '';
  const stream = {
    isTTY: live,
    columns,
    rows: 24,
    write(part: string | Uint8Array) {
      text += String(part);
      return true;
    },
  };
  const view = runView(stream, { live, now: () => at + 5_000 });
  return { view, text: () => text };
}

/** What stands on the screen once all that was written is carried out. */
function screenOf(text: string): string[] {
  const frames = text.split('\x1b[J');
  return (frames.at(-2) ?? '')
    .replace(/\x1b\[\d+A/g, '')
    .split('\n')
    .map((line) => line.replace(/\r\x1b\[2K/g, ''))
    .filter(Boolean);
}

describe('the view of a run', () => {
  it('is a line for each step on a terminal: what it does, and then what it took and cost', () => {
    const { view, text } = terminal({ live: true });
    view.show({ message: 'Plan: asks the model' });
    view.show({ message: 'Write: asks the model' });
    view.show({ message: '1 of 2 steps done', progress: 1, total: 2 });
    expect(screenOf(text())).toEqual(['Plan: asks the model', 'Write: asks the model']);
    view.follow(run([plan, step('Write', { startedAt: iso(2) })]));
    expect(screenOf(text())).toEqual(['✓ Plan 2.0 s, 120 tokens, $0.0012', '▶ Write 3.0 s: asks the model']);
    view.show({ message: 'Write: reads a file' });
    expect(screenOf(text()).at(-1)).toBe('▶ Write 3.0 s: reads a file');
    expect(text()).toMatch(/\x1b\[2A/);
  });

  it('says why a step failed, and shows what a child run does below its step', () => {
    const failed = step('Try', {
      status: 'failed',
      endedAt: iso(1),
      error: { code: 'NEXUS_TIMEOUT', message: 'It took\ntoo long.' },
    });
    const child = { ...run([step('Think')]), parentStep: 'Work' };
    const { view, text } = terminal({ live: true });
    view.follow(run([failed, step('Work')], [child]));
    expect(screenOf(text())).toEqual(['✗ Try 1.0 s: It took too long.', '▶ Work 5.0 s', '  ▶ Think 5.0 s']);
  });

  it.each([true, false])('tells apart what is called alike, where it is live: %s', (live) => {
    const review = (name: string) =>
      step(name, { title: 'reviews it', status: 'completed', endedAt: iso(1) });
    const { view, text } = terminal({ live });
    view.follow(run([review('review 1'), review('review 2')]));
    const shown = live ? screenOf(text()) : text().trim().split('\n');
    const ends = shown.filter((line) => line !== 'reviews it');
    expect(ends).toEqual(['✓ reviews it 1.0 s', '✓ reviews it (2) 1.0 s']);
  });

  it('says what a step does once: by the rows of its own run, where there are any', () => {
    const child = { ...run([step('Think')]), parentStep: 'Work' };
    const { view, text } = terminal({ live: true });
    view.show({ message: 'Work: looks it up' });
    view.follow(run([step('Work')], [{ ...run([]), parentStep: 'Work' } as RunDetail]));
    expect(screenOf(text())).toEqual(['▶ Work 5.0 s: looks it up']);
    view.follow(run([step('Work')], [child]));
    expect(screenOf(text())).toEqual(['▶ Work 5.0 s', '  ▶ Think 5.0 s']);
  });

  it('goes on below what interrupts it, without what had ended above', () => {
    const { view, text } = terminal({ live: true });
    view.follow(run([plan, step('Ask', { status: 'waiting' })]));
    view.clear();
    const before = text();
    view.tick();
    expect(text()).toBe(before);
    view.follow(run([plan, step('Ask', { status: 'completed', endedAt: iso(4) })]));
    expect(screenOf(text())).toEqual(['✓ Ask 4.0 s']);
    expect(text().slice(before.length)).not.toMatch(/\x1b\[\dA/);
  });

  it('says by an ellipsis that steps above have no room in the window', () => {
    const { view, text } = terminal({ live: true });
    view.follow(run(Array.from({ length: 30 }, (_, at) => step(`step ${at}`))));
    const shown = screenOf(text());
    expect([shown.length, shown[0], shown[1], shown.at(-1)]).toEqual([
      22,
      '…',
      '▶ step 9 5.0 s',
      '▶ step 29 5.0 s',
    ]);
  });

  it('writes each line once where nothing can be written over', () => {
    const { view, text } = terminal({ live: false });
    view.show({ message: 'Plan: asks the model' });
    view.follow(run([step('Plan')]));
    view.follow(run([plan, step('Write')]));
    view.follow(run([plan, step('Write')]));
    view.tick();
    view.show({ message: 'Write' });
    expect(text()).toBe('Plan: asks the model\nPlan\nWrite\n✓ Plan 2.0 s, 120 tokens, $0.0012\n');
  });

  it('says of each step that it begins before it says that it has ended, whichever is heard of first', () => {
    const { view, text } = terminal({ live: false });
    const look = (name: string, seconds: number) =>
      step(name, { title: 'looks', status: 'completed', startedAt: iso(seconds), endedAt: iso(seconds + 1) });
    view.follow(run([look('a', 0)]));
    view.show({ message: 'looks' });
    expect(text()).toBe('looks\n✓ looks 1.0 s\n');
    view.show({ message: 'looks' });
    view.follow(run([look('a', 0), look('b', 1), look('c', 2)]));
    expect(text()).toBe('looks\n✓ looks 1.0 s\nlooks\n✓ looks (2) 1.0 s\nlooks\n✓ looks (3) 1.0 s\n');
  });

  it('shows how a step ended once the run has its answer, or is over in the middle of it', () => {
    const failed = { endedAt: iso(3), error: { code: 'NEXUS_UNAVAILABLE', message: 'It is away.' } };
    const below = {
      ...run([step('Read', { status: 'failed', ...failed })]),
      id: 'run_2',
      parentStep: 'Work',
    };
    const { view, text } = terminal({ live: false });
    // Its child has ended, and nobody has taken what that came to.
    view.follow(run([step('Work', { status: 'waiting', ...failed })], [below as RunDetail]));
    expect(text()).toBe('Work\nWork: Read\n✗ Work: Read 3.0 s: It is away.\n');
    const over = { endedAt: iso(4), status: 'failed' };
    const steps = [step('Work', { status: 'failed', ...failed }), step('Beside', { status: 'interrupted' })];
    view.show({ message: 'Work failed' });
    view.show({ message: 'what it looked for failed' });
    view.follow({ ...run(steps, [below as RunDetail]), ...over } as RunDetail);
    expect(text().split('\n').slice(3)).toEqual([
      'what it looked for failed',
      'Beside',
      '✗ Work 3.0 s: It is away.',
      '✗ interrupted: Beside 4.0 s',
      '',
    ]);
  });

  it('cuts a long title before what the step took, cost and does', () => {
    const { view, text } = terminal({ live: true, columns: 60 });
    const title = 'Looks for marks of unfinished work in every file of the project';
    view.show({ message: `${title}: reads a file` });
    view.follow(run([{ ...plan, title }, step(title)]));
    expect(screenOf(text())).toEqual([
      '✓ Looks for marks of unfinished… 2.0 s, 120 tokens, $0.0012',
      '▶ Looks for marks of unfinished work i… 5.0 s: reads a file',
    ]);
  });

  it('says of which step each is where its line stands by itself, in the order of their ends', () => {
    const { view, text } = terminal({ live: false });
    const think = { ...plan, name: 'Think', title: 'Think', endedAt: iso(1) };
    view.follow(run([plan], [{ ...run([think]), id: 'run_2', parentStep: 'Plan' } as RunDetail]));
    expect(text()).toBe(
      'Plan\nPlan: Think\n✓ Plan: Think 1.0 s, 120 tokens, $0.0012\n✓ Plan 2.0 s, 120 tokens, $0.0012\n',
    );
  });

  it.each([60, 100, 200])('is never wider than %i columns, and holds nothing that acts on it', (columns) => {
    const { view, text } = terminal({ live: true, columns });
    view.show({ message: `\x1b[31mred ${'x'.repeat(300)}\n\x07: works` });
    view.follow(run([step(`\x1b[31mred ${'words '.repeat(60)}`)]));
    expect(text()).not.toContain('\x1b[31m');
    expect(screenOf(text()).every((line) => shownWidth(line) < columns && line.includes('…'))).toBe(true);
  });
});
