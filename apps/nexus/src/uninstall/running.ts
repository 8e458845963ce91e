import { setTimeout as sleep } from 'node:timers/promises';
import { isInside } from '@nexus/primitives';
import type { MeetingPoint } from '@nexus/transports/ipc';
import { askAt } from '../client/ask.ts';
import { stateDir } from '../config/places.ts';
import { isChosen, recordOf } from '../state/data-dir-record.ts';
import { realOf } from '../state/real-of.ts';
import { projectFolders, stateUsers } from '../state/state-users.ts';
import { allDataDirs } from './leftovers.ts';
import { type MetServer, serversIn } from './servers-in.ts';

/** A process that would write what is taken away, and go on with what is gone. */
export interface Running {
  /** Undefined of one that still starts. */
  readonly pid: number | undefined;
  readonly dataDir: string;
  /** Of the projects that it may serve. */
  readonly folders: readonly string[];
  /** @throws where it does not answer */
  askToEnd(): Promise<void>;
}

export interface RunningOn {
  /** Where servers of this build meet for the project. */
  readonly point: MeetingPoint;
  /** Whose state is taken away. */
  readonly dataDirs: readonly string[];
  /** Whether whatever meets in the folder counts but those of another home, since what is of all projects is taken away. */
  readonly ofAll: boolean;
}

export async function runningOn({ point, dataDirs, ofAll }: RunningOn): Promise<readonly Running[]> {
  const users = await Promise.all(dataDirs.map(usersOf));
  const met = (await serversIn(point)).filter(
    (server) =>
      (ofAll && !isOfAnotherHome(server, dataDirs)) ||
      server.hash === point.hash ||
      (server.point && dataDirs.includes(server.point.identity.dataDir)),
  );
  return [
    ...met.map(({ pid, point: own }) => ({
      pid,
      dataDir: own?.identity.dataDir ?? '',
      folders: own ? [own.identity.projectRoot] : [],
      askToEnd: async () => void (own && (await askAt(own, 'stop'))),
    })),
    ...users.flat(),
  ];
}

/** Servers that meet in the same folder and have their state in another home: one user may have several. */
export async function ofAnotherHome(point: MeetingPoint): Promise<readonly MetServer[]> {
  const dataDirs = [point.identity.dataDir, ...allDataDirs()];
  return (await serversIn(point)).filter((server) => isOfAnotherHome(server, dataDirs));
}

/** One that still starts has not said yet. */
function isOfAnotherHome({ point }: MetServer, dataDirs: readonly string[]): boolean {
  if (!point) return false;
  const { dataDir } = point.identity;
  return !dataDirs.includes(dataDir) && !isInside({ path: realOf(dataDir), folder: realOf(stateDir()) });
}

async function usersOf(dataDir: string): Promise<Running[]> {
  // Nothing of it is taken away.
  if (isChosen(dataDir) && !recordOf(dataDir)) return [];
  const folders = projectFolders(dataDir);
  return (await stateUsers(dataDir)).map(({ pid, askToEnd }) => ({
    pid,
    dataDir,
    folders,
    askToEnd: async () => askToEnd(),
  }));
}

/** One line for each process, though it was found in two ways. */
export function runningLines(running: readonly Running[]): string[] {
  const lines = running.map(({ pid, dataDir, folders }) => {
    const where = folders.length > 0 ? ` for ${folders.join(', ')}` : dataDir && ` on ${dataDir}`;
    return [pid, `${pid === undefined ? 'a server that still starts' : `process ${pid}`}${where}`] as const;
  });
  return [...new Map(lines.toReversed()).values()].toReversed();
}

const POLL_MS = 100;
/** Within this, a host's process that lost its server has begun to be the next one. */
const SETTLE_MS = 500;
/** A process that was asked to end has gone within 5 s. */
const PATIENCE_MS = 12_000;

/**
 * Ends them all, and those that take their place: hosts that share a server elect the next.
 * @param onEnd told of each that has ended
 * @returns those that are still there
 */
export async function endRunning(
  find: () => Promise<readonly Running[]>,
  onEnd: (pid: number) => void,
): Promise<readonly Running[]> {
  const asked = new Set<number>();
  const there = new Set<number>();
  let changedAt = Date.now();
  for (let isQuiet = false; ; ) {
    const running = await find();
    const pids = new Set(running.flatMap(({ pid }) => pid ?? []));
    for (const pid of there) {
      if (pids.has(pid)) continue;
      there.delete(pid);
      changedAt = Date.now();
      onEnd(pid);
    }
    if (running.length === 0 && isQuiet) return [];
    if (running.length > 0 && Date.now() - changedAt > PATIENCE_MS) return running;
    isQuiet = running.length === 0;
    const news = running.filter(({ pid }) => pid !== undefined && !asked.has(pid));
    for (const { pid } of news) if (pid !== undefined) asked.add(pid) && there.add(pid);
    // One that does not answer is found to be there still.
    await Promise.allSettled(news.map((each) => each.askToEnd()));
    await sleep(isQuiet ? SETTLE_MS : POLL_MS);
  }
}
