import { isRecord } from '@nexus/core/json-type';
import { isEqualSecret } from '@nexus/untrusted/secrets';
import type { Identity } from './identity.ts';

export const HELLO_VERSION = 1;
/** An environment may be large; anything larger is no hello. */
export const MAX_HELLO_BYTES = 4 * 1024 * 1024;

/** What the owner is asked by a command, in place of a session; `ping` is answered at once, whatever the owner waits for. */
export const QUESTIONS = ['ping', 'status', 'stop', 'reload', 'pins', 'accept-pins', 'runs'] as const;

export type Question = (typeof QUESTIONS)[number];

/** What a question is about. */
export type QuestionDetails = Readonly<Record<string, string>>;

/** The session that a bridge carries, told to each owner that it meets. */
export interface SessionHello {
  /** Made by the bridge, kept over every change of owner. */
  readonly sessionId: string;
  /** True when an earlier owner served this session. */
  readonly isResumed: boolean;
  /** The host's variables, as far as the config's expansion needs them. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The first line on a connection. */
export type Hello = {
  readonly nexus: typeof HELLO_VERSION;
  readonly identity: Identity;
  readonly token: string;
  readonly pid: number;
} & Purpose;

/** What a connection is for: to carry a session, or to ask one question. */
export type Purpose =
  | { readonly purpose: 'session'; readonly session: SessionHello }
  | { readonly purpose: Question; readonly details?: QuestionDetails };

/** The owner's first line. */
export type HelloReply =
  | {
      readonly nexus: number;
      readonly ok: true;
      readonly answer?: Readonly<Record<string, unknown>>;
      /** Of a session's lines, so that a bridge refuses what the owner would. */
      readonly maxMessageBytes?: number;
    }
  | { readonly nexus: number; readonly ok: false; readonly reason: string };

/** What an owner of this identity and token says to a first line: the hello, or what differs. */
export function readHello(
  line: string,
  own: { readonly identity: Identity; readonly token: string },
): { readonly hello: Hello } | { readonly fault: string } {
  const value = parse(line);
  if (!isRecord(value) || typeof value.nexus !== 'number') return { fault: 'the first line is no hello' };
  if (value.nexus !== HELLO_VERSION) {
    return { fault: `the sharing protocol is ${value.nexus} there and ${HELLO_VERSION} here` };
  }
  if (typeof value.token !== 'string' || !isEqualSecret(value.token, own.token)) {
    return { fault: 'the token is not the one in this server’s pointer file' };
  }
  const theirs = isRecord(value.identity) ? value.identity : {};
  for (const key of ['buildId', 'projectRoot', 'configPath', 'dataDir'] as const) {
    if (theirs[key] !== own.identity[key]) {
      return { fault: `${key} is ${String(theirs[key])} there and ${String(own.identity[key])} here` };
    }
  }
  const isQuestion = QUESTIONS.some((question) => question === value.purpose) && isDetails(value.details);
  if (!isQuestion && !(value.purpose === 'session' && isSession(value.session))) {
    return { fault: `a hello for ${JSON.stringify(value.purpose)} is not known here` };
  }
  // Each member that is used was checked above.
  return { hello: value as unknown as Hello };
}

function isSession(value: unknown): value is SessionHello {
  return (
    isRecord(value) &&
    typeof value.sessionId === 'string' &&
    typeof value.isResumed === 'boolean' &&
    isTexts(value.environment)
  );
}

function isDetails(value: unknown): boolean {
  return value === undefined || isTexts(value);
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string');
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
