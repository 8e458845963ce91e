import type { RunDetail, RunStep } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/untrusted/shown';
import { createBeginnings } from './beginnings.ts';
import { cut } from './fit.ts';
import { endedSteps, happened, keyOf, type PlacedStep, under, withEnd } from './placed-steps.ts';
import { type QuietKeys, quietKeys } from './quiet-keys.ts';
import { costOf, hasMarks, markOf, tookOf } from './run-picture.ts';
import { shown as inWindow } from './shown.ts';
import { isShown, shownSteps } from './step-titles.ts';
import { isLive, windowSize } from './window-size.ts';
import { shownWidth } from './wrap.ts';

type Stream = Pick<NodeJS.WriteStream, 'write'> & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

type Report = Readonly<Record<string, unknown>>;

/** Shows a run while a person waits for it, and stays as it was drawn last. */
export interface RunView {
  /** What is reported of the call: `<step>: <what it does>`, or a step of its own. */
  show(report: Report): void;
  /** The run as it stands on record now: what its steps took and cost. */
  follow(run: RunDetail): void;
  /** What a running step takes by now. */
  tick(): void;
  /** What comes below is no part of it. */
  clear(): void;
}

/**
 * On a terminal one line for each step, changed in its place: what it does, then how it ended, how long it took and what
 * it cost. Elsewhere each line is written once: a report as it comes, and a step as it ends.
 */
export function runView(
  stream: Stream,
  {
    live = isLive(stream),
    now = Date.now,
    keys = quietKeys(),
  }: { readonly live?: boolean; now?(): number; readonly keys?: QuietKeys } = {},
): RunView {
  const reports = new Map<string, string>();
  /** Steps whose end stands above, and is not shown again. */
  const left = new Set<string>();
  const beginnings = createBeginnings();
  let run: RunDetail | undefined;
  let drawn = 0;

  function draw(): void {
    keys.begin();
    const { columns, rows } = windowSize(stream);
    const look = { reports, left, now: now(), indent: '' };
    const all = run ? stepRows(run, look, columns - 1) : [...reports.values()];
    const room = Math.max(2, rows - 2);
    const shown = all.length <= room ? all : [ABOVE, ...all.slice(1 - room)];
    const lines = shown.map((line) => cut(line, columns - 1));
    const up = drawn > 0 ? `\x1b[${drawn}A` : '';
    stream.write(`${up}${lines.map((line) => `\r\x1b[2K${line}\n`).join('')}\x1b[J`);
    drawn = lines.length;
  }

  /** What has begun and ended since it was looked at last, in that order. */
  function news(of: RunDetail): string[] {
    return happened(of)
      .filter(({ key }) => !left.has(key))
      .flatMap(({ key, step, isEnd }) => {
        left.add(key);
        if (isEnd) return [stepRow(step, now()).join('')];
        const line = visibleLine(step.beginning);
        // A person is asked beside it.
        return step.kind !== 'question' && beginnings.isUntold(line) ? [line] : [];
      });
  }

  return {
    show({ message }) {
      // What a model named is no control sequence of this terminal.
      const line = visibleLine(
        String(message ?? '')
          .replace(/\s+/g, ' ')
          .trim(),
      );
      // Counts are for who sees no steps.
      if (line === '' || COUNTED.test(line)) return;
      if (!live) {
        // The line of its end says why.
        if (line.endsWith(FAILED) && beginnings.hasBegun(line.slice(0, -FAILED.length))) return;
        if (beginnings.isNews(line)) stream.write(`${inWindow(line, stream)}\n`);
        return;
      }
      // Its steps say so.
      if (RUN_BEGAN.test(line)) return;
      const parts = line.split(': ');
      reports.set(parts.length > 1 ? parts.slice(0, -1).join(': ') : line, line);
      draw();
    },
    follow(next) {
      run = next;
      if (live) return draw();
      for (const line of news(next)) stream.write(`${inWindow(line, stream)}\n`);
    },
    tick() {
      // What was drawn and left, such as above a question, is not drawn into.
      if (live && run && drawn > 0) draw();
    },
    clear() {
      keys.end();
      reports.clear();
      if (run && drawn > 0) for (const step of endedSteps(run)) left.add(keyOf(step.runId, step));
      drawn = 0;
    },
  };
}

/** In the place of steps that the window has no room for. */
const ABOVE = '…';
const COUNTED = /^\d+ of \d+ steps? done$/;
const FAILED = ' failed';
const RUN_BEGAN = /^run run_[0-9a-f]{32}$/;

interface Look {
  readonly reports: ReadonlyMap<string, string>;
  readonly left: ReadonlySet<string>;
  readonly now: number;
  readonly indent: string;
}

function stepRows(run: RunDetail, look: Look, columns: number): string[] {
  const { reports, left, now, indent } = look;
  return shownSteps(run.steps)
    .filter(({ step }) => !left.has(keyOf(run.id, step)))
    .flatMap(({ step, title }) => {
      const children = run.children.filter(({ parentStep }) => parentStep === step.name);
      // What is reported of it is what they do, which is shown below as it is on record.
      const isTold = step.endedAt === undefined && children.every(({ steps }) => !steps.some(isShown));
      const report = isTold ? reports.get(visibleLine(step.title)) : undefined;
      const doing = report === undefined ? '' : report.slice(visibleLine(step.title).length);
      return [
        `${indent}${fitted(stepRow({ ...withEnd(step, run), title }, now, doing), columns - indent.length)}`,
        ...children.flatMap((child) => stepRows(child, { ...look, indent: `${indent}  ` }, columns)),
      ];
    });
}

/** What it is, what it took and cost, and why it failed, or else what it does. */
type Row = readonly [title: string, figures: string, said: string];

function stepRow(step: RunStep & Pick<PlacedStep, 'of'>, now: number, doing = ''): Row {
  const why = step.error?.message ?? step.refusal;
  const said = why === undefined ? doing : `: ${why.replace(/\s+/g, ' ')}`;
  return [
    visibleLine(`${markOf(step, hasMarks())} ${under(step, step.title)}`),
    ` ${tookOf(step, now)}${costOf(step)}`,
    visibleLine(said),
  ];
}

/** Of what is said at the end this much stays beside a long title. */
const SAID_COLUMNS = 24;
const LEAST_TITLE_COLUMNS = 16;

/** In so many columns: a long title gives way before the figures do. */
function fitted([title, figures, said]: Row, columns: number): string {
  const room = columns - shownWidth(figures) - Math.min(SAID_COLUMNS, shownWidth(said));
  return cut(`${cut(title, Math.max(LEAST_TITLE_COLUMNS, room))}${figures}${said}`, columns);
}
