import { readFileSync } from 'node:fs';
import { type ModelRequestSeen, modelEndpoint, type Reply } from '@nexus/testing';
import { expect } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { verifiesApp } from '../harness/verifies.ts';

const page = readFileSync(new URL('../../../../docs/workflows.md', import.meta.url), 'utf8');

/** The page's files, by their path, which is their first line. */
const files = Object.fromEntries(
  [...page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)].map(([, path = '', text = '']) => [path, text]),
);

/** The page's commands, each as its words. */
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, lines = '']) => lines.trim().split('\n'))
  .map((line) => {
    const words = line.replace(/\s+#.*$/, '').match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
    return words.map((word) => word.replaceAll('"', ''));
  });

const MARK = ['TO', 'DO'].join('');

/** A source file with marks of unfinished work, not written as such here. */
const SOURCE = `// ${MARK} ${MARK}\n// ${MARK}\n// ${MARK} ${['FIX', 'ME'].join('')}\n`;

/** What each run of a file of the page answers. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  todos: { search: { total: 3 } },
  marks: { count: 1, files: ['src/a.ts'], summary: 'FIXME stands in 1 places.' },
  inventory: { marks: [3, 1, 0], noted: 'completed' },
  'second-opinion': { decision: 'approved' },
  release: { said: 'cancel', noted: 'skipped' },
  tally: { total: 3 },
  nightly: { total: 3 },
  agree: { agreed: true, draft: 'AN ANSWER', rounds: 2 },
};

/** Experts that answer, and voters of whom the first panel on a draft rejects it. */
async function models() {
  let drafts = 0;
  return modelEndpoint(({ body }: ModelRequestSeen): Reply => {
    const text = JSON.stringify(body);
    if (!text.includes('You are one voter')) {
      if (text.includes('three sentences')) drafts += 1;
      return { text: 'AN ANSWER' };
    }
    const decision = drafts === 1 ? 'reject' : 'approve';
    return { text: JSON.stringify({ reasoning: `I ${decision}.`, decision, confidence: 0.8 }) };
  });
}

/** A page has dozens of commands, and each is a process. */
const PAGE_MS = 240_000;

verifiesApp(
  'workflows.page',
  'every file of docs/workflows.md is sound, and every command does what it says',
  async () => {
    await using endpoint = await models();
    await using project = await makeProject({
      files: { ...files, 'src/a.ts': SOURCE },
      env: { ...NO_MODELS, ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: endpoint.url },
    });
    expect(Object.keys(files)).toHaveLength(Object.keys(ANSWERS).length);
    for (const path of Object.keys(files)) {
      const checked = await runNexus(project, ['run', '--check', path]);
      expect([path, checked]).toMatchObject([path, { exitCode: 0 }]);
    }
    const ran = new Set<string>();
    for (const [program, ...args] of commands) {
      expect(program).toBe('nexus');
      const isRun = args[0] === 'run' && Object.hasOwn(ANSWERS, String(args[1]));
      const done = await runNexus(project, isRun ? [...args, '--json'] : args);
      expect([args.join(' '), done.exitCode, done.exitCode === 0 ? '' : done.stderr]).toEqual([
        args.join(' '),
        0,
        '',
      ]);
      if (!isRun) continue;
      const name = String(args[1]);
      ran.add(name);
      const { structuredContent } = JSON.parse(done.stdout);
      expect(structuredContent).toMatchObject({ status: 'completed', output: ANSWERS[name] });
    }
    expect([...ran]).toEqual(Object.keys(ANSWERS));
  },
  PAGE_MS,
);
