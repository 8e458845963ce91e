import { mkdir, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { answerIn } from '../harness/asked-team.ts';
import { lostSilently } from '../harness/lost-silently.ts';
import { pipelineTeam, SPEC, SUM_LINE, sumProject } from '../harness/pipeline-team.ts';
import { verifiesApp } from '../harness/verifies.ts';

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

const CALLS = {
  run_workflow: { template: 'four-reports' },
  orchestrate: { task: 'Have all four sides reported.', effort: 'team' },
  execute_spec: { spec: SPEC },
  run_dev_pipeline: { task: 'Let the sum of 2 and 3 be 5.', qualityGate: 'off' },
} as const;

verifiesApp(
  'pipelines.sizes',
  'in text and structure of four tools, and the whole is read where they say',
  async () => {
    await using team = await pipelineTeam(({ asked, text, count }) => {
      if (asked === 'orchestrator')
        return answerIn({
          steps: NAMES.map((name) => ({ id: name, expert: 'code', title: name, task: `REPORT-${name}` })),
        });
      const name = NAMES.find((each) => text.includes(`REPORT-${each}`)) ?? NAMES[count % 4];
      const report = `${reportOf(String(name))}\n\n## Evidence\n- sum.mjs:1: ${SUM_LINE}`;
      if (asked === 'expert' || (asked === 'implementer' && text.includes('tool_result')))
        return { text: report };
      if (asked === 'planner')
        return answerIn({
          summary: 'Four sides.',
          tasks: NAMES.map((each) => ({ title: each, description: `REPORT-${each}`, files: ['sum.mjs'] })),
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
    for (const [host, limit] of Object.entries(HOSTS)) {
      const { results, session } = await answers(limit);
      for (const [tool, result] of results) {
        const of = `${host}, ${tool}`;
        const all = whole[tool];
        const [first, ...more] = result.content.filter(({ type }: { type: string }) => type === 'text');
        const told = more.map(({ text }: { text: string }) => text).join('\n');
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
          expect.stringMatching(/^\d+ model calls; \d+ tokens in, \d+ out; [\d.]+ US dollars; [\d.]+ s$/),
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
);
