import { describe, expect, it } from 'vitest';
import { failure, startProject } from '../test/start-project.ts';

interface Answer {
  definition: { file: string; line: number; kind: string } | null;
  otherDefinitions: string[];
  references: {
    file: string;
    line: number;
    column: number;
    text: string;
    as: string;
    within: string | null;
  }[];
  total: number;
  mentions: number;
  nextOffset?: number;
  notes?: string[];
}

const at = ({ references }: Answer) =>
  references.map(({ file, line, column }) => `${file}:${line}:${column}`);

describe('search_usages', () => {
  it('tells the definition from references, and these from mentions in comments, strings and other text', async () => {
    await using project = await startProject({
      'a.ts': '// load is here\r\nexport function load() {\r\n  return "load";\r\n}\r\n',
      'b.ts': `import { load } from './a';\nfunction main() {\n  const über = 1; load();\n  return \`\${load()} load\`;\n}\nconst preload = 1;\n`,
      'notes.md': 'Call load first.',
    });
    const answer = await project.answer<Answer>('search_usages', { symbol: 'load' });
    expect(answer.definition).toEqual({
      file: 'a.ts',
      name: 'load',
      kind: 'function',
      signature: 'export function load()',
      line: 2,
      endLine: 4,
      parent: null,
    });
    const places = answer.references.map(({ file, line, column, as }) => `${file}:${line}:${column} ${as}`);
    expect(places).toEqual([
      'b.ts:1:10 import',
      'b.ts:3:19 call',
      'b.ts:4:13 call',
      'a.ts:1:4 comment',
      'a.ts:3:11 string',
      'b.ts:4:21 string',
      'notes.md:1:6 text',
    ]);
    expect(answer.references[1]).toMatchObject({ text: 'const über = 1; load();', within: 'main' });
    expect(answer).toMatchObject({ total: 3, mentions: 4, otherDefinitions: [] });
  });

  it('says the kind of another definition once', async () => {
    await using project = await startProject({
      'a.tsx': 'export function View() {}\n',
      'b.tsx': 'function View() {}\n',
    });
    const { otherDefinitions } = await project.answer<Answer>('search_usages', { symbol: 'View' });
    expect(otherDefinitions).toEqual(['b.tsx:1 function View()']);
  });

  it('names other definitions, those inside functions last', async () => {
    await using project = await startProject({
      'a.py': 'def f():\n    run = 1\n    return run\n',
      'b.py': 'class A:\n    def run(self):\n        pass\n',
      'c.rb': 'def run\nend\n',
    });
    const answer = await project.answer<Answer>('search_usages', { symbol: 'run' });
    expect(answer.definition).toMatchObject({ file: 'b.py', kind: 'method', parent: 'A' });
    expect(answer.otherDefinitions).toEqual(['c.rb:1 function def run end', 'a.py:2 variable run = 1']);
    expect(at(answer)).toEqual(['a.py:3:12']);
  });

  it.each([
    ['a.php', '<?php\nfunction f($size) {\n  return "$size" . $size;\n}\n', 'size', 3],
    ['a.sh', 'LIMIT=1\necho "$LIMIT" # LIMIT\n', 'LIMIT', 1],
    ['a.go', 'package a\nfunc Run() {}\nfunc main() { Run(); _ = "Run" }\n', 'Run', 1],
    ['a.rs', 'struct Point;\nfn f(p: &Point) -> Point { Point }\n', 'Point', 3],
    ['a.rb', 'def empty?\nend\nfoo.empty?\n', 'empty?', 1],
    ['a.cs', 'class A { int total; int F() => total; }\n', 'total', 1],
  ])('knows identifiers in %s', async (file, text, symbol, count) => {
    await using project = await startProject({ [file]: text });
    expect((await project.answer<Answer>('search_usages', { symbol })).total).toBe(count);
  });

  it('gives all totals when it cuts, and every place by its pages', async () => {
    await using project = await startProject({
      'a.js': `let n = 0;\n${'n += 1;\n'.repeat(30)}// n\n`,
      'b.md': 'n\n'.repeat(9),
    });
    const places: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page: Answer = await project.answer<Answer>('search_usages', { symbol: 'n', limit: 15, offset });
      expect(page).toMatchObject({ total: 30, mentions: 10 });
      expect(page.references.length).toBeLessThanOrEqual(15);
      places.push(...at(page));
      offset = page.nextOffset;
    }
    expect(new Set(places).size).toBe(40);
    expect(places).toHaveLength(40);
  });

  it('says what the name is at each place, and in which function or constant', async () => {
    await using project = await startProject({
      'a.ts': [
        "import { load } from './load';",
        "export { load } from './load';",
        'export const routes = { load };',
        'function main(given: load): Array<load> {',
        '  api.load(); load.call(given); new load(); const f = load;',
        '}',
        'class A extends load {}',
      ].join('\n'),
      'b.py': 'from m import load\n@load\ndef f(a: load): return load(a)\n',
      'c.go': 'package c\nfunc f() { m.load(); g(load) }\n',
      'd.rs': 'use m::load;\nfn f(a: load) { m::load(); load!(); }\n',
    });
    const { references } = await project.answer<Answer>('search_usages', { symbol: 'load' });
    const said = references.map(({ file, line, as, within }) => `${file}:${line} ${as} ${within ?? '-'}`);
    expect(said).toEqual([
      'a.ts:1 import -',
      'a.ts:2 re-export -',
      'a.ts:3 use routes',
      'a.ts:4 type main',
      'a.ts:4 type main',
      'a.ts:5 call main',
      'a.ts:5 use main',
      'a.ts:5 call main',
      'a.ts:5 use main',
      'a.ts:7 type A',
      'b.py:1 import -',
      'b.py:2 use -',
      'b.py:3 type f',
      'b.py:3 call f',
      'c.go:2 call f',
      'c.go:2 use f',
      'd.rs:1 import -',
      'd.rs:2 type f',
      'd.rs:2 call f',
      'd.rs:2 call f',
      'a.ts:1 string -',
      'a.ts:2 string -',
    ]);
  });

  it('is read by a model as text: each file and line once', async () => {
    await using project = await startProject({
      'a.ts': 'export function load() {}\n',
      'b.ts': "import { load } from './a';\nconst all = [load(), load()];\n// load\n",
    });
    const { content } = await project.call('search_usages', { symbol: 'load' });
    expect(content[0]?.text).toBe(
      [
        'Defined in a.ts:1 export function load()',
        '4 places. 3 references in code, 1 mention in comments, strings and other text.',
        '',
        'b.ts',
        "1 import { load } from './a';",
        '2 [call in all] const all = [load(), load()];',
        '3 [comment] // load',
      ].join('\n'),
    );
  });

  it('names another case of a name that is nowhere', async () => {
    await using project = await startProject({ 'src/a.ts': 'export function Load() {}\n' });
    const { notes } = await project.answer<Answer>('search_usages', { symbol: 'load' });
    expect(notes).toEqual([
      'In another case it is in 1 line, such as src/a.ts:1: search_codebase with mode "regex" and query "(?i)\\\\bload\\\\b".',
    ]);
  });

  it('searches one folder when told to', async () => {
    await using project = await startProject({ 'a/x.ts': 'use(thing);', 'b/x.ts': 'use(thing);' });
    expect(at(await project.answer('search_usages', { symbol: 'thing', directory: 'b' }))).toEqual([
      'b/x.ts:1:5',
    ]);
  });

  it('answers with nothing for a name that is nowhere', async () => {
    await using project = await startProject({ 'a.ts': 'x' });
    expect(await project.answer('search_usages', { symbol: 'absent' })).toEqual({
      definition: null,
      otherDefinitions: [],
      references: [],
      total: 0,
      mentions: 0,
    });
  });

  it('wants a bare name and a folder inside the roots', async () => {
    await using project = await startProject({});
    const qualified = await failure(project.call('search_usages', { symbol: 'A.b' }));
    expect(qualified).toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
      text: expect.stringContaining('bare name'),
    });
    const outside = await failure(project.call('search_usages', { symbol: 'a', directory: '/' }));
    expect(outside.code).toBe('NEXUS_OUTSIDE_ROOTS');
  });

  it('says so when a named file is binary', async () => {
    await using project = await startProject({ 'a.ts': Buffer.from('thing\0') });
    const { code } = await failure(project.call('search_usages', { symbol: 'thing', directory: 'a.ts' }));
    expect(code).toBe('NEXUS_FILE_UNREADABLE');
  });
});
