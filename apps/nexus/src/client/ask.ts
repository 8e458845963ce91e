import type { DownstreamStatus } from '@nexus/downstream';
import type { AskedQuestion } from '@nexus/plugin-sdk';
import { isAlive } from '@nexus/processes';
import {
  type MeetingPoint,
  meetingPoint,
  type OtherBuild,
  otherBuilds,
  type Question,
  type QuestionDetails,
} from '@nexus/transports/ipc';
import { locate } from '../server/locate.ts';
import { buildId } from '../version.ts';
import { askPatiently } from './ask-patiently.ts';

const ANSWER_TIMEOUT_MS = 5_000;

/** What the project's running server says of itself. */
export interface ServerStatus {
  readonly project: { readonly id: string; readonly from: string };
  readonly owner: {
    readonly pid: number;
    readonly version: string;
    readonly startedAt: string;
    readonly socket: string;
  };
  /** Null where HTTP is off. */
  readonly http: {
    readonly url: string;
    readonly tokenFile: string | null;
    readonly sessions: number;
  } | null;
  readonly sessions: readonly {
    readonly id: string;
    readonly client: { readonly name: string; readonly version: string } | null;
    readonly since: string;
    readonly inFlight: number;
  }[];
  readonly downstreams: readonly DownstreamStatus[];
  /** Why nothing durable is written any more, where the database was taken away under the server. */
  readonly storeLost: string | null;
  /** Whether the database did not answer in the time that there was for it. */
  readonly isStoreAway: boolean;
  /** What the newest runs ask a person; nothing where the store is away. */
  readonly questions: readonly AskedQuestion[];
}

/**
 * @returns undefined where no server runs for the project
 * @throws {Error} naming the process that runs and does not answer
 */
export async function ask(
  question: Question,
  config: string | undefined,
  details?: QuestionDetails,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return askAt(await meetingPoint(locate(config).identity), question, details);
}

/** Servers of other builds that run for the project, which commands of this one do not share: an upgrade leaves them. */
export async function olderServers(config: string | undefined): Promise<readonly OtherBuild[]> {
  return otherBuilds(await meetingPoint(locate(config).identity), isAlive);
}

/** What people are told of a server that commands of this build do not share. */
export function olderLine({ pid, buildId: build }: OtherBuild): string {
  return `another build of Nexus, ${build}, runs for this project as process ${pid}; this is ${buildId()}. Hosts that were started before keep it: \`nexus stop\` ends it, and they go on with the new one once they are restarted.`;
}

/** Asks the server that is met there; as `ask`. */
export function askAt(
  point: MeetingPoint,
  question: Question,
  details?: QuestionDetails,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return askPatiently(point, { question, details, patienceMs: ANSWER_TIMEOUT_MS });
}
