import { placesSaidIn } from '../named/said-places.ts';
import { type Called, hasRunNothing } from './what-was-called.ts';

const PROGRAMS = 'npm|npx|pnpm|yarn|bun|deno|node|python3?|pytest|go|cargo|make|mvn|gradle|dotnet';
const WORDS = String.raw`(?:[\w’'-]+ ){0,4}`;
const TESTS = '(?:(?:unit |integration )?tests?|test suites?|suites?|specs|checks|builds?)';
/** What follows where a result is told, and not what it is a result of. */
const TOLD = String.raw`(?=\W{0,4}$|[.,;:!?)]|\s+(?:now|again|after|before|without|with (?:this|that|the|my|it)|and|—|–|-)(?:\s|$))`;
const GREEN = '(?:green|red|passing|failing)';

/** Of themselves; what is run there is no search, and nothing that is run into. */
const SAID_OF_THEMSELVES = new RegExp(
  String.raw`\b(?:I|we)(?:['’]ve| have)? (?:just |also |then |already |actually |only ){0,2}(?:(?:re-?)?(?:ran|executed|tested|reproduced|benchmarked)\b|tried (?:it|this|that|them|both) (?:in|with|on|out)\b|(?:re-?)?run (?:it|them|${WORDS}(?:\x60?(?:${PROGRAMS})\b|${TESTS}\b)))(?! (?:into|through|out|across|over)\b| ${WORDS}(?:search|grep|quer(?:y|ies)|look-?ups?)\b)`,
  'gi',
);

/** By which it is said that something was run, or what came of it. */
const SAID: readonly RegExp[] = [
  // Without a subject, where a sentence or a part of it begins.
  String.raw`(?:^[\s.!?>#*_+-]{0,20}|[:;,(] ?)(?:re-?)?(?:tested|ran|executed|reproduced)[*_]{0,3} (?:it |this |that )?(?:in|with|on|under|by|locally|against)\b`,
  String.raw`\b(?:verified|confirmed|checked|reproduced|validated|proven|proved|shown|tested)[*_]{0,3} (?:it |this |that )?(?:by|in|on|with|through|via) (?:a |an |the )?(?:running|executing|(?:\w+ )?runs?\b|(?:\w+ )?test runs?\b|REPL|\x60?(?:${PROGRAMS})\b)`,
  String.raw`\b${TESTS} (?:was|were|has been|have been|got) (?:re-?)?(?:run|executed)\b`,
  String.raw`\b(?:it|this|that|script|snippet|code|command|program) (?:was|has been) (?:re-?)?(?:run|executed)\b`,
  // What came of tests.
  String.raw`\b${TESTS} (?:(?:in|of|for) \S{1,100} )?(?:is|are|was|were|came out|come out|stays?|stayed|remains?|remained|went|turned) (?:all |now |still |again |both ){0,2}${GREEN}\b`,
  String.raw`\b${TESTS} (?:all |now |still |again |both ){0,2}(?:passed|failed)\b`,
  String.raw`\b${TESTS} (?:all |now |still |again |both ){0,2}(?:pass|passes|fail|fails)${TOLD}`,
  String.raw`\b${TESTS}:? (?:all |now |still |again |both ){0,2}${GREEN}${TOLD}`,
  String.raw`\x60(?:${PROGRAMS})\b[^\x60\n]{0,200}\x60 (?:(?:is|was) (?:now |still |again )?${GREEN}|pass(?:es|ed)\b|print(?:s|ed)\b|exit(?:s|ed) with)`,
  String.raw`\b(?:${PROGRAMS})(?: [\w:./-]{1,40}){0,4}\x60? (?:(?:is|was) (?:now |still |again )?${GREEN}|pass(?:es|ed)\b|printed|exit(?:s|ed) with)`,
  String.raw`(?:^[\s.!?>#*_+-]{0,20}|[:;,(] ?)(?:all|everything)(?: is| are)? (?:now |still )?green\b`,
  String.raw`\b\d{1,6} (?:tests? )?(?:passed|passing|failed)\b`,
  // What was printed.
  String.raw`\b(?:it|this|that|${PROGRAMS}|script|snippet|program|command|test|call|REPL|console|run) (?:has )?printed\b|\bthe output was\b`,
].map((source) => new RegExp(source, 'gi'));

