import { openTrail } from '../src/index.ts';

/** Writes calls until it is killed: `trail keyFile`. Says that it has begun, and goes on without an end. */
const [, , trail = '', keyFile = ''] = process.argv;
const opened = openTrail({
  trail,
  project: 'p',
  begin: { pid: process.pid },
  contents: 'full',
  keepDays: 365,
  keyFile,
  anchors: [],
  checkpointEveryMs: 20,
  log: { debug() {}, info() {}, warn() {}, error() {} },
});
await opened.open();
for (let count = 0; ; count++) {
  const intent = opened.append({
    kind: 'call.intent',
    data: { tool: 'write' },
    texts: await opened.commitTo({ arguments: { count } }),
  });
  if (count === 50) process.stdout.write('begun');
  await new Promise((resolve) => setImmediate(resolve));
  opened.append({ kind: 'call.outcome', data: { intent, ok: true } });
}
