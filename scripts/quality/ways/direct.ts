import { READING_KIT } from '@nexus/plugin-sdk';
import type { Case } from '../cases/cases.ts';
import type { Tree } from '../cases/trees.ts';
import type { CaseAnswer } from './answer.ts';
import { specOf } from './nexus.ts';
import type { OpenProject } from './project.ts';

/** One model with the reading kit alone, asked the same. */
export async function askDirectly(
  given: Case,
  {
    project,
    model,
    standing,
  }: { readonly project: OpenProject; readonly model: string; readonly standing: Tree },
): Promise<CaseAnswer> {
  const ask = async (form: string, prompt: string) =>
    (await project.call('quality_ask', { form, prompt, model, tools: READING_KIT })).value as Readonly<
      Record<string, unknown>
    >;
  switch (given.kind) {
    case 'bug': {
      const { file, line, edits } = await ask(
        'fix',
        `${given.fault.symptom} Find out why, and mend it: say in which file and line the fault is, and what to write in the place of what.`,
      );
      const places = [{ file: String(file), from: Number(line), to: Number(line) }];
      return { kind: 'bug', places, text: mended(standing[String(file)], edits as readonly Replacement[]) };
    }
    case 'faulty-diff':
    case 'clean-diff': {
      const { findings } = await ask(
        'review',
        `Review this change, "${given.title}". The project holds it. Name faults that it brings in, and nothing of style.\n\n${project.git('diff')}`,
      );
      const found = findings as readonly { file: string; line: number }[];
      return { kind: given.kind, findings: found.map(({ file, line }) => ({ file, from: line, to: line })) };
    }
    case 'spec': {
      const { isMet } = await ask('requirement', `Is this so in the code?\n\n${specOf(given.requirement)}`);
      return { kind: 'spec', isMet: isMet === true };
    }
    case 'question': {
      const { answer } = await ask('answer', given.question);
      return { kind: 'question', answer: String(answer) };
    }
  }
}

interface Replacement {
  readonly old: string;
  readonly new: string;
}

/** Null where an old text does not stand there once. */
function mended(text: string | undefined, edits: readonly Replacement[]): string | null {
  if (text === undefined) return null;
  let now = text;
  for (const { old, new: to } of edits) {
    const parts = now.split(old);
    if (parts.length !== 2) return null;
    now = parts.join(to);
  }
  return now;
}
