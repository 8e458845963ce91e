import { visitOf } from './visit-of.ts';

/** What a question of a step is called besides: the call that a person is to say yes to. */
const OF_A_CALL = / may call [0-9a-f]+(?:-\d+)?$/;

/** The visit of an item, of those that a graph's node is visited for: `go#1[2]` of `go#1[2]/asks`. */
const OF_AN_ITEM = /^[^/#]+#\d+\[\d+\]/;

/**
 * What a question goes by, the most exact first: its name, and what a person knows of who asks it, which is its step, the
 * visit of an item, the visit of a graph's node and the node: `go#1/asks` is also `go#1` and `go`.
 */
export function namesOfQuestion(name: string): readonly string[] {
  const step = name.replace(OF_A_CALL, '');
  const [item] = OF_AN_ITEM.exec(name) ?? [];
  const { node, visit } = visitOf(name);
  return [name, step, item, visit, node].filter(
    (each, at, all) => each !== undefined && all.indexOf(each) === at,
  ) as string[];
}

/**
 * Those by which it is answered before it is asked. What an item asks has only those that name the item: by the others
 * each of them goes, and an answer is to one.
 */
export function namesAhead(name: string): readonly string[] {
  const [item] = OF_AN_ITEM.exec(name) ?? [];
  const { node, visit } = visitOf(name);
  return namesOfQuestion(name).filter((each) => item === undefined || (each !== node && each !== visit));
}

/** Whether two names may be one question's, of which neither is asked yet: a node alone stands for its first visit. */
export function mayBeOne(one: string, other: string): boolean {
  return one === other || standsFor(one, other) || standsFor(other, one);
}

function standsFor(short: string, name: string): boolean {
  const { node, visit } = visitOf(name);
  return namesAhead(name).includes(short) && (short !== node || visit === `${node}#1`);
}

/** Those of some questions that are meant by what is written: the one whose own name it is, or all that go by it. */
export function questionsCalled<Named extends { readonly name: string }>(
  questions: readonly Named[],
  written: string,
): readonly Named[] {
  const exact = questions.filter(({ name }) => name === written);
  return exact.length > 0 ? exact : questions.filter(({ name }) => namesOfQuestion(name).includes(written));
}
