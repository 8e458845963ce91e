import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@nexus/processes';
import { ask } from '../client/ask.ts';
import { type Command, configOption, text } from './command.ts';

const WAIT_MS = 6_000;
const POLL_MS = 50;

export const stop: Command = {
  usage: 'stop',
  summary: 'end the project’s running server; hosts that share it elect the next one',
  options: [configOption],
  examples: ['stop'],
  async run(_args, options) {
    const answer = await ask('stop', text(options, 'config'));
    if (!answer) {
      process.stderr.write('no server runs for this project\n');
      return 3;
    }
    const pid = Number(answer.pid);
    for (let waitedMs = 0; isAlive(pid); waitedMs += POLL_MS) {
      if (waitedMs >= WAIT_MS) {
        process.stderr.write(`nexus: process ${pid} did not end within ${WAIT_MS / 1000} s\n`);
        return 1;
      }
      await sleep(POLL_MS);
    }
    process.stdout.write(`Process ${pid} has ended.\n`);
    return 0;
  },
};
