import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded } from '@nexus/processes';
import { ask, askAt, olderServers } from '../client/ask.ts';
import { print, say, warn } from '../terminal/output.ts';
import { type Command, configOption, text } from './command.ts';

const WAIT_MS = 6_000;
const POLL_MS = 50;

export const stop: Command = {
  usage: 'stop',
  summary: 'end the project’s running server, and those of older builds; hosts that share it elect the next',
  options: [configOption],
  examples: ['stop'],
  async run(_args, options) {
    const config = text(options, 'config');
    const answer = await ask('stop', config);
    const older = await olderServers(config);
    const ending = [
      ...(answer ? [Number(answer.pid)] : []),
      ...(
        await Promise.all(older.map(async ({ pid, point }) => ((await askAt(point, 'stop')) ? [pid] : [])))
      ).flat(),
    ];
    if (ending.length === 0) {
      say('No server runs for this project.');
      return 3;
    }
    return (await untilEnded(ending)) ? 0 : 1;
  },
};

/** Says of each process that it has ended, or that it has not. @returns whether all have */
async function untilEnded(pids: readonly number[]): Promise<boolean> {
  return (await Promise.all(pids.map(sayHowItEnds))).every(Boolean);
}

async function sayHowItEnds(pid: number): Promise<boolean> {
  for (let waitedMs = 0; !hasEnded(pid); waitedMs += POLL_MS) {
    if (waitedMs >= WAIT_MS) {
      warn(`process ${pid} did not end within ${WAIT_MS / 1000} s`);
      return false;
    }
    await sleep(POLL_MS);
  }
  print([`Process ${pid} has ended.`]);
  return true;
}
