import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { programFiles } from './program-files.ts';

/** A command line, and files that it meets; `MARK` in them is what leaves a mark, as a shell or as Node runs it. */
interface Made {
  readonly command: string;
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const SH = ': >"$MARKED"\n';
const JS = "require('fs').writeFileSync(process.env.MARKED, '')\n";
const MJS = "import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.MARKED, '')\n";
/** What is run in the end, in a folder of its own, where it is changed after the yes. */
const HIDDEN = {
  'h/run.sh': SH,
  'h/run': `#!/bin/sh\n${SH}`,
  'h/run.cjs': JS,
  'h/run.mjs': MJS,
  'h/x.txt': JS,
};
const PLAIN = { 'server.mjs': 'export const x = 1;\n', 'noop.sh': 'true\n' };

const sh = (text: string, ...more: string[]): Made => ({ command: 'sh', args: ['-c', text, ...more] });
const node = (...args: string[]): Made => ({ command: 'node', args });
const tool = (text: string, name = 'tool'): Made => ({
  command: `./${name}`,
  args: [],
  files: { [name]: text },
});

/** Ways by which a line of a shell runs what no word of it is seen to run. */
const LINES: readonly Made[] = [
  ...[
    '>cat ./h/run',
    '>1 ./h/run',
    '1>cat ./h/run',
    '2>&1 ./h/run',
    '>/dev/null 2 ./h/run',
    '</dev/null ./h/run',
    '>>ls ./h/run',
  ],
  ...['cat h/run.sh >now.sh; sh now.sh', 'cp h/run.sh now; chmod +x now; ./now', 'cat h/run.sh | sh'],
  ...["echo '. h/run.sh' >noop.sh; sh noop.sh", "printf '. h/run.sh' >now; . ./now", 'sh <h/run.sh'],
  ...[
    'PATH=./h; run',
    'PATH=./h run',
    'export PATH=./h; run',
    'A=b PATH=./h; exec run',
    'PATH=./h export B=c; run',
  ],
  ...[
    'cat() ( . h/run.sh ); cat',
    '(. h/run.sh)',
    'true; . h/run.sh',
    'true & . h/run.sh',
    'true | . h/run.sh',
  ],
  ...['cat\\\n; . h/run.sh', '\\. h/run.sh', "'.' h/run.sh", '"."  h/run.sh', '. "h/"run.sh', '. h/run.s\\h'],
  ...[
    'echo a#b; . h/run.sh',
    '# x\n. h/run.sh',
    'true #\\\n. h/run.sh',
    'env sh h/run.sh',
    'nice sh h/run.sh',
  ],
  ...[
    'sh -e h/run.sh',
    'sh -c ". h/run.sh"',
    'sh -c \'sh -c ". h/run.sh"\'',
    'sh +e h/run.sh',
    'sh -- h/run.sh',
  ],
  ...[
    'exec sh h/run.sh',
    'command . h/run.sh',
    'nohup sh h/run.sh',
    'timeout 9 sh h/run.sh',
    'env -i sh h/run.sh',
  ],
  ...[
    'env -S "sh h/run.sh"',
    'env -Ssh\\ h/run.sh',
    'env A=b -- sh h/run.sh',
    'time sh h/run.sh',
    'setsid sh h/run.sh',
  ],
  ...[
    'echo h/run.sh | xargs sh',
    'xargs sh <h/list',
    'find h -name run.sh -exec sh {} +',
    'ls h/*.sh | xargs -n1 sh',
  ],
  ...['awk \'BEGIN{system("sh h/run.sh")}\'', "sed -n '1e sh h/run.sh' server.mjs", 'awk -f h/run.awk'],
  ...[
    'tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec="sh h/run.sh" server.mjs',
    'make -f h/Makefile',
  ],
  ...[
    'git -c alias.x="!sh h/run.sh" x',
    'git -c core.pager="sh h/run.sh" -p log',
    'git -c core.fsmonitor=h/run status',
  ],
  ...[
    'perl h/run.pl',
    'perl -e \'do "./h/run.pl"\'',
    'python3 h/run.py',
    'python3 -c "import h.run"',
    'python3 -m h.run',
  ],
  ...[
    'cat server.mjs && node h/run.cjs',
    'node h/x.txt',
    'node ./h/run.cjs >/dev/null 2>&1',
    'node h/lead.cjs',
  ],
  ...[
    'env --split-string="sh h/run.sh"',
    'time -p sh h/run.sh',
    'stdbuf -oL sh h/run.sh',
    'ionice -c3 sh h/run.sh',
  ],
  ...['touch x && sh h/run.sh', 'mkdir -p y && . h/run.sh', 'umask 022; . h/run.sh', 'test -f x; . h/run.sh'],
].map((line) => sh(line));

const SHELLS: readonly Made[] = [
  { command: 'sh', args: ['h/run.sh'] },
  { command: 'sh', args: ['noop.txt'], files: { 'noop.txt': '. h/run.sh\n' } },
  { command: 'sh', args: ['-c', '-e', '. h/run.sh'] },
  { command: 'sh', args: ['-c', '+e', '. h/run.sh'] },
  { command: 'sh', args: ['-c', '--', '. h/run.sh'] },
  { command: 'sh', args: ['-ce', '. h/run.sh'] },
  { command: 'sh', args: ['-e', '-c', '. h/run.sh'] },
  { command: 'sh', args: ['-c', '"$@"', 'x', 'sh', 'h/run.sh'] },
  { command: 'sh', args: ['-c', 'true'], env: { ENV: './h/run.sh' } },
  {
    command: 'bash',
    args: ['-c', 'true'],
    env: { BASH_ENV: './noop.sh' },
    files: { 'noop.sh': '. h/run.sh\n' },
  },
  { command: 'bash', args: ['-O', 'extglob', '-c', '. h/run.sh'] },
  { command: 'bash', args: ['+O', 'extglob', '-c', '. h/run.sh'] },
  { command: 'bash', args: ['-c', 'printf -v PATH %s ./h; run'] },
  { command: 'bash', args: ['-c', 'read PATH <h/path; run'], files: { 'h/path': './h\n' } },
  { command: 'bash', args: ['-c', 'PATH+=:./h; run'] },
  { command: 'bash', args: ['-c', 'declare -x PATH=./h; run'] },
  { command: 'bash', args: ['-c', 'exec >now; echo . h/run.sh; exec sh now'] },
  { command: 'bash', args: ['-c', 'coproc sh h/run.sh; wait'] },
  { command: 'env', args: ['PATH=./h', 'run'] },
  { command: 'env', args: ['-u', 'A', 'BASH_ENV=h/run.sh', 'bash', '-c', 'true'] },
  { command: 'env', args: ['-C', 'h', 'sh', 'run.sh'] },
  { command: 'env', args: ['--chdir=h', './run'] },
];

const NODES: readonly Made[] = [
  ...[
    node('h/run.cjs'),
    node('h/x.txt'),
    node('h/x'),
    node('--require=./h/run', 'server.mjs'),
    node('--require', './h/run', 'server.mjs'),
    node('-r', './h/run.cjs', 'server.mjs'),
    node('--import=./h/run.mjs', 'server.mjs'),
    node('--import', 'data:text/javascript,import("./h/run.mjs")', 'server.mjs'),
    node(`--import=data:text/javascript,${encodeURIComponent(MJS)}`, 'server.mjs'),
    node('--', '-x.cjs'),
    node('--', 'h/run.cjs'),
    node('--no-warnings', '--', 'h/run.cjs'),
    node('--eval=require("./h/run.cjs")'),
    node('-e', 'require("./h/run.cjs")'),
    node('-pe', 'require("./h/run.cjs")'),
    node('--test', 'h/run.cjs'),
    node('--conditions=odd', 'odd.cjs'),
    node('-C', 'odd', 'odd.cjs'),
    node('--env-file=h/env', 'server.mjs'),
    node('--env-file', 'h/env', 'server.mjs'),
    node('lead'),
    node('lead.foo'),
    node('main'),
    node('index.cjs', './h/run.cjs'),
    node('--experimental-default-config-file', 'server.mjs'),
    node('--title', 'x', 'h/run.cjs'),
    node('--max-old-space-size=64', 'h/run.cjs'),
    node('--run', 'it'),
    node('--input-type=commonjs', '-e', 'require("./h/run.cjs")'),
  ].map((made) => ({
    ...made,
    files: {
      '-x.cjs': "require('./h/run.cjs')",
      'lead.foo': "require('./h/run.cjs')",
      lead: "require('./h/run.cjs')",
      'main/package.json': '{"main":"./a.foo"}',
      'main/a.foo': "require('../h/run.cjs')",
      'index.cjs': 'require(process.argv[2])',
      'odd.cjs': "require('odd')",
      'node_modules/odd/package.json': '{"exports":{"odd":"../../h/run.cjs","default":"./i.js"}}',
      'node_modules/odd/i.js': '',
      'package.json': '{"scripts":{"it":"sh h/run.sh"}}',
    },
  })),
  ...[
    '--require ./h/run.cjs',
    '--require=./h/run',
    '--import ./h/run.mjs',
    '--import=./h/lead.mjs',
    '-r ./h/run',
  ].map((value) => ({ ...node('server.mjs'), env: { NODE_OPTIONS: value } })),
];

const STARTED: readonly Made[] = [
  tool('. h/run.sh\n'),
  tool('. h/run.sh\n', 'tool.mjs'),
  tool('//bin/sh h/run.sh\n', 'tool.js'),
  tool('. h/run.sh\n', 'tool.json'),
  tool('. h/run.sh\n', 'tool.txt'),
  tool('#!/bin/sh\n. h/run.sh\n'),
  tool('#!/bin/sh h/run.sh\n'),
  tool('#!/bin/sh -e\n. h/run.sh\n', 'tool.mjs'),
  tool('#! /bin/sh\n. h/run.sh\n'),
  tool('#!/usr/bin/env sh\n. h/run.sh\n'),
  tool('#!/usr/bin/env -S sh -e\n. h/run.sh\n'),
  tool('#!/usr/bin/env -S sh h/run.sh\n'),
  tool('#!/usr/bin/env -S PATH=./h:/bin:/usr/bin run\n'),
  tool('#!/usr/bin/env -S node --require ./h/run.cjs\n'),
  tool('#!/usr/bin/env -S node --require=./h/run\n'),
  tool('#!/usr/bin/env -S node --import=./h/run.mjs\n', 'tool.mjs'),
  tool('#!/usr/bin/env -S -i sh\n. h/run.sh\n'),
  tool('#!/usr/bin/env -vS sh h/run.sh\n'),
  tool("#!/usr/bin/env node\nrequire('./h/run.cjs')\n"),
  tool("#!/usr/bin/env node\nrequire('./h/run.cjs')\n", 'tool.foo'),
  tool("#!/usr/bin/env node\nimport './h/run.mjs'\n", 'tool.mjs'),
  tool('#!./h/run\n'),
  tool("#!/usr/bin/perl\ndo './h/run.pl';\n"),
  tool('#!/usr/bin/awk -f\nBEGIN{system("sh h/run.sh")}\n'),
  tool('#!/usr/bin/sed -nf\n1e sh h/run.sh\n'),
  tool('#!/usr/bin/make -f\nall:; sh h/run.sh\n'),
];

const WRAPPED: readonly Made[] = [
  ['env'],
  ['env', 'A=b'],
  ['env', '-u', 'A'],
  ['nice'],
  ['nice', '-n', '5'],
  ['nohup'],
  ['timeout', '9'],
  ['timeout', '-k', '1', '9'],
  ['stdbuf', '-oL'],
  ['setsid', '-w'],
].flatMap((wrapper) =>
  [
    ['sh', 'h/run.sh'],
    ['./h/run'],
    ['node', 'h/lead.cjs'],
    ['sh', '-c', '>cat ./h/run'],
    ['node', '--require=./h/run', 'server.mjs'],
  ].map((inner): Made => {
    const [command = '', ...args] = [...wrapper, ...inner];
    return { command, args };
  }),
);

const ALL: readonly Made[] = [...LINES, ...SHELLS, ...NODES, ...STARTED, ...WRAPPED];

const MORE = {
  'h/run.awk': 'BEGIN{system("sh h/run.sh")}\n',
  'h/Makefile': 'all:; sh h/run.sh\n',
  'h/run.pl': "system('sh h/run.sh');\n1;\n",
  'h/run.py': "import os\nos.system('sh h/run.sh')\n",
  'h/list': 'h/run.sh\n',
  'h/env': 'NODE_OPTIONS=--require=./h/run.cjs\n',
  'h/x': JS,
  'h/lead.cjs': "require('./run.cjs')\n",
  'h/lead.mjs': "import './run.mjs'\n",
};

function lay(made: Made): string {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-silent-')));
  const files = { ...PLAIN, ...HIDDEN, ...MORE, ...made.files };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
    chmodSync(join(top, path), 0o755);
  }
  return top;
}

