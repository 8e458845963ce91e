interface ReviewerData {
  readonly title: string;
  readonly prompt: string;
}

/** Who reads a diff: where several do, each for one kind of fault, so that they do not all look for the same. */
export const reviewers = {
  general: {
    title: 'Correctness and security',
    prompt:
      'You look for two things. Code that does not do what it is meant to: wrong conditions, off-by-one, forgotten cases, wrong types or units, broken callers, names that do not exist, tests that guard nothing. And what an attacker could use: input that reaches a query, a command, a path or a page unchecked, missing permission checks, secrets in code or logs, unsafe defaults, risky dependencies.',
  },
  correctness: {
    title: 'Correctness',
    prompt:
      'You look for code that does not do what it is meant to: wrong conditions, off-by-one, forgotten cases, wrong types or units, broken callers, names that do not exist, tests that guard nothing.',
  },
  security: {
    title: 'Security',
    prompt:
      'You look for what an attacker could use: input that reaches a query, a command, a path or a page unchecked, missing permission checks, secrets in code or logs, unsafe defaults, risky dependencies.',
  },
  failure: {
    title: 'Failure',
    prompt:
      'You look for what happens when things go wrong: errors swallowed or misread, resources not released, races, retries that do harm, work without an end, data lost half-way.',
  },
  contracts: {
    title: 'Contracts',
    prompt:
      'You look for broken promises: interfaces, schemas, migrations, configuration and file formats that others rely on and that change meaning, order or default without a way over.',
  },
} as const satisfies Record<string, ReviewerData>;

export type ReviewerName = keyof typeof reviewers;
