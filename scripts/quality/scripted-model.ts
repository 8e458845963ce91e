import { type ModelEndpoint, type ModelRequestSeen, modelEndpoint, type Reply } from '@nexus/testing';
import type { Edit } from './cases/faults.ts';

/** What a scripted model says of the one project that it is asked about. */
export interface Script {
  readonly file: string;
  /** What mends it. */
  readonly mends: Edit;
  readonly line: number;
  /** Whether it finds a fault in a change. */
  readonly findsFault: boolean;
  readonly isMet: boolean;
  readonly answer: string;
}

const json = (value: unknown): Reply => ({ text: JSON.stringify(value) });

/**
 * A model on loopback that answers as it is told, whoever of Nexus asks, and one that is asked alone: for tests of
 * the bench, of which nothing follows for any model.
 */
export function scriptedModel(script: Script): Promise<ModelEndpoint> {
  return modelEndpoint((seen) => answerOf(seen, script));
}

function answerOf({ body }: ModelRequestSeen, script: Script): Reply {
  const text = JSON.stringify(body);
  const found = ROLES.find(([start]) => text.includes(start))?.[1];
  if (!found) throw new Error(`nobody is asked this: ${text.slice(0, 300)}`);
  return found(text, script);
}

type Role = (text: string, script: Script) => Reply;

const finding = ({ file, line, mends }: Script) => ({
  ...{ file, line, quote: mends.from.split('\n')[0] },
  ...{ severity: 'high', kind: 'defect', claim: 'It is wrong.' },
});
const edit = ({ file, mends }: Script) => ({ path: file, old: mends.from, new: mends.to });
const hasResult = (text: string) => text.includes('"type":"tool_result"');

/** Who reads a change for what is wrong. */
const finds: Role = (_, script) => json({ findings: script.findsFault ? [finding(script)] : [] });

/** Who is asked, by what each request says. */
const ROLES: readonly (readonly [start: string, role: Role])[] = [
  [
    'in which file and line the fault is',
    (_, { file, line, mends }) =>
      json({ reason: 'So.', file, line, edits: [{ old: mends.from, new: mends.to }] }),
  ],
  [
    'Name faults that it brings in, and nothing of style',
    (_, script) => json({ findings: script.findsFault ? [{ ...finding(script) }] : [] }),
  ],
  ['Is this so in the code?', (_, { isMet }) => json({ reason: 'So.', isMet })],
  ['You work on a software project and answer', (_, { answer }) => json({ answer })],
  ['You check one claim', () => json({ reasoning: 'It is.', verdict: 'real' })],
  ['You look for two things', finds],
  ['You look for code', finds],
  ['You look for', () => json({ findings: [] })],
  ['You find out how a software project', () => ({ text: 'It is as it is.' })],
  [
    'You plan a change of a software project',
    (_, { file }) =>
      json({
        summary: 'It is mended.',
        tasks: [{ title: 'Mend it', description: 'Mend it.', files: [file] }],
        risks: [],
        verification: 'By its tests.',
      }),
  ],
  [
    'You are one voter of a panel',
    () => json({ reasoning: 'It is small.', decision: 'approve', confidence: 1 }),
  ],
  [
    'You change a software project',
    (text, script) =>
      hasResult(text) ? { text: 'It is mended.' } : { tools: [{ name: 'edit_file', input: edit(script) }] },
  ],
  ['You judge a change of a software project', () => json({ passes: true, summary: 'It is.', findings: [] })],
  [
    'You plan the work of a team',
    () => json({ steps: [{ id: 'look', expert: 'code', title: 'Look', task: 'Look it up.', needs: [] }] }),
  ],
  ['You are one expert of a team', (_, { answer }) => ({ text: answer })],
];
