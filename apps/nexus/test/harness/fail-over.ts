import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { NOTES_FILE } from '../fixtures/slow-plugin/note.ts';
import type { ServerProcess } from './server-process.ts';
import type { Message } from './session.ts';
import type { SharedProject } from './shared-project.ts';

const BRIDGES = 8;
const CALL_MS = 150;

/**
 * Ends one server after the other while 8 bridges have calls in flight, and holds that each request is
 * answered once, as it may be.
 * @returns milliseconds from each server's end to the first answer of its successor
 */
export async function failOver(
  project: SharedProject,
  { signal, rounds }: { signal: 'SIGKILL' | 'SIGTERM'; rounds: number },
): Promise<readonly number[]> {
  let hosts = [await project.host()];
  const firstAnswersMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const missing = BRIDGES + 1 - hosts.length;
    hosts.push(...(await Promise.all(Array.from({ length: missing }, () => project.host()))));
    const owner = await project.owner();
    hosts = hosts.filter((host) => host !== owner);
    firstAnswersMs.push(await endUnderLoad({ project, owner, bridges: hosts, signal, round }));
  }
  const { result } = await firstOf(hosts).session.call('task_status');
  expect(result.structuredContent.total).toBe(BRIDGES * rounds);
  return firstAnswersMs;
}

async function endUnderLoad(round: {
  project: SharedProject;
  owner: ServerProcess;
  bridges: readonly ServerProcess[];
  signal: 'SIGKILL' | 'SIGTERM';
  round: number;
}): Promise<number> {
  const { project, owner, bridges, signal } = round;
  const names = bridges.map((_, at) => `${round.round}-${at}`);
  const submit = ({ session }: ServerProcess, at: number) =>
    session.call('submit_task', { title: 'work', payload: {}, idempotencyKey: String(names[at]) });

  const idempotent = bridges.map((bridge, at) => callEitherWay(bridge, at, 'slow_wait', { ms: CALL_MS }));
  const noted = bridges.map((bridge, at) =>
    callEitherWay(bridge, at, 'slow_note', { note: names[at], ms: CALL_MS }),
  );
  await vi.waitFor(async () => expect(await notes(project)).toEqual(expect.arrayContaining(names)), {
    timeout: 10_000,
    interval: 5,
  });
  const keyed = bridges.map(submit);
  owner.child.kill(signal);
  await owner.exit();
  const since = performance.now();
  await Promise.race(bridges.map(({ session }) => session.ask('ping')));
  const firstAnswerMs = performance.now() - since;

  for (const { result } of await Promise.all(idempotent)) {
    expect(result.structuredContent, JSON.stringify(result).slice(0, 600)).toEqual({ waitedMs: CALL_MS });
  }
  const first = await Promise.all(keyed);
  const again = await Promise.all(bridges.map(submit));
  for (const [at, { result }] of first.entries()) {
    const { taskId } = result.structuredContent;
    expect(taskId).toMatch(/^task_/);
    expect(again[at]?.result.structuredContent).toMatchObject({ taskId, isDuplicate: true });
  }
  for (const [at, answer] of (await Promise.all(noted)).entries()) expectNoted(answer, names[at]);
  const all = await notes(project);
  expect(all).toHaveLength(new Set(all).size);
  for (const { session } of bridges) expect(answeredTwice(session.received)).toEqual([]);
  return firstAnswerMs;
}

/** Half of the bridges call a tool itself, the others by use_tool, which is as good. */
function callEitherWay(
  { session }: ServerProcess,
  at: number,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Message> {
  return at % 2 === 0 ? session.call(tool, args) : session.call('use_tool', { tool, arguments: args });
}

/** Done before the end, or said to be unknown. */
function expectNoted({ result }: Message, note: string | undefined): void {
  if (result.isError) expect(result._meta['nexus/error'].code).toBe('NEXUS_OUTCOME_UNKNOWN');
  else expect(result.structuredContent).toEqual({ note });
}

function answeredTwice(received: readonly Message[]): unknown[] {
  const ids = received.filter(({ method }) => method === undefined).map(({ id }) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

async function notes(project: SharedProject): Promise<string[]> {
  const text = await readFile(join(project.dataDir, NOTES_FILE), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('none is left');
  return first;
}
