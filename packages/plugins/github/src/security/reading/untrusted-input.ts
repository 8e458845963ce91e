/** What anybody may write, by GitHub’s list of untrusted input; a `*` is a member of a list. */
const UNTRUSTED = [
  'github.head_ref',
  'github.event.issue.title',
  'github.event.issue.body',
  'github.event.discussion.title',
  'github.event.discussion.body',
  'github.event.pull_request.title',
  'github.event.pull_request.body',
  'github.event.pull_request.head.ref',
  'github.event.pull_request.head.label',
  'github.event.pull_request.head.repo.default_branch',
  'github.event.pull_request.head.repo.description',
  'github.event.pull_request.head.repo.homepage',
  'github.event.comment.body',
  'github.event.review.body',
  'github.event.review_comment.body',
  'github.event.pages.*.page_name',
  ...['head_commit', 'commits.*', 'workflow_run.head_commit'].flatMap((commit) =>
    ['message', 'author.email', 'author.name', 'committer.email', 'committer.name'].map(
      (member) => `github.event.${commit}.${member}`,
    ),
  ),
  'github.event.workflow_run.head_branch',
  'github.event.workflow_run.display_title',
  'github.event.workflow_run.head_repository.description',
  'github.event.workflow_run.pull_requests.*.head.ref',
];

/** Functions that give true, false or a hash, whatever they are given. */
const HARMLESS = /\b(?:contains|startswith|endswith|hashfiles)\([^()]*\)/g;
const EXPRESSION = /\$\{\{([\s\S]{0,2000}?)\}\}/g;

/** The first expression in a text that becomes something that anybody may write. */
export function untrustedIn(text: unknown, env: Readonly<Record<string, unknown>> = {}): string | undefined {
  if (typeof text !== 'string') return undefined;
  for (const [whole, inside = ''] of text.matchAll(EXPRESSION)) {
    if (pathsIn(inside).some((path) => isUntrusted(path, env))) return whole;
  }
  return undefined;
}

/** What an expression reads, as `github.event.commits.*.message`; what is only compared becomes no text. */
function pathsIn(expression: string): string[] {
  const plain = expression
    .toLowerCase()
    .replace(/\['([\w-]+)'\]/g, '.$1')
    .replace(/\[(?:\d+|\*)\]/g, '.*')
    .replace(/'[^']*'/g, "''")
    .replace(HARMLESS, '');
  return [...plain.matchAll(/[a-z_][\w-]*(?:\.(?:[\w-]+|\*))*/g)].flatMap(({ 0: path, index }) => {
    const before = plain.slice(0, index).trimEnd();
    const after = plain.slice(index + path.length).trimStart();
    return /[=<>]$/.test(before) || /^(?:[=!]=|[<>])/.test(after) ? [] : path;
  });
}

function isUntrusted(path: string, env: Readonly<Record<string, unknown>>): boolean {
  const variable = /^env\.([\w-]+)$/.exec(path)?.[1];
  if (variable !== undefined) {
    return Object.entries(env).some(
      ([name, value]) => name.toLowerCase() === variable && untrustedIn(value) !== undefined,
    );
  }
  // What holds it gives it too: toJSON(github.event).
  return UNTRUSTED.some((each) => each === path || each.startsWith(`${path}.`));
}
