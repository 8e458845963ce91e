import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ModelRequestSeen } from '@nexus/testing';
import { converse } from './conversation.ts';
import type { Cells } from './features.ts';
import type { InstalledHost } from './install-host.ts';
import { addTo, connect, type MadePlace, makePlace, nexus, writeIn } from './make-place.ts';
import { givenIn, readCells } from './read-cells.ts';
import type { RealHost } from './real-host.ts';
import { runHost } from './run-host.ts';
import { CALL_BESIDE, CALLS_UNTIL_KILLED, LONG_CALL, STEPS } from './steps.ts';
import { type View, viewOf } from './wire-view.ts';

const PROMPT = 'Please go on with it.';
/** By which the second of two hosts is known: no host says it to its model by itself. */
const PROMPT_BESIDE = 'Please water the petunias.';
/** Nexus's own, and words that it alone has. */
const SERVER_PROMPT = { name: 'security-review', words: 'Review the security of' };

/** All that is tried with one host, each in a place of its own. */
export async function tryHost(host: RealHost, installed: InstalledHost): Promise<Cells> {
  const ways = {
    main: () => talk(host, installed),
    searches: () => searches(host, installed),
    longCall: () => longCall(host, installed),
    beside: () => beside(host, installed),
    prompt: () => prompt(host, installed),
  };
  // Once more where a busy machine let a host start too slowly to have its tools.
  const going = (way: () => Promise<Cells>) =>
    way()
      .catch(way)
      .catch((error: unknown): Cells => ({ failed: withoutPaths(String(error).split('\n', 2).join(' ')) }));
  const tried = await Promise.all(Object.values(ways).map(going));
  // By itself: Nexus waits for a model that it tries no longer than a minute, and five of a host start slowly.
  return Object.assign({}, ...tried, await going(() => source(host, installed)));
}

async function talk(host: RealHost, installed: InstalledHost): Promise<Cells> {
  const conversation = converse(STEPS);
  await using place = await makePlace(host, installed, conversation);
  await connect(host, place);
  const run = await runHost(place, host.args(PROMPT));
  if (!conversation.first)
    throw new Error(`its model was given no tools of Nexus: ${firstWords(run.output)}`);
  return readCells(conversation, conversation.first);
}

/** How the model comes to tools when there are many: given all, or by a search that the host has of its own. */
async function searches(host: RealHost, installed: InstalledHost): Promise<Cells> {
  const asSetUp = await givenOfAll(host, installed);
  if (!host.searchEnv) return { searches: asSetUp };
  const bySearch = await givenOfAll(
    { ...host, env: (place) => ({ ...host.env(place), ...host.searchEnv }) },
    installed,
  );
  return { searches: `${asSetUp}; with its own search on, ${bySearch}` };
}

async function givenOfAll(host: RealHost, installed: InstalledHost): Promise<string> {
  const views: View[] = [];
  const listening = {
    answer(seen: ModelRequestSeen) {
      views.push(viewOf(seen));
      return { text: 'All done.' };
    },
  };
  await using place = await makePlace(host, installed, listening, { profile: 'full' });
  await connect(host, place);
  await runHost(place, host.args(PROMPT));
  return givenIn(views);
}

