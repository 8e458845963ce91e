import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedQuestion } from '@nexus/plugin-sdk';
import type { Question, QuestionDetails } from '@nexus/transports/ipc';
import type { Nexus } from '../boot/boot.ts';
import type { ConfigWatch } from '../loaded-config/watch-config.ts';
import { buildId } from '../version.ts';
import { acceptPins } from './accept-pins.ts';
import { answerRuns, type RunsRequest } from './answer-runs.ts';
import type { RunningHttp } from './start-http.ts';

/** The server that commands ask. */
export interface Questioned {
  readonly nexus: Nexus;
  readonly startedAt: Date;
  readonly watch: ConfigWatch;
  readonly http: RunningHttp | undefined;
  socketPath(): string | undefined;
  requestStop(): void;
}

type Answer = Readonly<Record<string, unknown>>;

const answers = {
  ping: async ({ nexus }) => ({ isStoreAway: await isStoreAway(nexus) }),
  status: async ({ nexus, startedAt, http, socketPath }) => ({
    project: { id: nexus.project.id, from: nexus.project.from },
    owner: { pid: process.pid, version: buildId(), startedAt: startedAt.toISOString(), socket: socketPath() },
    http: http ? { url: http.url, tokenFile: http.tokenFile ?? null, ...http.counts() } : null,
    sessions: [...nexus.sessions].map((session) => ({
      id: session.id,
      client: session.client() ?? null,
      since: session.startedAt.toISOString(),
      inFlight: session.inFlight(),
    })),
    downstreams: nexus.downstreams.status(),
    storeLost: nexus.store.lost() ?? null,
    ...(await openQuestions(nexus)),
  }),
  stop: async ({ requestStop }) => {
    // After the answer has left.
    setTimeout(requestStop, 50);
    return { pid: process.pid };
  },
  reload: async ({ watch }) => {
    try {
      return { changed: await watch.reload() };
    } catch (error) {
      return { refused: (error as Error).message };
    }
  },
  pins: async ({ nexus }) => ({ held: await nexus.downstreams.pins.pending() }),
  'accept-pins': async ({ nexus }, { toolbox, server, tool, shown = '' }) => ({
    accepted: await acceptPins(nexus, { toolbox, server, tool }, shown.split(',')),
  }),
  runs: async ({ nexus }, { request = '' }) => {
    try {
      // Of the same build: the socket is of one build alone.
      return await answerRuns(nexus.engine, JSON.parse(request) as RunsRequest);
    } catch (error) {
      return { refused: (error as Error).message };
    }
  },
} as const satisfies Record<Question, (server: Questioned, details: QuestionDetails) => Promise<Answer>>;

/** Runs that are looked at for what they ask. */
const MAX_RUNS = 100;

/** A store that answers no sooner is told of as away: who asks wants to know of the server, which is there all the same. */
const STORE_MS = 2_000;

async function openQuestions({
  engine,
}: Nexus): Promise<{ readonly questions: readonly AskedQuestion[]; readonly isStoreAway: boolean }> {
  const listed = await soon(engine.runs.list({ limit: MAX_RUNS }));
  return { questions: listed?.runs.flatMap(({ asks = [] }) => asks) ?? [], isStoreAway: !listed };
}

async function isStoreAway({ store }: Nexus): Promise<boolean> {
  return !(await soon(store.tryToWrite().then(() => true)));
}

/** @returns undefined where the store fails, which `nexus doctor` tells of, or takes too long */
function soon<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  return Promise.race([asked.catch(() => undefined), sleep(STORE_MS, undefined, { ref: false })]);
}

/** What `nexus status`, `stop`, `toolbox` and `pins` ask of the running server. */
export function answerQuestion(
  server: Questioned,
  question: Question,
  details: QuestionDetails,
): Promise<Answer> {
  return answers[question](server, details);
}
