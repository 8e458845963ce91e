// Has a starter start two programs, tells their processes, and stays until it is killed.
import { Starter } from '../../src/starting/starter.ts';

// A starter holds nobody open.
setInterval(() => {}, 1000);
const starter = await Starter.open();
const program = {
  command: process.execPath,
  args: ['-e', "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)"],
  cwd: '/',
  environment: {},
};
// One of them knows no group and ends when it is asked; of the other no watchdog was told.
const asked = {
  ...program,
  args: ['-e', "console.log('ready'); setInterval(() => {}, 1000)"],
  hasGroup: false,
};
const both = await Promise.all([starter.start(asked), starter.start({ ...program, hasGroup: true })]);
await Promise.all(both.map(({ stdout }) => new Promise((resolve) => stdout.once('data', resolve))));
process.stdout.write(`${JSON.stringify([starter.pid, ...both.map(({ pid }) => pid)])}\n`);