async function longCall(host: RealHost, installed: InstalledHost): Promise<Cells> {
  const conversation = converse(LONG_CALL);
  await using place = await makePlace(host, installed, conversation);
  await connect(host, place);
  await runHost(place, host.args(PROMPT));
  if (!conversation.first) throw new Error('its model was given no tools of Nexus');
  const text = conversation.taken.get('long')?.result?.text ?? '';
  if (/"?jobId/.test(text)) return { longCall: 'goes on as a job, which the answer names' };
  return { longCall: text.includes('1 steps') ? 'answered' : `cut off: ${firstWords(text)}` };
}

/** Two of the same project; the first, whose process serves both, is killed in the middle of both calls. */
async function beside(host: RealHost, installed: InstalledHost): Promise<Cells> {
  const [first, second] = [converse(CALLS_UNTIL_KILLED), converse(CALL_BESIDE)];
  const both = {
    answer: (seen: Parameters<typeof first.answer>[0]) =>
      JSON.stringify(seen.body).includes(PROMPT_BESIDE) ? second.answer(seen) : first.answer(seen),
  };
  await using place = await makePlace(host, installed, both);
  await connect(host, place);
  const killing = new AbortController();
  const killed = runHost(place, host.args(PROMPT), killing.signal);
  await until('the first to call', () => first.taken.has('first'));
  const staying = runHost(place, host.args(PROMPT_BESIDE));
  await until('the second to call', () => second.taken.has('beside'));
  await wait(REACHES_SERVER_MS);
  const { owner, sessions } = JSON.parse(await nexus(place, 'status', '--json')) as ServerStatus;
  if (sessions.length < 2) throw new Error(`${sessions.length} of two share the server`);
  if (second.taken.get('beside')?.result) throw new Error('the call was answered before the kill');
  killing.abort();
  // Some hosts start it in a group of its own, where it would end in order.
  killIfThere(owner.pid);
  await killed;
  await staying;
  const text = (key: string) => second.taken.get(key)?.result?.text ?? '';
  const goesOn = text('next').includes('and goes on') ? 'the next is answered' : 'the next is not answered';
  return { beside: `${besideText(text('beside'))}, ${goesOn}` };
}

/** From when a model calls a tool until the call is at the server. */
const REACHES_SERVER_MS = 3_000;

interface ServerStatus {
  readonly owner: { readonly pid: number };
  readonly sessions: readonly unknown[];
}

function besideText(text: string): string {
  if (text.includes('1 steps')) return 'its call is answered';
  if (text.includes('stopped before it answered')) return 'its call is told that its server ended';
  return `its call is told: ${firstWords(text)}`;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function prompt(host: RealHost, installed: InstalledHost): Promise<Cells> {
  if (!host.promptArgs) return { prompt: 'no way to without its screen' };
  let said = false;
  const conversation = converse([]);
  const listening: typeof conversation.answer = (seen) => {
    said ||= JSON.stringify(seen.body).includes(SERVER_PROMPT.words);
    return conversation.answer(seen);
  };
  await using place = await makePlace(host, installed, { answer: listening });
  await connect(host, place);
  await runHost(place, host.promptArgs(SERVER_PROMPT.name));
  return { prompt: said ? 'yes' : 'not reached without its screen' };
}

async function source(host: RealHost, installed: InstalledHost): Promise<Cells> {
  if (!host.source) return { source: 'Nexus does not ask it' };
  await using place = await makePlace(host, installed, converse([]));
  const trap = join(place.home, 'trap.sh');
  const started = join(place.home, 'started');
  await writeIn(place.home, { 'trap.sh': `#!/bin/sh\necho >> "${started}"\nsleep 5\n` });
  for (const [file, content] of Object.entries(host.source.servers(trap)))
    await addTo(join(place.home, file), content);
  // As its user starts it: else that the trap was not started would show nothing.
  await runHost(place, host.args(PROMPT));
  const startsByItself = existsSync(started);
  await rm(started, { force: true });
  const asked = await ask(place, host.source.name);
  const servers = existsSync(started) ? 'starts its servers' : 'starts none of its servers';
  return { source: `${asked}; ${startsByItself ? servers : 'starts no server for its user either'}` };
}

/** A model that a busy machine let start too slowly is asked once more. */
async function ask(place: MadePlace, name: string): Promise<string> {
  let said = '';
  for (let tries = 0; tries < 2; tries += 1) {
    const printed = await nexus(place, 'models', '--probe', '--json').catch((error) => String(error.stdout));
    const probe = probeOf(printed, name);
    if (probe?.isGood) return 'answers';
    said = probe?.said ?? printed;
    if (!/did not answer within/.test(said)) break;
  }
  return `does not answer: ${firstWords(said)}`;
}

interface Probe {
  readonly model: string;
  readonly isGood: boolean;
  readonly said: string;
}

function probeOf(printed: string, name: string): Probe | undefined {
  if (!printed.startsWith('{')) return undefined;
  const { probes = [] } = JSON.parse(printed) as { readonly probes?: readonly Probe[] };
  return probes.find(({ model }) => model.startsWith(`${name}:`));
}

/** @throws where what it waits for does not come: what follows would tell of something else */
async function until(what: string, isThere: () => boolean): Promise<void> {
  const endsAt = Date.now() + 240_000;
  while (!isThere()) {
    if (Date.now() > endsAt) throw new Error(`waited for ${what} in vain`);
    await wait(100);
  }
}

/** What goes into a page of the repository names no place of this machine. */
function withoutPaths(text: string): string {
  return text.replace(/(?:\/[\w.@-]+){2,}/g, '…');
}

function firstWords(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 120) || 'nothing';
}
