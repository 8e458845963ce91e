import type { ModelRequestSeen, Reply } from '@nexus/testing';
import { findMark } from './item.ts';
import { numberOf } from './seeded.ts';

/** How long a model takes to answer, in milliseconds. */
export interface Pace {
  readonly least: number;
  readonly most: number;
}

type Role = (text: string, mark: string) => Omit<Reply & object, 'until'>;

const json = (value: unknown) => ({ text: JSON.stringify(value) });

/** Who is asked, by the prompt that each has, and what they answer: always the same to the same. */
const ROLES: readonly (readonly [start: string, role: Role])[] = [
  ['You plan the work of a team', (_, mark) => json(planOf(mark))],
  [
    'You review what an expert answered',
    (text) => {
      const passes = !text.includes('FIRST-DRAFT');
      return json({ passes, feedback: passes ? '' : 'NAME-THE-FILES' });
    },
  ],
  [
    'You write the answer to a request',
    (_, mark) => json({ summary: `All is told of ${mark}.`, recommendations: ['Keep it so.'] }),
  ],
  [
    'You are one voter of a panel',
    (_, mark) => json({ reasoning: `It is seen of ${mark}.`, decision: 'approve', confidence: 0.9 }),
  ],
  ['You take a specification apart', (_, mark) => json({ requirements: requirementsOf(mark) })],
  [
    'You judge whether one requirement is met',
    () => json({ isMet: true, reason: 'Shown.', restsOn: ['E1'] }),
  ],
  [
    'You judge of each of several requirements',
    (text) => {
      const ids = [...text.matchAll(/Data from the requirement ([\w.-]{1,48});/g)].map(([, id]) => id);
      const met = { isMet: true, reason: 'Shown.', restsOn: ['E1'] };
      return json({ verdicts: ids.map((requirement) => ({ requirement, ...met })), contradictions: [] });
    },
  ],
  ['You see what several experts answered', () => json({ contradictions: [] })],
  ['You are one expert of a team', expert],
  [
    'You find out how a software project',
    (_, mark) => ({ text: `product.mjs adds, it is seen of ${mark}.` }),
  ],
  ['You plan a change of a software project', (_, mark) => json(changeOf(mark))],
  ['You change a software project', change],
  [
    'You judge a change of a software project',
    (_, mark) => json({ passes: true, summary: `It multiplies, of ${mark}.`, findings: [] }),
  ],
];

/** @throws for a request that belongs to no item: then this says nothing of the work */
export function answerOf(seen: ModelRequestSeen): Reply {
  const text = JSON.stringify(seen.body);
  const role = ROLES.find(([start]) => text.includes(start))?.[1];
  const mark = findMark(text);
  if (!role || !mark) throw new Error(`nobody is asked this: ${text.slice(0, 300)}`);
  return { ...(role(text, mark) as Reply), usage: usageOf(text) } as Reply;
}

/** The mark of whose work a request is. */
export function markIn(seen: ModelRequestSeen): string {
  return findMark(JSON.stringify(seen.body)) ?? 'nobody';
}

/** Different for each request, so that a sum that is right is right of each. */
function usageOf(text: string) {
  const number = numberOf(text);
  return { input: 20 + (number % 997), output: 5 + (number % 61) };
}

export function delayOf(seen: ModelRequestSeen, { least, most }: Pace): number {
  return least + (numberOf(`${JSON.stringify(seen.body)}.`) % (most - least + 1));
}

function planOf(mark: string) {
  const step = (id: string, expertRole: string, task: string, needs?: readonly string[]) => ({
    id,
    expert: expertRole,
    title: id,
    task: `${task} of ${mark}`,
    ...(needs ? { needs } : {}),
  });
  return {
    steps: [
      step('callers', 'code', 'FIND-CALLERS'),
      step('threats', 'security', 'FIND-THREATS'),
      step('report', 'documentation', 'WRITE-REPORT', ['callers', 'threats']),
    ],
  };
}

function requirementsOf(mark: string) {
  const one = (id: string, quote: string, line: number, dependsOn: readonly string[] = []) => ({
    id,
    text: `${quote} (${id})`,
    quote,
    line,
    role: 'code',
    dependsOn,
  });
  return [
    one('exported', `Sums of ${mark} are exported.`, 1),
    one('refused', `Texts of ${mark} are refused.`, 2),
    one('told', `All of ${mark} is told.`, 3, ['exported', 'refused']),
  ];
}

function changeOf(mark: string) {
  const description = `product.mjs adds; let it multiply, of ${mark}.`;
  return {
    summary: `The product multiplies, of ${mark}.`,
    tasks: [{ title: 'Let product multiply', description, files: ['product.mjs'] }],
    risks: [],
    verification: 'The test passes.',
  };
}

function change(text: string, mark: string) {
  if (/"type":"tool_result"/.test(text)) return { text: `It multiplies, of ${mark}.` };
  const input = { path: 'product.mjs', old: 'a + b', new: 'a * b' };
  return { text: 'I mend it.', tools: [{ name: 'edit_file', input }] };
}

function expert(text: string, mark: string) {
  if (text.includes('JUDGE-IT'))
    return { text: text.includes('SECOND-DRAFT') ? `GOOD is ${mark}` : `WRONG is ${mark}: NAME-THE-FILES` };
  if (text.includes('WRITE-REPORT'))
    return { text: `${text.includes('NAME-THE-FILES') ? 'SECOND-DRAFT' : 'FIRST-DRAFT'} of ${mark}` };
  if (text.includes('FIND-CALLERS'))
    return /"type":"tool_result"/.test(text)
      ? { text: `CALLERS-FOUND of ${mark}` }
      : { text: 'I look.', tools: [{ name: 'search_codebase', input: { query: 'login' } }] };
  if (/ are (exported|refused)\.| is told\./.test(text))
    return { text: `It is so of ${mark}.\n\n## Evidence\n- sum.mjs:1: export const sum = (a, b) => a + b;` };
  return { text: `DONE of ${mark}` };
}
