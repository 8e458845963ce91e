import { ask, olderLine, olderServers, type ServerStatus } from '../client/ask.ts';
import { origins } from '../project/origins.ts';
import { age } from '../terminal/age.ts';
import { print, printJson, say, warn } from '../terminal/output.ts';
import { questionLines } from '../terminal/question-lines.ts';
import { tableWithText } from '../terminal/table.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

/** The exit code where no server runs, as `systemctl status` has it. */
const NOT_RUNNING = 3;
const STORE_AWAY =
  'Its database does not answer now, so what runs ask is not shown; `nexus doctor` says why.';

export const status: Command = {
  usage: 'status',
  summary: 'show the project’s running server and who uses it (exit code 3: none runs)',
  options: [jsonOption, configOption],
  examples: ['status', 'status --json'],
  async run(_args, options) {
    const config = text(options, 'config');
    const answer = await ask('status', config);
    const older = await olderServers(config);
    if (!options.json) for (const each of older) warn(olderLine(each));
    if (!answer) {
      if (options.json) printJson({ running: false });
      say('No server runs for this project. A host starts one, and so does `nexus serve`.');
      return NOT_RUNNING;
    }
    return options.json ? printJson(answer) : print(describe(answer as unknown as ServerStatus));
  },
};

function describe({
  project,
  owner,
  http,
  sessions,
  downstreams,
  storeLost,
  isStoreAway,
  questions,
}: ServerStatus): string[] {
  return [
    `Nexus ${owner.version}, process ${owner.pid}, started ${age(owner.startedAt)} ago`,
    ...(storeLost === null ? [] : [storeLost]),
    ...(isStoreAway && storeLost === null ? [STORE_AWAY] : []),
    `Project: ${project.id} (${origins[project.from as keyof typeof origins]})`,
    `Socket: ${owner.socket}`,
    ...(http
      ? [`HTTP: ${http.url}, ${http.tokenFile ? `token in ${http.tokenFile}` : 'no token needed'}`]
      : []),
    `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}${sessions.length > 0 ? ':' : ''}`,
    ...sessions.map(({ client, since, inFlight }) => {
      const name = client ? `${client.name} ${client.version}` : 'not initialized yet';
      return `  ${name}, for ${age(since)}${inFlight > 0 ? `, ${inFlight} ${inFlight === 1 ? 'call' : 'calls'} in flight` : ''}`;
    }),
    ...(downstreams.length > 0 ? ['', ...describeDownstreams(downstreams)] : []),
    ...questions.flatMap((question) => ['', ...questionLines(question)]),
  ];
}

function describeDownstreams(downstreams: ServerStatus['downstreams']): string[] {
  const rows = downstreams.map(({ servers, state, pid, sessions, tools, restarts, lastError }) => [
    servers.join(' '),
    state,
    pid === undefined ? '-' : String(pid),
    String(sessions),
    tools === undefined ? '-' : String(tools),
    String(restarts),
    lastError ?? '',
  ]);
  return tableWithText(['SERVER', 'STATE', 'PROCESS', 'SESSIONS', 'TOOLS', 'RESTARTS', 'ERROR'], rows);
}
