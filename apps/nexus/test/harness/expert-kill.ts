import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { NOTES_FILE } from '../fixtures/slow-plugin/note.ts';
import { type Asked, type AskedOnce, type ExpertTeam, expertTeam, hasToolResult } from './expert-team.ts';
import { finishedKeys, type ReadRows, runOf } from './run-record.ts';
import type { ServerProcess } from './server-process.ts';
import type { Message } from './session.ts';
import type { SharedProject } from './shared-project.ts';

/** When the server is killed: while a model is asked for the `count`-th time, or while a tool writes. */
export type Moment = { readonly asked: Asked; readonly count: number } | 'tool';

/** Each request that {@link expertTeam}'s work comes to, and the tool's own work. */
export const MOMENTS: readonly Moment[] = [
  { asked: 'planner', count: 1 },
  ...[1, 2, 3, 4, 5, 6].map((count) => ({ asked: 'expert' as const, count })),
  'tool',
  ...[1, 2, 3, 4].map((count) => ({ asked: 'reviewer' as const, count })),
  { asked: 'writer', count: 1 },
];

export const nameOf = (moment: Moment) =>
  moment === 'tool' ? 'a tool writes' : `${moment.asked} ${moment.count} is asked`;

export const PATIENCE = { timeout: 40_000, interval: 20 };

export interface KillInput {
  readonly moment: Moment;
  project(team: ExpertTeam): Promise<SharedProject>;
  /** Whether the process that goes on was there before, as a bridge; else it is started after the death. */
  readonly isBridge: boolean;
  /** The process that goes on. */
  next(project: SharedProject): Promise<ServerProcess>;
  read(project: SharedProject): ReadRows;
  /** Of the call that the first process's client makes. */
  readonly also?: Readonly<Record<string, unknown>>;
  /** Asks the process that is left. */
  ask(next: ServerProcess, runId: string): Promise<Message>;
}

/** What experts may do beside reading: the tool whose repetition would show. */
export const MAY_NOTE = { experts: { allowTools: ['slow_note'] } };

/**
 * Kills the process that orchestrates at one moment, and holds that the run ends at whoever is left, with no
 * finished step done again.
 * @returns milliseconds from the death to the first request of the next process
 */
export async function killWhile(input: KillInput): Promise<number> {
  const { moment } = input;
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let isDead = false;
  let isGone = false;
  let onAsked = (_at: number) => {};
  const firstAgain = new Promise<number>((resolve) => {
    onAsked = resolve;
  });
  await using team = await expertTeam((request) => {
    if (isGone) onAsked(performance.now());
    if (!isDead && isOf(moment, request)) {
      reached();
      return { hangs: true };
    }
    return notes(request, moment === 'tool' && !isDead ? 30_000 : 0);
  });
  await using project = await input.project(team);
  const first = await project.host();
  const waiting = moment === 'tool' ? undefined : isReached;
  const bridge = input.isBridge ? await input.next(project) : undefined;
  first.session.call('orchestrate', { task: 'Is login safe?', ...input.also }).catch(() => {});
  await (waiting ?? vi.waitFor(async () => expect(await notesOf(project)).toEqual(['looked']), PATIENCE));
  const read = input.read(project);
  first.child.kill('SIGKILL');
  isDead = true;
  await first.exit();
  isGone = true;
  const since = performance.now();
  const finished = await finishedKeys(read);
  const before = team.asked.length;
  const run = await runOf(read, 'experts.orchestrate');
  const next = bridge ?? (await input.next(project));
  const { result } = await input.ask(next, String(run?.id));
  expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
    runId: run?.id,
    summary: 'Login is **safe**.',
    steps: [{ status: 'passed' }, { status: 'passed' }, { status: 'passed', tries: 2 }],
  });
  const tookMs = (await firstAgain) - since;
  const again = team.asked.slice(before).map(({ key }) => key);
  expect(again.filter((key) => finished.has(key))).toEqual([]);
  expect(await notesOf(project)).toEqual(['looked']);
  expect(team.requests.map(({ fault }) => fault)).toEqual(team.requests.map(() => undefined));
  // The formula of the keys still is the one that this compares by.
  const all = await finishedKeys(read);
  expect(team.asked.filter(({ key }) => !all.has(key))).toEqual([]);
  return tookMs;
}

function isOf(moment: Moment, { asked, count }: AskedOnce): boolean {
  return moment !== 'tool' && moment.asked === asked && moment.count === count;
}

/** One expert's first turn writes by a tool that must not be called twice. */
function notes(request: AskedOnce, ms: number) {
  const isLook = request.asked === 'expert' && request.text.includes('FIND-THREATS');
  if (!isLook || hasToolResult(request)) return undefined;
  return { tools: [{ name: 'slow_note', input: { note: 'looked', ms } }] };
}

async function notesOf({ dataDir }: SharedProject): Promise<string[]> {
  const text = await readFile(join(dataDir, NOTES_FILE), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
