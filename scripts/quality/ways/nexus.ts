import type { Case } from '../cases/cases.ts';
import type { Tree } from '../cases/trees.ts';
import type { CaseAnswer, Place } from './answer.ts';
import type { OpenProject } from './project.ts';

/** The tool that is for it: what an agent would call. */
export async function askNexus(given: Case, project: OpenProject, standing: Tree): Promise<CaseAnswer> {
  switch (given.kind) {
    case 'bug': {
      const task = `${given.fault.symptom} Find out why, and mend it.`;
      const { changes } = await project.call('run_dev_pipeline', { task });
      const { branch } = (changes ?? {}) as { branch?: string };
      if (branch === undefined) return { kind: 'bug', places: [], text: null };
      const text = project.git('show', `${branch}:${given.file}`);
      return { kind: 'bug', places: changed(given.file, standing[given.file] ?? '', text), text };
    }
    case 'faulty-diff':
    case 'clean-diff': {
      const { findings } = await project.call('pr_review', {
        prTitle: given.title,
        prDiff: project.git('diff'),
      });
      const found = findings as readonly {
        file: string;
        line: number;
        endLine?: number;
        verified: boolean;
      }[];
      const verified = found.filter((each) => each.verified);
      return {
        kind: given.kind,
        findings: verified.map(({ file, line, endLine }) => ({ file, from: line, to: endLine ?? line })),
      };
    }
    case 'spec': {
      const { status } = await project.call('execute_spec', { spec: specOf(given.requirement) });
      return { kind: 'spec', isMet: status === 'met' };
    }
    case 'question': {
      const { summary } = await project.call('orchestrate', { task: given.question });
      return { kind: 'question', answer: String(summary) };
    }
  }
}

export function specOf(requirement: string): string {
  return `# What is required\n\nNothing is to be changed: it is only to be found out whether this is so.\n\n- ${requirement}\n`;
}

/** The lines of the first text that the second one has otherwise, as one range; none where they are alike. */
function changed(file: string, before: string, after: string): readonly Place[] {
  if (before === after) return [];
  const [old, now] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [{ file, from: head + 1, to: Math.max(head + 1, old.length - tail) }];
}
