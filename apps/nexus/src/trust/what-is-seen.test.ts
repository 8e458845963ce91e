import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTS_OR_HIDES, oddWord } from '../../test/odd-words.ts';
import { repositoryFolder, serverConfig } from '../../test/repository-folder.ts';
import { callLine } from '../chat/show-turn.ts';
import { shownParts } from './shown-parts.ts';
import { trustQuestion } from './trust-question.ts';

const repository = repositoryFolder();
const { put, parts } = repository;

const shown = (config: Record<string, unknown>) =>
  shownParts(
    parts(config).map((part) => ({ ...part, place: repository.top })),
    {},
  );

/** Ways to a member by a key that nobody has read, whatever becomes of it. */
const OPEN_KEYS = [
  'function pick(o, k) { return o[k]; }',
  'const pick = (o, k) => o[k]',
  'p.then(f[key])',
  "const made = new Map([['a', f[key]]])",
  'for (const make of [f[key]]) make(1)',
  'Object.defineProperty({}, "make", { value: f[key] })',
  'function h({ [key]: make }, text) { make(text)() }',
  'function h({ [key] // c\n : make }, text) { make(text)() }',
  'const make = (({ [key]: m }) => m)(f)',
  'class A { make = f[key] }',
  'const one = (f[key] ||= 0)',
  'for (const i in list) run(list[i])',
  'let i = 0; for (i of names) run(f[i])',
  'let i = 0; run((i) => f[i])',
  "let i = 0; [i] = ['a'].map(decoded); run(f[i])",
  'let i = 0; i ||= decoded; run(f[i])',
  'let i = 0 || decoded; run(f[i])',
  'let i = 0; i += decoded; run(f[i])',
  'let i = 0; with (data) run(f[i])',
  '{ let i = 0; } Object.assign(this, data); run(f[i])',
  'const Math = { floor: () => key }; run(f[Math.floor(1)])',
  'const Symbol = { iterator: key }; run(f[Symbol.iterator])',
  'const é = () => 0; run(é[key])',
  'const of = () => 0; run(of[key])',
  'run(o. in[key])',
  'run(o./* c */in[key])',
  'run(this.#in[key])',
  'f <!-- =\n[key](1)',
  "run(f['\\x27]' && key])",
  "const { 'con\\structor': F } = f",
  "const { /* c */ 'con\\\nstructor': F } = f",
  'Object.prototype[Symbol.species] = 1',
];

/** What a lexer takes for a pattern, or for a piece of one. */
const UNSEEN_IMPORTS = [
  'const n = [function () {} / import(k) / 1]',
  "const n = [function () {} / 1]; import { a } from './not-read.mjs'; 1 / 2",
  "const n = [function () {} / 1]; import './not-read.mjs'; 1 / 2",
  "const n = [function () {} / 1]; export * from './not-read.mjs'; 1 / 2",
  'const n = [class {} / import(/* c */ k) / 1]',
];

/** Words of a line as it is shown: bare, or JSON. */
function words(line: string): string[] {
  return [...line.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"]+/g)].map(([word]) =>
    word.startsWith('"') ? (JSON.parse(word) as string) : word,
  );
}

const odd = fc
  .array(fc.oneof({ weight: 3, arbitrary: oddWord }, fc.constantFrom('\0', '${A}', '${A:-./b}')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pieces) => pieces.join(''));

