import { openTrail } from '../src/index.ts';

/** Writes until no more can be, under a limit of its files' size, and then goes on once more: `trail keyFile`. */
const [, , trail = '', keyFile = ''] = process.argv;
const opened = openTrail({
  trail,
  project: 'p',
  begin: { pid: process.pid },
  contents: 'none',
  keepDays: 365,
  keyFile,
  anchors: [],
  checkpointEveryMs: 3_600_000,
  log: { debug() {}, info() {}, warn() {}, error() {} },
});
await opened.open();
let refused = '';
for (let count = 0; refused === '' && count < 100_000; count++) {
  try {
    opened.append({ kind: 'note', data: { text: 'x'.repeat(20_000) } });
  } catch (error) {
    refused = (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
// What is shorter than what is left still fits, and stands in its place.
let short = 0;
try {
  for (; short < 2; short++) opened.append({ kind: 'n', data: {} });
} catch {
  // Full by now.
}
process.stdout.write(JSON.stringify({ refused, short }));
process.exit();
