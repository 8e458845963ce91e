import { type Finding, severities } from './finding.ts';

/** Of the words of the shorter claim, how many the other one has too. */
const SAME_CLAIM = 0.4;
/** Of a word, what tells it from others: `concatenated` and `concatenation` are one. */
const STEM_CHARS = 5;
const COMMON = new Set(
  'the and that this with from into when where which will would could should have has are was were not but for its line code file there here'.split(
    ' ',
  ),
);

/** One finding for each fault: the same file, lines that meet and the same claim, with all who found it. */
export function unite(findings: readonly Finding[]): Finding[] {
  const united: Finding[] = [];
  const words = new Map<string, ReadonlySet<string>>();
  const stemsOf = (text: string) => {
    const stems = words.get(text) ?? stemsIn(text);
    words.set(text, stems);
    return stems;
  };
  for (const finding of [...findings].sort(byPlace)) {
    const at = united.findIndex((each) => isSame(each, finding, stemsOf));
    const before = united[at];
    if (before) united[at] = merged(before, finding);
    else united.push(finding);
  }
  return united;
}

function isSame(a: Finding, b: Finding, stemsOf: (text: string) => ReadonlySet<string>): boolean {
  const meets = a.file === b.file && a.side === b.side && a.line <= b.endLine && b.line <= a.endLine;
  if (!meets) return false;
  if (a.kind !== 'defect' || b.kind !== 'defect') return a.kind === b.kind && a.subject === b.subject;
  const [first, second] = [stemsOf(a.claim), stemsOf(b.claim)];
  const shared = [...first].filter((stem) => second.has(stem)).length;
  return shared >= SAME_CLAIM * Math.min(first.size, second.size);
}

function stemsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.slice(0, STEM_CHARS)));
}

/** The graver severity, and the words of whoever said more. */
function merged(a: Finding, b: Finding): Finding {
  const fuller = b.claim.length > a.claim.length ? b : a;
  const graver = severities.indexOf(b.severity) < severities.indexOf(a.severity) ? b : a;
  const names = new Set(a.foundBy.map(nameOf));
  return {
    ...fuller,
    line: Math.min(a.line, b.line),
    endLine: Math.max(a.endLine, b.endLine),
    severity: graver.severity,
    foundBy: [...a.foundBy, ...b.foundBy.filter((each) => !names.has(nameOf(each)))],
  };
}

const nameOf = ({ reviewer, model }: Finding['foundBy'][number]) => `${reviewer}\n${model}`;

function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || severities.indexOf(a.severity) - severities.indexOf(b.severity);
}
