import { mkdir, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { answerIn } from '../harness/asked-team.ts';
import { lostSilently } from '../harness/lost-silently.ts';
import { pipelineTeam, SPEC, SUM_LINE, sumProject } from '../harness/pipeline-team.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

/** Characters that three hosts show their models: Claude Code's 25 000 tokens, Codex's 10 000, and a small one. */
const HOSTS = { 'Claude Code': 100_000, Codex: 40_000, small: 10_000 };

const NAMES = ['north', 'east', 'south', 'west'] as const;
const reportOf = (name: string) =>
  Array.from({ length: 200 }, (_, n) => `${n}. The ${name} side says "${'so '.repeat(14)}".`).join('\n');

const WORKFLOW = `
name: four-reports
description: Four experts report.
steps:
${NAMES.map((name) => `  - { id: ${name}, uses: 'expert:code', with: { task: 'REPORT-${name}' } }`).join('\n')}
outputs:
${NAMES.map((name) => `  ${name}: '\${{ steps.${name}.output.text }}'`).join('\n')}
`;

/** New files, 50 kB of lines in all, and in each of the first lines something wrong. */
const LINES = Array.from(
  { length: 150 },
  (_, n) => `export const side${n} = ${JSON.stringify('so '.repeat(22))};`,
);
const DIFF = NAMES.map((name) =>
  [
    `diff --git a/src/${name}.js b/src/${name}.js`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/src/${name}.js`,
    `@@ -0,0 +1,${LINES.length} @@`,
    ...LINES.map((line) => `+${line}`),
    '',
  ].join('\n'),
).join('');
const FINDINGS = NAMES.flatMap((name) =>
  LINES.slice(0, 7).map((quote, at) => ({
    ...{ file: `src/${name}.js`, line: at + 1, quote, severity: 'medium', kind: 'defect' },
    claim: `CLAIM-${name}-${at}: ${'it is wrong '.repeat(75)}`.trim(),
  })),
);
const reasonOf = (voter: string) => `REASON-${voter}: ${'it is so '.repeat(430)}`.trim();
const VOTERS = ['structure', 'safety', 'what it is like', 'data and models', 'use', 'scope'];

/** As the team makes them of `SPEC`. */
const REQUIRED = ['exported', 'refused', 'told'];

/** Eight pieces of work, and each answer read at four limits. */
const EIGHT_WORKS_MS = 240_000;

const CALLS = {
  execute_expert: { expertId: 'code', task: NAMES.map((name) => `REPORT-${name}`).join(' ') },
  consensus_vote: {
    proposal: 'Tell users and developers of the API and of the model of each side.',
    strategy: 'unanimous',
  },
  pr_review: { prTitle: 'Four sides', prDiff: DIFF },
  run_pipeline: { template: 'general', task: NAMES.map((name) => `REPORT-${name}`).join(' ') },
  run_workflow: { template: 'four-reports' },
  orchestrate: { task: 'Have all four sides reported.', effort: 'team' },
  execute_spec: { spec: SPEC },
  run_dev_pipeline: { task: 'Let the sum of 2 and 3 be 5.', qualityGate: 'off' },
} as const;

slowlyVerifiesApp(
  'pipelines.sizes',
  'in text and structure of eight tools, and the whole is read where they say',
  async () => {
    await using team = await pipelineTeam(({ asked, text }) => {
      if (asked === 'orchestrator')
        return answerIn({
          steps: NAMES.map((name) => ({ id: name, expert: 'code', title: name, task: `REPORT-${name}` })),
        });
      if (asked === 'voter') {
        const view = VOTERS.find((each) => text.includes(`You judge ${each}`)) ?? 'doubt';
        // Of the vote that is asked for, which is lost: each reason is a reason against something.
        const decision = view === 'doubt' && text.includes('of each side') ? 'reject' : 'approve';
        return answerIn({ reasoning: reasonOf(view), decision, confidence: 0.9 });
      }
      if (asked === 'code-reviewer' && text.includes('You look for two things'))
        return answerIn({ findings: FINDINGS });
      const named = NAMES.filter((each) => text.includes(`REPORT-${each}`));
      const ofSpec = REQUIRED.findIndex((id) => text.includes(`TEXT-${id}`));
      const names = named.length > 0 ? named : [NAMES[ofSpec] ?? 'west'];
      const reports = names.map((name) => reportOf(name)).join('\n\n');
      const report = `${reports}\n\n## Evidence\n- sum.mjs:1: ${SUM_LINE}`;
      if (asked === 'expert' || (asked === 'implementer' && text.includes('tool_result')))
        return { text: report };
      if (asked === 'planner')
        return answerIn({
          summary: 'Four sides.',
          tasks: NAMES.map((each) => ({ title: each, description: `REPORT-${each}`, files: [] })),
          risks: [],
          verification: 'None.',
        });
      return asked === 'implementer' ? { text: report } : undefined;
    });
    await using project = await sumProject(team);
    await mkdir(project.path('.nexus', 'workflows'), { recursive: true });
    await writeFile(project.path('.nexus', 'workflows', 'four-reports.yaml'), WORKFLOW);
    const configOf = (maxResultChars: number) => ({
      workflows: { commands: { test: [process.execPath, 'sum.test.mjs'] } },
      limits: { maxResultChars },
    });
    const answers = async (maxResultChars: number) => {
      const file = project.path(`limit-${maxResultChars}.json`);
      await writeFile(file, JSON.stringify(configOf(maxResultChars)));
      const { session } = await project.host({ args: ['--config', file] });
      const results = [];
      for (const [tool, args] of Object.entries(CALLS)) {
        const { result } = await session.call(tool, { ...args, idempotencyKey: `four-${tool}` });
        results.push([tool, result] as const);
      }
      return { results, session };
    };
    const whole = Object.fromEntries((await answers(1_000_000_000)).results);
    const sides = NAMES.map((name) => reportOf(name));
    const told: Record<keyof typeof CALLS, readonly string[]> = {
      execute_expert: sides,
      consensus_vote: [...VOTERS, 'doubt'].map(reasonOf),
      pr_review: FINDINGS.map(({ claim }) => claim),
      run_pipeline: sides,
      run_workflow: sides,
      orchestrate: sides,
      execute_spec: sides.slice(0, REQUIRED.length),
      run_dev_pipeline: sides,
    };
    for (const [tool, pieces] of Object.entries(told)) {
      const structure = JSON.stringify(whole[tool].structuredContent);
      const missing = pieces.filter((piece) => !structure.includes(JSON.stringify(piece).slice(1, -1)));
      expect({ tool, missing: missing.map((piece) => piece.slice(0, 40)) }).toEqual({ tool, missing: [] });
    }
    // What a person reads has each reason and each finding once.
    for (const tool of ['consensus_vote', 'pr_review'] as const) {
      const text: string = whole[tool].content[0].text;
      for (const piece of told[tool])
        expect({ piece: piece.slice(0, 40), times: text.split(piece).length - 1 }).toEqual({
          piece: piece.slice(0, 40),
          times: 1,
        });
    }
    for (const [host, limit] of Object.entries(HOSTS)) {
      const { results, session } = await answers(limit);
      for (const [tool, result] of results) {
        const of = `${host}, ${tool}`;
        const all = whole[tool];
        const [first, ...more] = result.content.filter(({ type }: { type: string }) => type === 'text');
        const told = [
          ...more.map(({ text }: { text: string }) => text),
          result.structuredContent.leftOut ?? '',
        ].join('\n');
        expect({ of, lost: lostSilently(all.structuredContent, result.structuredContent, told) }).toEqual({
          of,
          lost: [],
        });
        expect({ of, lost: lostSilently(all.content[0].text, first.text, '') }).toEqual({ of, lost: [] });
        // Little above the limit stand the links to what was cut.
        expect({ of, isOver: JSON.stringify(result).length > limit * 1.1 + 2_000 }).toEqual({
          of,
          isOver: false,
        });
        const { runId } = all.structuredContent;
        expect(result.structuredContent.runId).toBe(runId);
        expect(first.text.split('\n').slice(-2)).toEqual([
          expect.stringContaining(`nexus://runs/${runId}`),
          expect.stringMatching(
            /^\d+ model calls?; \d+ tokens in, \d+ out; (?:less than )?\$[\d.]+; [\d.]+ s$/,
          ),
        ]);
        const wholes: string[] = [];
        for (const uri of result._meta?.['nexus/cut']?.whole ?? []) {
          const read = await session.ask('resources/read', { uri });
          wholes.push(read.result.contents[0].text);
        }
        if (JSON.stringify(all.structuredContent) !== JSON.stringify(result.structuredContent))
          expect(wholes).toContain(JSON.stringify(all.structuredContent));
        if (all.content[0].text !== first.text) expect(wholes).toContain(all.content[0].text);
      }
    }
  },
  EIGHT_WORKS_MS,
);
