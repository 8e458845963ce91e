import type { ModelRequestSeen, Reply } from '@nexus/testing';
import { asBroken, asMended, testOf } from './proofs.ts';
import type { FileOfTask, Task } from './tasks.ts';

const REPORT =
  'It takes what it is given, and hands on what comes of it; nothing in it is left undone. '.repeat(6);

const json = (value: unknown): Reply => ({ text: JSON.stringify(value) });

interface Asked {
  readonly task: Task;
  /** Whether it shows by tests what it says, and says faults so that they can be shown. */
  readonly proves: boolean;
  /** Of the request, what stands before what the model has done itself. */
  readonly prompt: string;
  /** Names of the tools that it has. */
  readonly tools: readonly string[];
  /** Turns in which it has used tools. */
  readonly used: number;
}

type Role = (asked: Asked) => Reply;

/**
 * What a model that works as it should says: who has tools reads, at once, those files that the request names and
 * does not show, and then answers; who changes files changes each by one line. Every judge is content.
 * @param proves whether tests are written that show it, each of which is run and judged
 */
export function scriptedTeam(task: Task, proves: boolean): (seen: ModelRequestSeen) => Reply {
  return ({ body }) => {
    const { system, messages, tools = [] } = body as unknown as WireBody;
    const first = JSON.stringify(system ?? '');
    const role = ROLES.find(([start]) => first.includes(start))?.[1];
    if (!role) throw new Error(`nobody is asked this: ${first.slice(0, 300)}`);
    const prompt = messages[0]?.content ?? '';
    return role({
      ...{ task, proves },
      prompt: typeof prompt === 'string' ? prompt : prompt.map(({ text = '' }) => text).join('\n'),
      tools: tools.map(({ name }) => name),
      used: messages.filter((message) => message.role === 'assistant').length,
    });
  };
}

interface WireBody {
  readonly system?: unknown;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text?: string }[];
  }[];
  readonly tools?: readonly { readonly name: string }[];
}

/** Those that the request names; all where it names none. */
function filesOf({ task, prompt }: Asked): readonly FileOfTask[] {
  const named = task.files.filter(({ path }) => prompt.includes(path));
  return named.length > 0 ? named : task.files;
}

const evidence = (files: readonly FileOfTask[]) =>
  files.map(({ path, line }) => `- ${path}:${line.number}: ${line.text.trim()}`).join('\n');

const reportOn = (files: readonly FileOfTask[]) => `${REPORT}\n\n## Evidence\n${evidence(files)}`;

/** Reads what it needs, then does what comes of it: `turn` counts from 0, without that of reading. */
function afterReading(answer: (files: readonly FileOfTask[], asked: Asked, turn: number) => Reply): Role {
  return (asked) => {
    const files = filesOf(asked);
    const unread = files.filter(({ text }) => !asked.prompt.includes(beginningOf(text)));
    const isToRead = asked.tools.includes('read_file') && unread.length > 0;
    if (isToRead && asked.used === 0)
      return { tools: unread.map(({ path }) => ({ name: 'read_file', input: { path } })) };
    return answer(files, asked, asked.used - (isToRead ? 1 : 0));
  };
}

/** As it is shown: each line after its number. */
const beginningOf = (text: string) =>
  text
    .split('\n', 5)
    .map((line, at) => `${at + 1}\t${line}`)
    .join('\n');

const report = afterReading((files) => ({ text: reportOn(files) }));

const FAULTS_FORM = 'end with a section headed "## Faults"';
const faultIn = ({ path, line }: FileOfTask) =>
  `Nothing says that ${path}:${line.number} was looked at; a comment behind it should.`;

