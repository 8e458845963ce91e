import { sourceFiles, withoutComments } from '../../workspace/source-files.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'ways-out';
const HERE = 'scripts/governance/checks/ways-out.ts';

/** Where connections are opened, and to whom. Tools reach out by `host.fetching`, and by nothing else. */
const ROOMS: Readonly<Record<string, string>> = {
  'packages/audit/src/anchors/url-anchor.ts': 'the anchor that the user names',
  'packages/client/': 'other MCP servers over HTTP, and who lets a user in there',
  'packages/fetching/': 'what tools ask of the world',
  'packages/models/': 'providers of models',
  'packages/plugins/github/src/api/github.ts': 'octokit, whose fetch is host.fetching',
  'packages/processes/src/starting/starter.ts': 'a pipe to the process that starts programs',
  'packages/store/': 'the database that the user names',
  'packages/testing/': 'loopback servers of tests',
  'packages/tracing/src/otlp/': 'the collector that the user names',
  'packages/transports/': 'the clients of this server, and issuers of their tokens',
};

/** A module that connects, or listens; a value of it, since a type alone does neither. */
const CAN_CONNECT =
  /(?:from|import)\s*\(?\s*['"](?:(?:node:)?(?:net|tls|http|https|http2|dgram)|undici|ws|got|axios|node-fetch|@octokit\/[\w-]+|@opentelemetry\/exporter-[\w-]+|pg)['"]|\bnew (?:WebSocket|EventSource)\(/;
/** The global one: neither a method that is called so, nor one that is declared. */
const FETCHES = /(?<![.\w]|async |function )fetch\((?![^()]*\)\s*[{:])/;
const TYPES_ONLY = /import type [^;]*;/g;
const TYPES_AMONG = /import \{(?:\s*type \w+(?: as \w+)?,?)+\s*\} from [^;]*;/g;

export const waysOut: Check = {
  name: NAME,
  proves: 'connections are opened in few places, each with a reason, and by no plugin',
  run({ workspace }) {
    const files = sourceFiles(workspace);
    if (files.length === 0) return lookedAtNothing(NAME, 'sources');
    const openers = files.filter((file) => opensConnections(workspace.read(file)));
    const rooms = Object.keys(ROOMS);
    const stale = rooms
      .filter((room) => !openers.some((file) => file.startsWith(room)))
      .map((room) => finding(HERE, `lists ${room}, where no connection is opened`, 'remove it'));
    const unlisted = openers
      .filter((file) => !rooms.some((room) => file.startsWith(room)))
      .map((file) => finding(file, 'can open connections', 'use host.fetching, or give a reason in ROOMS'));
    return [...unlisted, ...stale];
  },
};

function opensConnections(text: string): boolean {
  const code = withoutComments(text).replace(TYPES_ONLY, '').replace(TYPES_AMONG, '');
  return CAN_CONNECT.test(code) || FETCHES.test(code);
}

function finding(where: string, what: string, fix: string): Finding {
  return { check: NAME, where, what, fix };
}
