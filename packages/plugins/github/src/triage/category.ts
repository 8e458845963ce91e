/** Decided by words of the title, of labels and of the text, in this order; the first with most of them wins. */
const CATEGORIES = [
  {
    name: 'security',
    label: /secur|vulnerab/i,
    words: /\b(security|vulnerabilit\w+|cve-\d+-\d+|exploit\w*|xss|csrf|ssrf|rce|injection)\b/gi,
  },
  {
    name: 'bug',
    label: /bug|defect|regression|crash/i,
    words:
      /\b(bug|crash(?:es|ed)?|error|exception|fails?|failed|broken|regression|wrong|unexpected|stack ?trace|does(?: not|n['’]t) work)\b/gi,
  },
  {
    name: 'feature',
    label: /feature|enhanc|proposal|request/i,
    words:
      /\b(feature|would be (?:nice|great|useful)|support for|add(?:ing)? (?:support|an? option)|propos(?:al|e)|enhancement|suggestion)\b/gi,
  },
  {
    name: 'documentation',
    label: /doc/i,
    words: /\b(documentation|docs?|readme|typo|example in|tutorial)\b/gi,
  },
  {
    name: 'performance',
    label: /perf/i,
    words: /\b(slow(?:er)?|performance|memory leak|high cpu|latency|out of memory)\b/gi,
  },
  {
    name: 'question',
    label: /question|support|help/i,
    words: /\b(how (?:do|can|to)|is it possible|question|what is the|any way to|help me)\b|\?\s*$/gi,
  },
] as const;

const LABEL_WEIGHT = 5;
const TITLE_WEIGHT = 3;

export interface Categorized {
  readonly name: string;
  /** What in the issue says so. */
  readonly because: readonly string[];
  /** The share of this category among all that was found. */
  readonly share: number;
  /** A label of such an issue. */
  readonly labels: RegExp | undefined;
}

/** By words alone, without a model: the answer names them. */
export function categorize(issue: {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}): Categorized {
  const scored = CATEGORIES.map(({ name, label, words }) => {
    const labels = issue.labels.filter((each) => label.test(each));
    const inTitle = [...issue.title.matchAll(words)].map(([word]) => word.toLowerCase());
    const inBody = [...new Set([...issue.body.matchAll(words)].map(([word]) => word.toLowerCase()))];
    const score = labels.length * LABEL_WEIGHT + inTitle.length * TITLE_WEIGHT + inBody.length;
    const because = [
      ...labels.map((each) => `label ${each}`),
      ...new Set(inTitle.map((each) => `title: ${each}`)),
      ...inBody.map((each) => `text: ${each}`),
    ].slice(0, 8);
    return { name, score, because, labels: label };
  });
  const total = scored.reduce((sum, { score }) => sum + score, 0);
  const [best] = scored.sort((a, b) => b.score - a.score);
  if (!best || best.score === 0) return { name: 'unknown', because: [], share: 0, labels: undefined };
  const { name, because, labels, score } = best;
  return { name, because, labels, share: Math.round((score / total) * 100) / 100 };
}
