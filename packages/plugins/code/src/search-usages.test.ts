import { describe, expect, it } from 'vitest';
import { failure, startProject } from '../test/start-project.ts';

interface Answer {
  definition: { file: string; line: number; kind: string } | null;
  otherDefinitions: string[];
  references: { file: string; line: number; column: number; text: string; within: string | null }[];
  total: number;
  mentions: number;
}

const at = ({ references }: Answer) =>
  references.map(({ file, line, column }) => `${file}:${line}:${column}`);

describe('search_usages', () => {
  it('tells the definition from references and leaves comments and strings out', async () => {
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
    expect(at(answer)).toEqual(['b.ts:1:10', 'b.ts:3:19', 'b.ts:4:13']);
    expect(answer.references[1]).toMatchObject({ text: 'const über = 1; load();', within: 'main' });
    expect(answer).toMatchObject({ total: 3, mentions: 4, otherDefinitions: [] });
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

  it('gives all totals when it cuts', async () => {
    await using project = await startProject({ 'a.js': `let n = 0;\n${'n += 1;\n'.repeat(30)}` });
    const answer = await project.answer<Answer>('search_usages', { symbol: 'n', limit: 5 });
    expect(answer.references).toHaveLength(5);
    expect(answer.total).toBe(30);
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