function read({ command, args, env }: Made, top: string) {
  const { files, absent, isCertain } = programFiles({ command, args, env }, { folder: top, top });
  return { held: JSON.stringify([files, absent]), isSaid: !isCertain };
}

/** Starts it as a server would be, with nothing to read, and waits for its end. */
async function doesRun({ command, args, env }: Made, top: string): Promise<boolean> {
  const marked = join(top, 'marked');
  const child = spawn(command, args, {
    cwd: top,
    env: { PATH: process.env.PATH, HOME: top, MARKED: marked, ...env },
    stdio: 'ignore',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  await new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  return existsSync(marked);
}

it.runIf(process.platform === 'linux')(
  'of which nothing is said runs nothing that is not held',
  async () => {
    const silent: string[] = [];
    let ran = 0;
    for (const made of ALL) {
      const top = lay(made);
      try {
        const before = read(made, top);
        if (before.isSaid || !(await doesRun(made, top))) continue;
        ran += 1;
        for (const path of Object.keys(HIDDEN)) writeFileSync(join(top, path), '\n');
        // What it ran is another now: it waits again.
        if (read(made, top).held === before.held) silent.push(JSON.stringify(made));
      } finally {
        rmSync(top, { recursive: true, force: true });
      }
    }
    expect(silent).toEqual([]);
    expect(ALL.length).toBeGreaterThanOrEqual(150);
    expect(ran).toBeGreaterThanOrEqual(10);
  },
  120_000,
);

it.each([
  [node('server.mjs')],
  [node('--no-warnings', '--max-old-space-size=512', 'server.mjs', '--port', '1')],
  [sh('exec node server.mjs >/dev/null 2>&1')],
  [sh('mkdir -p logs && exec node server.mjs')],
  [{ command: 'env', args: ['A=b', 'node', 'server.mjs'] }],
  [{ ...node('server.mjs'), env: { NODE_OPTIONS: '--no-warnings --max-old-space-size=64', API_KEY: 'x' } }],
  [tool('#!/usr/bin/env node\n1;\n')],
] as readonly (readonly [Made])[])('of which all is understood has nothing said: %j', (made) => {
  const top = lay(made);
  try {
    expect(read(made, top).isSaid).toBe(false);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});