/** Where faults are asked for that can be shown, one of them too. */
const expert = afterReading((files, { task, proves, prompt }) => {
  const [first] = task.files;
  const isToTell = proves && first !== undefined && prompt.includes(FAULTS_FORM);
  return { text: `${reportOn(files)}${isToTell ? `\n\n## Faults\n- ${faultIn(first)}` : ''}` };
});

/** Writes the test, and the mend or the break that it is to be held against, as it is asked. */
const proving = afterReading((files, { prompt }) => {
  const holds = prompt.includes('This is said to hold');
  // Of a change that says that a file was looked at, which is the finding of a reviewer.
  const wanted = holds ? 'line' : prompt.includes(FINDING) ? 'unmarked' : 'mended';
  const test = { name: 'write_file', input: testOf(files, wanted) };
  const finish = { name: 'finish', input: {} };
  if (holds) return { tools: [test, ...files.slice(0, 1).map(asBroken), finish] };
  return {
    tools: prompt.includes('and mend the code') ? [test, ...files.map(asMended), finish] : [test, finish],
  };
});
const prover: Role = (asked) => (asked.proves ? proving(asked) : { text: 'No test can show it.' });

const change = afterReading((files, _, turn) =>
  turn > 0
    ? { text: 'It is done.' }
    : {
        tools: files.map(asMended),
      },
);

const FINDING = 'It says that it was looked at, and it was not.';
const findingIn = ({ path, line, mended }: FileOfTask) => ({
  ...{ file: path, line: line.number, quote: mended },
  ...{ severity: 'high', kind: 'defect', claim: FINDING },
});

/** Who is asked, by how the system prompt of each goes. */
const ROLES: readonly (readonly [start: string, role: Role])[] = [
  ['You answer a person on a terminal', report],
  ['You are one expert of a team', expert],
  ['You find out how a software project', report],
  [
    'You plan the work of a team',
    ({ task }) =>
      json({
        steps: task.files.map(({ path }, at) => ({
          ...{
            id: `part-${at + 1}`,
            expert: 'code',
            title: `Look at ${path}`,
            task: `Say what ${path} does.`,
          },
          needs: [],
        })),
      }),
  ],
  ['You review what an expert answered', () => json({ passes: true, feedback: '' })],
  [
    'You write the answer to a request',
    ({ task, proves }) =>
      json({
        summary: reportOn(task.files),
        recommendations: [],
        ...(proves && { faults: task.files.slice(0, 1).map(faultIn) }),
      }),
  ],
  [
    'You plan a change of a software project',
    ({ task }) =>
      json({
        summary: 'Each file says that it was looked at.',
        tasks: task.files.map(({ path }) => ({ title: `Mark ${path}`, description: REPORT, files: [path] })),
        ...{ risks: [], verification: 'By the tests.' },
      }),
  ],
  [
    'You are one voter of a panel',
    () => json({ reasoning: 'It is small.', decision: 'approve', confidence: 1 }),
  ],
  ['You change a software project', change],
  [
    'You judge a change of a software project',
    () => json({ passes: true, summary: 'It is so.', findings: [] }),
  ],
  ['You show by a test', prover],
  ['You judge a proof', () => json({ shows: 'this', why: 'It asks for exactly this.' })],
  [
    'You take a specification apart',
    ({ task }) =>
      json({
        requirements: task.files.map((file, at) => ({
          ...{ id: `R-${at + 1}`, text: `Nothing is left undone in ${file.path}.`, quote: wordsOn(file) },
          ...{ line: at + 1, role: 'code', dependsOn: [] },
        })),
      }),
  ],
  [
    'You judge whether one requirement is met',
    () => json({ isMet: true, reason: 'Shown.', restsOn: ['E1'] }),
  ],
  [
    'You judge of each of several requirements',
    ({ task }) =>
      json({
        verdicts: task.files.map((_, at) => ({
          ...{ requirement: `R-${at + 1}`, isMet: true, reason: 'Shown.', restsOn: ['E1'] },
        })),
        contradictions: [],
      }),
  ],
  ['You see what several experts answered', () => json({ contradictions: [] })],
  ['You look for two things', ({ task }) => json({ findings: task.files.slice(0, 1).map(findingIn) })],
  ['You look for', () => json({ findings: [] })],
  ['You check one claim', () => json({ reasoning: 'It is so.', verdict: 'real' })],
];

export const wordsOn = ({ path }: FileOfTask): string => `Nothing is left undone in ${path}.`;