describe('what a person says yes to', () => {
  it('parses back, as it is shown, to the command line and the variables that would run', () => {
    fc.assert(
      fc.property(odd, fc.array(odd, { maxLength: 5 }), odd, (command, args, value) => {
        const lines = shown(serverConfig({ command, args, env: { NODE_OPTIONS: value, API_KEY: value } }));
        const text = lines.find((line) => line.startsWith('  runs ')) ?? '';
        const seen = words(text).slice(1);
        expect(seen).toEqual([command, ...args]);
        for (const name of ['NODE_OPTIONS', 'API_KEY']) {
          const variable = lines.find((line) => line.startsWith(`  with env ${name}=`)) ?? '';
          expect(words(variable.slice(`  with env ${name}=`.length))).toEqual([value]);
        }
        for (const line of lines) expect(line).not.toMatch(ACTS_OR_HIDES);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [['-c', 'true\u009b]0;./x/evil;\u009c'], '"true\\u009b]0;./x/evil;\\u009c"'],
    [['-c', 'credential.helper=!./evil'], 'credential.helper=!./evil'],
    [['-c', 'curl --token=$(./evil)'], '--token=$(./evil)'],
    [['--auth', './evil.sh'], './evil.sh'],
    [['-----BEGIN PRIVATE KEY-----\nrm -rf ~'], 'rm -rf ~'],
  ])('hides nothing that could run behind a mask or an escape: %j', (args, seen) => {
    expect(shown(serverConfig({ command: 'sh', args })).join('\n')).toContain(seen);
  });

  const token = `ghp_${'aB3dE5fG7h'.repeat(4)}`;
  it.each([
    [{ env: { API_KEY: 'cm0gLXJmIH4=' } }, 'with env API_KEY=cm0gLXJmIH4='],
    [{ env: { MY_PASSWORD: '726d' } }, 'with env MY_PASSWORD=726d'],
    [{ args: ['--token', 'evil'] }, 'runs x --token evil'],
    [{ args: [token, `--key=${token}`] }, `runs x ${token} --key=${token}`],
    [{ url: 'https://u:p@host/sk-proj-abc?key=def' }, 'sends to "https://u:p@host/sk-proj-abc?key=def"'],
    [{ headers: { Authorization: 'Bearer abcdef12345' } }, 'with headers Authorization="Bearer abcdef12345"'],
  ])('shows whole what only looks like a secret: %j', (settings, seen) => {
    expect(shown(serverConfig({ command: 'x', ...settings })).join('\n')).toContain(seen);
  });

  it('shows the address of a provider with every segment of its path', () => {
    const baseUrl = `https://host/sk-${'aB3dE5fG7h'.repeat(4)}/v1`;
    expect(shown({ models: { providers: { openai: { baseUrl } } } }).join('\n')).toContain(baseUrl);
  });

  it('names a variable of the user’s as it is written, and never has its value', () => {
    const config = serverConfig({ command: 'x', env: { KEY: '${API_KEY}' } });
    const [part] = parts(config, { API_KEY: 'hidden' });
    expect(part?.lines).toContain('  with env KEY=${API_KEY}');
    expect(part?.lines.join('\n')).not.toContain('hidden');
  });

  it.each([
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'PATH',
    'BASH_ENV',
    'PYTHONSTARTUP',
    'GIT_SSH_COMMAND',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    'npm_config_script_shell',
    'GIT_CONFIG_VALUE_0',
    'EDITOR',
    'GIT_ASKPASS',
  ])('shows %s whole, and holds what it names to what it is', (name) => {
    put('x/code.txt', 'one');
    const config = serverConfig({ command: 'git', env: { [name]: './x/code.txt' } });
    const before = parts(config)[0];
    expect(before?.lines).toContain(`  with env ${name}=./x/code.txt`);
    put('x/code.txt', 'two');
    expect(parts(config)[0]?.hash).not.toBe(before?.hash);
  });

  it('has the files of one package in a line that parses back and tells of a change of any, and each by name beside it', () => {
    fc.assert(
      fc.property(odd, (version) => {
        rmSync(join(repository.top, 'node_modules'), { recursive: true, force: true });
        const file = (name: string, text: string) => put(`node_modules/@a/dep/${name}`, text);
        file('package.json', JSON.stringify({ name: 'x', version, main: './i.js' }));
        file('i.js', "import './one.js'; import './two.js';");
        file('one.js', 'one');
        file('two.js', 'two');
        put('plug.mjs', "import '@a/dep';");
        const part = () => parts({ plugins: ['./plug.mjs'] })[0];
        const lineOf = () => part()?.lines.find((each) => each.startsWith('  package ')) ?? '';
        const line = lineOf();
        expect(words(line)).toEqual([
          ...[
            'package',
            '@a/dep',
            ...(version === '' ? [] : [version]),
            'in',
            'node_modules/@a/dep:',
            '4',
            'files,',
            'sha256',
          ],
          expect.stringMatching(/^[0-9a-f]{64}$/),
        ]);
        expect(line).not.toMatch(ACTS_OR_HIDES);
        expect(part()?.lines.join('\n')).not.toContain('one.js');
        expect(part()?.lines).toContain('  plug.mjs');
        for (const name of ['package.json', 'i.js', 'one.js', 'two.js'])
          expect(part()?.wholeLines).toContain(`  node_modules/@a/dep/${name}`);
        file('two.js', 'other');
        expect(lineOf()).not.toBe(line);
      }),
      { numRuns: 20 },
    );
  });

  it('masks nothing of what makes a program run something, whatever it looks like', () => {
    const lines = shown(serverConfig({ command: 'node', env: { NODE_OPTIONS: '--token=abc123' } }));
    expect(lines).toContain('  with env NODE_OPTIONS=--token=abc123');
  });

  it('holds every program of a folder of the repository that is looked through first', () => {
    put('bin/git', 'one');
    const config = serverConfig({ command: 'git', env: { PATH: './bin:/usr/bin' } });
    const before = parts(config)[0]?.hash;
    put('bin/git', 'two');
    expect(parts(config)[0]?.hash).not.toBe(before);
  });

  it.each([
    ['sh', ['-c', 'x/a.sh;true']],
    ['sh', ['-c', '"x/a".sh && true']],
    ['sh', ['-c', "true\n'x'/a.sh"]],
    ['sh', ['-c', 'true # no\nx/a.sh']],
    ['bash', ['-ec', '. x/a.sh']],
    ['bash', ['-c', 'cd x && ./a.sh']],
    ['env', ['-i', 'A=b', 'x/a.sh']],
    ['env', ['sh', '-c', "sh -c 'x/a.sh|cat'"]],
    ['sh', ['-c', 'FOO=1 exec x/a.sh']],
    ['sh', ['-c', 'true>/dev/null&x/a.sh']],
    ['git', ['-c', 'core.fsmonitor=x/a.sh', 'status']],
  ])('finds the script of %s %j as its shell does', (command, args) => {
    put('x/a.sh', 'one');
    const before = parts(serverConfig({ command, args }))[0];
    put('x/a.sh', 'two');
    const after = parts(serverConfig({ command, args }))[0];
    expect(after?.hash).not.toBe(before?.hash);
  });

  it.each([
    ['sh', ['-c', 'eval "$X"']],
    ['sh', ['-c', '`cat y`']],
    ['npm', ['run', 'dev']],
    ['make', ['serve']],
    ['python3', ['-c', 'import x']],
    ['node', ['-e', 'import("./x.js")']],
    ['sh', ['run.sh']],
    ['python3', ['-m', 'run']],
    ['node', ['--run', 'dev']],
    ['env', ['-u', 'X', 'sh', '-c', 'eval "$X"']],
    ['env', ['-u', 'X', 'node', '-e', '1']],
    ['env', ['--chdir', 'x', 'node', 'server.mjs']],
    ['nice', ['-n', '5', 'node', '-e', '1']],
    ['timeout', ['-s', 'KILL', '5', 'node', '-e', '1']],
    ['sudo', ['-u', 'me', 'node', '-e', '1']],
    ['sudo', ['-i', 'node', 'server.mjs']],
    ['nohup', ['node', '-e', '1']],
    ['stdbuf', ['-o', 'L', 'node', '-e', '1']],
    ['setsid', ['-w', 'node', '-e', '1']],
    ['time', ['-f', '%e', 'node', '-e', '1']],
    ['xargs', ['-I', '{}', 'node', 'server.mjs']],
    ['busybox', ['sh', '-c', 'eval "$X"']],
    ['npx', ['-c', './x']],
    ['git', ['--exec-path=gitexec', 'foo']],
    ['git', ['-C', 'x', 'status']],
    ['git', ['--no-pager', '-c', 'core.hooksPath=x', 'commit']],
    ['git', ['--git-dir=x', 'log']],
    ['node', ['--conditions=x', 'server.mjs']],
    ['tsx', ['server.ts']],
    ['./run', []],
  ])('says so where words do not tell all that runs: %s %j', (command, args) => {
    put('run.sh');
    put('run', '#!/bin/sh\n. ./other');
    expect(shown(serverConfig({ command, args })).join('\n')).toMatch(/whatever else that runs in turn/);
  });

  it.each([
    ['node', ['server.mjs', '--port', '1']],
    ['git', ['--no-pager', 'log', '-c']],
    ['./tool', []],
    ['sh', ['-c', 'exec node server.mjs']],
    ['env', ['-u', 'X', 'node', 'server.mjs']],
    ['nice', ['-n', '5', 'node', 'server.mjs']],
    ['nice', ['-5', 'node', 'server.mjs']],
    ['timeout', ['--signal=KILL', '-k', '1', '5', 'node', 'server.mjs']],
    ['stdbuf', ['-oL', 'node', 'server.mjs']],
  ])('says nothing more where they do: %s %j', (command, args) => {
    put('server.mjs');
    put('tool', '#!/usr/bin/env -S node --no-warnings\n1;');
    expect(shown(serverConfig({ command, args })).join('\n')).not.toMatch(/whatever else/);
  });

  it.each([
    [['.'], 'lib/main.mjs'],
    [['lib'], 'lib/index.js'],
    [['lib/s'], 'lib/s.js'],
    [['--import', './hook.mjs', 'lib/s'], 'lib/s.js'],
  ])('finds what node %j runs as Node does', (args, file) => {
    put('package.json', JSON.stringify({ main: './lib/main' }));
    put('hook.mjs');
    put(file, 'one');
    const config = serverConfig({ command: 'node', args });
    const before = parts(config)[0];
    put(file, 'two');
    expect(parts(config)[0]?.hash).not.toBe(before?.hash);
  });

  it.each([
    'import(`./evil.mjs`)',
    "import(/* @vite-ignore */ './evil.mjs')",
    "export * from /* c */ './evil.mjs'",
    "import '.\\u002fevil.mjs'",
    "import './ev%69l.mjs?now'",
    "require('./evil')",
    "const text = 'import(`./evil.mjs`)'",
  ])('follows %s', (text) => {
    put('server.mjs', text);
    put('evil.mjs', 'one');
    for (const config of [
      serverConfig({ command: 'node', args: ['server.mjs'] }),
      { plugins: ['./server.mjs'] },
    ]) {
      const before = parts(config)[0];
      put('evil.mjs', `two of ${before?.hash}`);
      expect(parts(config)[0]?.hash).not.toBe(before?.hash);
      expect(before?.lines.join('\n')).not.toContain('whatever else');
    }
  });

  it.each([
    "import(new URL('./evil.mjs', import.meta.url))",
    "import(import.meta.dirname + '/evil.mjs')",
    "import { createRequire } from 'module'; createRequire(import.meta.url)('./evil.mjs')",
    "const load = require; load('./evil.mjs')",
    "new Worker(new URL('./evil.mjs', import.meta.url))",
    "import '#evil'",
    "import 'own/evil.mjs'",
    "import('file:///evil.mjs')",
    "import('data:text/javascript,1')",
    "import './not-there.mjs'",
    "import(['./s', '2.mjs'].join(''))",
    "import { fork } from 'node:child_process'",
    "process.dlopen(module, './evil.node')",
    "ev\\u0061l('1')",
    "globalThis['ev' + 'al']('1')",
    "(() => 1).constructor('1')()",
    "process.getBuiltinModule('vm')",
    "module._compile(fs.readFileSync('./x.txt', 'utf8'), 'x')",
    "Module._extensions['.js'](module, './x')",
    'this is no module {',
    "const r = require; r('./evil.cjs')",
    "const load = (0, require); load('./evil.cjs')",
    "module.require('./evil.cjs')",
    "process.mainModule.require('./evil.cjs')",
    "const { mainModule: m } = process; m.require('./evil.cjs')",
    "new module.constructor()._load('./evil.cjs')",
    'const m = module; m.exports = 1',
    'const g = globalThis; g.x()',
    'const { eval: e } = global; e(1)',
    "this['ev' + 'al']('1')",
    "(function () { return this[name]('1') })()",
    "arguments[1]('./evil.cjs')",
    "const p = process; p['get' + 'BuiltinModule']('vm')",
    "process.binding('fs')",
    "process.execve('./evil')",
    'const { constructor: F } = () => 1; F("1")()',
    "(() => 1). /* c */ constructor('1')()",
    "(() => 1).\n// c\nconstructor('1')()",
    "(() => 1)['constr' + 'uctor']('1')()",
    "(() => 1)['\\x63onstructor']('1')()",
    'f[`con${a}`]("1")',
    "const k = 'main' + 'Module'; process[k].require('./evil.cjs')",
    "f['con'.concat('structor')]('1')()",
    "f[['con', 'structor'].join('')]('1')()",
    "f[a + 'structor']('1')()",
    'f[a + b]("1")()',
    "f[/* c */ 'con' + 'structor']('1')()",
    "f/* c */['con' + 'structor']('1')()",
    "f[('con') + 'structor']('1')()",
    `f[${' '.repeat(400)}'con' + 'structor']('1')()`,
    `f[/*${"don't ".repeat(60)}*/'con' + 'structor']('1')()`,
    `f[${"'' + ".repeat(8_000)}'con' + 'structor']('1')()`,
    `f${' '.repeat(400)}['con' + 'structor']('1')()`,
    `f/*${' '.repeat(116)}*/['con' + 'structor']('1')()`,
    "f // so.\n['con' + 'structor']('1')()",
    `const {['con' + 'structor']${' '.repeat(50)}: F} = f; F('1')()`,
    "f[atob('x')]('1')()",
    'f[key(3)]("1")()',
    "f?.['con' + 'structor']('1')()",
    "''['con' + 'structor']['con' + 'structor']('1')()",
    "/x/['con' + 'structor']('1')()",
    "const { ['con' + 'structor']: F } = f; F('1')()",
    "const k = 'con' + 'structor'; Object[k]('1')()",
    "const k = 'con' + 'structor'; console.log[k]('1')()",
    "const k = 'con' + 'structor'; (Math)[k]('1')()",
    "const k = 'con' + 'structor'; JSON.parse?.[k]('1')()",
    "Object.getOwnPropertyDescriptor(f, 'con' + 'structor').value('1')()",
    "const a = `require(`\neval('1')\nconst b = `)`",
    "const a = 'require('; eval('1'); const b = ')'",
    "const a = `require(`; new Worker('./evil.mjs'); const b = `)`",
    "import { run } from 'node:test'",
    "import { DatabaseSync } from 'node:sqlite'",
    "import v8 from 'node:v8'",
    "import './ev\\\\il.mjs'",
    "import './ev\\til.mjs'",
    "import './ev il.mjs'",
    "const meta = import.meta; meta.require('./evil.mjs')",
    "import.meta.glob('./*.mjs')",
    "import.meta./* c */resolve('./evil.mjs')",
    "import.meta.require('./evil.mjs')",
    "import.defer('./evil.mjs')",
    'return\nmodule\n',
    "import p from 'node:process'; const k = ['getBuiltin', 'Module'].join(''); p[k]('node:' + 'child_process')",
    "import p from 'node:process'; export default p",
    "import * as p from 'process'; p.x()",
    "import { default as p } from 'node:process'; p.x()",
    "export { default } from 'node:process'",
    "const p = require('process'); p.x()",
    "const p = await import('node:process'); p.x()",
    "import * as all from './evil.mjs'; Object.entries(all).find(([a]) => a)[1]('1')",
    "import fs from 'node:fs'; for (const n in fs) list(fs, n)",
    "import * as all from './evil.mjs'; const copy = { ...all }",
    "(() => 0)[k]('1')()",
    "const f = () => 0; f[k]('1')()",
    "const f = () => 0; f[k]?.('1')()",
    "const f = () => 0; f[k] /* c */ ('1')()",
    "const f = () => 0; f[k].call(null, '1')()",
    "const f = () => 0; (0, f[k])('1')()",
    'const f = () => 0; f[k]`1`()',
    'const f = () => 0; new f[k]',
    "const f = () => 0; const F = f[k]; F('1')()",
    "const f = () => 0; const { [k]: F } = f; F('1')()",
    'const F = (() => 0)[k]; run(F)',
    'run(list.map[name])',
    "const handlers = { a() {} }; handlers[k][k]('1')()",
    "const handlers = { a() {} }; run((handlers) => handlers[k]('1'))",
    "let handlers = { a() {} }; handlers = () => 0; handlers[k]('1')()",
    "const f = () => 0; run(f[k], '1')",
    'const f = () => 0; run(a ? f[k] : b)',
    'const f = () => 0; run(...f[k])',
    'const f = () => 0; const all = [1, f[k]]',
    'run(f()[k])',
    'const f = () => 0; const F = f[k]; [F].map(g)',
    'console.log = run; console.log(f[k])',
    ...OPEN_KEYS,
    ...UNSEEN_IMPORTS,
  ])('says that more may run, of a server and of a plugin, for %s', (text) => {
    put('package.json', JSON.stringify({ name: 'own' }));
    // So that none of these is open for want of a file alone.
    for (const file of ['evil.mjs', 'evil.cjs', 'ev\\il.mjs', 'ev il.mjs', 'ev\til.mjs']) put(file);
    put('server.mjs', text);
    for (const config of [
      serverConfig({ command: 'node', args: ['server.mjs'] }),
      { plugins: ['./server.mjs'] },
    ])
      expect(shown(config).join('\n')).toContain('whatever else');
  });

  it('says that more may run where a name stands oftener than is looked at', () => {
    const often = (count: number) => `let i = 0; ${'use(f[i]);\n'.repeat(count)}`;
    put('package.json', JSON.stringify({ name: 'own' }));
    const said = (text: string) => {
      put('server.mjs', text);
      return shown(serverConfig({ command: 'node', args: ['server.mjs'] })).join('\n');
    };
    expect(said(often(20))).not.toContain('whatever else');
    expect(said(`${often(300)} i = key; run(f[i])`)).toContain('whatever else');
  });

  it.each([
    "import { copyFileSync } from 'node:fs'; copyFileSync('notes.txt', 'near.cjs')",
    "import { copyFileSync as readFile } from 'fs'; readFile('notes.txt', 'near.cjs')",
    "import { rename, readFile } from 'fs/promises'",
    "import { promises } from 'fs'",
    "import * as fs from 'fs'; fs.symlinkSync('notes.txt', 'near.cjs')",
    "import fs from 'node:fs'; run(fs)",
    "import fs from 'node:fs'; fs.promises.cp('a', 'b')",
    "import fs, { readFile } from 'node:fs'",
    "const fs = require('fs'); const other = fs",
    "const { readFile, rm } = require('fs')",
    "require('fs').writeFileSync('near.cjs', '1')",
    "export * from 'node:fs'",
    "import { open } from 'node:\\x66s'",
    "import { open } from 'node:f\\s'",
  ])('says that it may run what it writes, of a server and of a plugin, for %s', (text) => {
    put('near.cjs');
    put('server.mjs', text);
    for (const config of [
      serverConfig({ command: 'node', args: ['server.mjs'] }),
      { plugins: ['./server.mjs'] },
    ])
      expect(shown(config).join('\n')).toMatch(/whatever else (?:it writes|th)/);
  });

  it.each([
    "import fs, { } from 'os'; import { readFileSync as read, existsSync } from 'node:fs'",
    "import * as fs from 'node:fs'; fs.readFileSync('a'); fs.promises.stat('b')",
    "const fs = require('node:fs'); const { readFile: r } = require('fs/promises'); fs.existsSync(r)",
    "const { a } = require('./near.cjs'); module.exports = { a }; if (require.main === module) a()",
    "import { readFile } from 'node:fs/promises'; process.on('exit', () => process.stdout.write(process.argv[2]))",
    'export const f = () => 1; // eval code',
    '// This module does process what is global, as its users require.\nexport const x = 1',
    '/**\n * They evaluate arguments of this function.\n */\nexport const x = 1',
    'class A { #a = 1; constructor(a) { this.a = a; this.b[0] = a } name() { return this.constructor.name } }',
    'class A extends B {\n  // Made once.\n  constructor() { super() }\n}',
    'class A {\n  /** Made once. */\n  constructor() {}\n}',
    'const isNode = typeof process !== "undefined" && typeof require === "function"',
    'const options = { module: "esnext", global: true, process: 1 }; options.module = options.global',
    'const here = new URL(".", import.meta.url); export default import.meta.dirname',
    'const list = ["a\\n", "b" + 1]; export default list[0] + list["a b"] + list[list.length - 1]',
    "import process from 'node:process'; process.exitCode = 1",
    'let i = 0; const at = list[i] + list[n + 1] + list[1 + n] + list[n - 1] + list[++n] + rows[i][i + i]',
    'for (let i = 0; i < list.length; i += 1) { run(list[i], `${i}`); f(i); } let y = n - 1; y--; a.y = list[y]',
    'const last = list[Math.floor(list.length / 2)] + list[Math.floor(Math.random() * n)] + list[n >> 1]',
    'const made = { [key]: 1, [other]: (a) => a, [third]() {} }; all[key] = 1; const isThere = key in all',
    '/**\n * @param {string} [name]\n */\n// see [this](that)\nexport const x = 1',
    'class A { a = 1; *[Symbol.iterator]() {} b() {} [Symbol.dispose]() {} }',
    'const [one] = rows; for (const [a, b] of [[1, 2]]) f([a, b]); let [c] = d; if (/a[a-z](b)[^c](d)/.test(one)) f(1)',
    "import process, { argv } from 'node:process'; import fs from 'node:fs'; fs.readFileSync(process.cwd(), ...argv)",
    'const port = process.env.PORT ?? process.argv[2]; const first = Object.keys(port)[0]',
    'const one = map[isOdd ? "odd" : "even"]',
    'type One = Two["a" | "b"]; const list = ["a" + b, c(d)]; f(["a" + b]); return ["a" + b]',
    "console['log']('a' + 'b')",
    'const mail = /^[\\w.+-]+@[^\\s]+$/; const sign = /x[+-]y[\\d(]+/; f(1, ["a" + b])',
  ])('says of nothing more where a script runs nothing else: %j', (text) => {
    put('near.cjs');
    put('server.mjs', text);
    expect(shown({ plugins: ['./server.mjs'] }).join('\n')).not.toContain('whatever else');
  });

  it.each([
    ['#!/usr/bin/env -S node --require TOP/pre.cjs', 'pre.cjs'],
    ['#!/usr/bin/env -S A=b node "--import=TOP/a b.mjs"', 'a b.mjs'],
    ['#!/bin/sh TOP/o.sh', 'o.sh'],
    ['#!/bin/sh TOP/a b.sh', 'a b.sh'],
    ['#!TOP/own', 'own'],
    ['#!TOP/outer', 'inner.sh'],
    ["#!/usr/bin/env node\nimport './deep.mjs'", 'deep.mjs'],
  ])('reads the first line of a script as a command: %j', (text, file) => {
    put('outer', `#!/bin/sh ${repository.top}/inner.sh`);
    put('tool', text.replace('TOP', repository.top));
    put(file, 'one');
    for (const config of [serverConfig({ command: './tool' }), { code: { ripgrepPath: './tool' } }]) {
      const before = parts(config)[0]?.hash;
      put(file, `two of ${before}`);
      expect(parts(config)[0]?.hash).not.toBe(before);
    }
  });

  it('runs a text file as the script that its interpreter takes it for', () => {
    put('notes.txt', 'one');
    const config = serverConfig({ command: 'sh', args: ['notes.txt'] });
    const before = parts(config)[0]?.hash;
    put('notes.txt', 'two');
    expect(parts(config)[0]?.hash).not.toBe(before);
  });
});

/** A value of any depth, made of what attackers use. */
const nested = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    odd,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(odd, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const long = fc.integer({ min: 1, max: 6_000 }).map((chars) => 'x y'.repeat(chars));

describe('what nexus trust, a host’s dialogue and a chat show', () => {
  it('of a config parses back to what would run, the same in both', () => {
    fc.assert(
      fc.property(odd, fc.array(fc.oneof(odd, long), { maxLength: 4 }), nested, (command, args, anything) => {
        const config = serverConfig({
          command,
          args,
          env: { BASH_ENV: command },
          tools: { note: { name: 'n', description: JSON.stringify(anything) } },
        });
        const waiting = parts(config).map((part) => ({ ...part, place: repository.top }));
        const lines = shownParts(waiting, {});
        const asked = trustQuestion(repository.top, waiting);
        // A dialogue shows a part as `nexus trust` does, or says that it does not, and a yes is then for none of it.
        if (asked.parts.length > 0) expect(asked.message).toContain(lines.join('\n'));
        else expect(asked.message).toContain('1 more are too long for here');
        const seen = words(lines.find((line) => line.startsWith('  runs ')) ?? '').slice(1);
        expect(seen).toEqual([command, ...args]);
        const variable = lines.find((line) => line.startsWith('  with env BASH_ENV=')) ?? '';
        expect(words(variable.slice('  with env BASH_ENV='.length))).toEqual([command]);
      }),
      { numRuns: 200 },
    );
  });

  it('of a call parses back to just that call, however long and deep', () => {
    fc.assert(
      fc.property(fc.dictionary(odd, fc.oneof(nested, long), { maxKeys: 4 }), (input) => {
        const line = callLine('write', input);
        const [, args = ''] = /^\[Calling tool write with args (.*)\]$/.exec(line) ?? [];
        expect(JSON.parse(args)).toEqual(JSON.parse(JSON.stringify(input)));
        expect(line).not.toMatch(ACTS_OR_HIDES);
      }),
      { numRuns: 200 },
    );
  });
});

describe('what of a config is data', () => {
  it('is an allow list: prices, defaults, words for models and renames wait', () => {
    const names = parts({
      server: { name: 'a', instructions: 'Always call evil.' },
      tools: { orchestrate: { enabled: true, timeoutMs: 5, defaults: { task: 'x' } } },
      models: { default: 'a:b', models: { 'a:b': { contextWindow: 5, price: { input: 0, output: 0 } } } },
      mcp: { server: { name: 'x' }, tools: { a: { enabled: true, maxTurns: 3 } } },
      permissions: { allow: ['*'] },
      limits: { burst: 5 },
      memory: { anything: 1 },
      toolboxes: { t: { description: 'Use it first.', mcpServers: {} } },
    }).map(({ name }) => name);
    expect(names.sort()).toEqual([
      'mcp.tools.a.maxTurns',
      'memory',
      'models.models.a:b.price',
      'server.instructions',
      'toolboxes.t.description',
      'tools.orchestrate.defaults',
    ]);
  });

  it('waits again where a tool is renamed or described otherwise', () => {
    const one = parts(serverConfig({ command: 'x', tools: { add_note: { name: 'note' } } }))[0];
    const other = parts(serverConfig({ command: 'x', tools: { delete_all: { name: 'note' } } }))[0];
    expect(one?.hash).not.toBe(other?.hash);
    expect(other?.lines.join('\n')).toContain('with tools delete_all={"name":"note"}');
  });
});