/** Before what is said, in its part of the sentence: what is to be, may be, or is not. */
const DENIED =
  /\b(?:if|whether|unless|until|once|when|whenever|so that|ensures?|make sure|sees? that|expects?|should|shall|must|may|might|can|could|would|will|to|not|never|no|none|nothing|nobody|neither|without|cannot|requires?|needs?|wants?)\b[^,;:]{0,60}$|n['’]t\b[^,;:]{0,60}$/i;
/** Before what comes of something that is yet to be. */
const ON_CONDITION = /\b(?:if|unless|until|once|when|whenever|as soon as)\b[^;:]{0,80}$/i;
/** What others are quoted with: it says nothing of who quotes. */
const QUOTED = /“[^”]{0,1000}”|"[^"]{0,1000}"/g;
/** Code that begins with no program is text of a file, or a value. */
const CODE = new RegExp(String.raw`\x60(?!(?:${PROGRAMS})\b)[^\x60]{0,1000}\x60`, 'g');
const SENTENCE_END = /[.!?](?=\s|$)/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MARK = ' (nothing was run)';
const MAX_LINE_CHARS = 10_000;
/** A word before them is of another part of the sentence. */
const MAX_BEFORE_CHARS = 100;

/** What tells of a run that somebody else made. */
const TELLS_OF_RUN =
  /\b(?:(?:is|are|was|were|came out) (?:red|green)|(?:was|were) run|Run as things are|passed|failed|printed)\b/;

/**
 * An answer, with `(nothing was run)` behind each sentence by which its author says to have run something or tells what
 * came of it, where nothing but what reads was called: then nothing can have been. What fences hold, and what a line
 * says that a place holds, is left as it is.
 * @param facts what its author was given: where these tell of a run of somebody else’s, so may the answer
 */
export function markClaimsToHaveRun(text: string, calls: readonly Called[], facts = ''): string {
  if (!hasRunNothing(calls)) return text;
  const mayRetell = facts.split('\n').some((line) => !line.includes(MARK) && TELLS_OF_RUN.test(line));
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[1];
      if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
        fence = fence === '' ? mark : '';
        return line;
      }
      const isLeft = fence !== '' || line.length > MAX_LINE_CHARS || [...placesSaidIn([line])].length > 0;
      return isLeft ? line : markedLine(line, mayRetell);
    })
    .join('\n');
}

function markedLine(line: string, mayRetell: boolean): string {
  const parts: string[] = [];
  let from = 0;
  const ends = [...line.matchAll(SENTENCE_END)].map(({ index }) => index);
  for (const end of [...ends, line.length]) {
    const sentence = line.slice(from, end);
    const said = sentence.trimEnd();
    parts.push(
      said,
      saysToHaveRun(said, mayRetell) && !said.endsWith(MARK) ? MARK : '',
      sentence.slice(said.length),
    );
    from = end;
  }
  return parts.join('');
}

function saysToHaveRun(sentence: string, mayRetell: boolean): boolean {
  const blanks = (words: string) => ' '.repeat(words.length);
  const own = sentence.replace(CODE, blanks).replace(QUOTED, blanks);
  const saysBy = (said: RegExp, isDenied: readonly RegExp[]) =>
    [...own.matchAll(said)].some(({ index }) => {
      const before = own.slice(Math.max(0, index - MAX_BEFORE_CHARS), index);
      return !isDenied.some((denied) => denied.test(before));
    });
  return (
    saysBy(SAID_OF_THEMSELVES, [DENIED]) ||
    (!mayRetell && SAID.some((said) => saysBy(said, [DENIED, ON_CONDITION])))
  );
}
