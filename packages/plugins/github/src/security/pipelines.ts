import { counted } from '@nexus/primitives';
import type { RepositoryFacts } from '../repository/read-repository.ts';
import { manifestsOf, workflowsOf } from '../repository/survey.ts';
import type { Category } from './categories.ts';
import type { Pin } from './pins.ts';

/** A file to be added to the repository. */
export interface PipelineFile {
  readonly path: string;
  readonly content: string;
}

export interface Pipeline {
  readonly category: Category;
  /** Why it fits this repository: what was found there. */
  readonly why: string;
  /** Actions that it uses, as `owner/name@tag`. */
  readonly actions: readonly string[];
  write(pin: (action: string) => Pin): PipelineFile;
}

export type NotNeeded = {
  readonly category: Category;
  readonly why: string;
};

const CHECKOUT = 'actions/checkout@v4';

/** CodeQL’s name of a language, by GitHub’s. */
const CODEQL: Readonly<Record<string, string>> = {
  JavaScript: 'javascript-typescript',
  TypeScript: 'javascript-typescript',
  Python: 'python',
  Go: 'go',
  Java: 'java-kotlin',
  Kotlin: 'java-kotlin',
  Ruby: 'ruby',
  'C#': 'csharp',
  C: 'c-cpp',
  'C++': 'c-cpp',
  Swift: 'swift',
};

/** What would be added, by what the repository has; and what would not, and why. */
export function pipelinesFor(
  facts: RepositoryFacts,
  wanted: readonly Category[],
): { readonly pipelines: Pipeline[]; readonly notNeeded: NotNeeded[] } {
  const pipelines: Pipeline[] = [];
  const notNeeded: NotNeeded[] = [];
  for (const category of wanted) {
    const made = MAKERS[category](facts);
    if (typeof made === 'string') notNeeded.push({ category, why: made });
    else pipelines.push({ category, ...made });
  }
  return { pipelines, notNeeded };
}

type Made = Omit<Pipeline, 'category'> | string;

const MAKERS: Readonly<Record<Category, (facts: RepositoryFacts) => Made>> = {
  dependency_updates(facts) {
    const places = ecosystemsOf(facts);
    if (places.length === 0) return noneSeen(facts, 'No package manager’s file');
    return {
      why: `Packages of ${[...new Set(places.map(({ ecosystem }) => ecosystem))].join(', ')} were found.`,
      actions: [],
      write: () => ({
        path: '.github/dependabot.yml',
        content: [
          'version: 2',
          'updates:',
          ...places.flatMap(({ ecosystem, directory }) => [
            `  - package-ecosystem: ${ecosystem}`,
            `    directory: ${JSON.stringify(directory)}`,
            '    schedule:',
            '      interval: weekly',
            '    open-pull-requests-limit: 5',
          ]),
          '',
        ].join('\n'),
      }),
    };
  },
  dependency_review(facts) {
    const found = manifestsOf(facts).filter(
      ({ ecosystem }) => !['docker', 'github-actions', 'terraform'].includes(ecosystem),
    );
    if (found.length === 0) return noneSeen(facts, 'No package manager’s file');
    const review = 'actions/dependency-review-action@v4';
    return {
      why: `${counted(found.length, 'manifest')}, such as ${found[0]?.path}; a pull request that brings a known vulnerability is stopped.`,
      actions: [CHECKOUT, review],
      write: (pin) =>
        workflow('dependency-review', {
          name: 'Dependency review',
          on: ['  pull_request:'],
          job: [
            ...checkout(pin),
            `      - uses: ${pin(review)}`,
            '        with:',
            '          fail-on-severity: high',
          ],
        }),
    };
  },
  code_scanning(facts) {
    const found = new Set(Object.keys(facts.languages).flatMap((name) => CODEQL[name] ?? []));
    if (found.size === 0)
      return `CodeQL reads none of its languages (${Object.keys(facts.languages).join(', ') || 'none found'}).`;
    const languages = [...found].sort();
    const init = 'github/codeql-action/init@v3';
    const build = 'github/codeql-action/autobuild@v3';
    const analyze = 'github/codeql-action/analyze@v3';
    return {
      why: `CodeQL reads ${languages.join(', ')}.`,
      actions: [CHECKOUT, init, build, analyze],
      write: (pin) =>
        workflow('codeql', {
          name: 'CodeQL',
          on: onChange(facts, 'Mon 04:17'),
          permissions: ['security-events: write'],
          matrix: ['        language:', ...languages.map((each) => `          - ${each}`)],
          runsOn: languages.includes('swift') ? 'macos-latest' : 'ubuntu-latest',
          job: [
            ...checkout(pin),
            `      - uses: ${pin(init)}`,
            '        with:',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own expression
            '          languages: ${{ matrix.language }}',
            `      - uses: ${pin(build)}`,
            `      - uses: ${pin(analyze)}`,
          ],
        }),
    };
  },
  secret_scanning(facts) {
    const scan = 'trufflesecurity/trufflehog@v3.90.8';
    return {
      why: 'Every repository; what is found is checked against the service that it would open.',
      actions: [CHECKOUT, scan],
      write: (pin) =>
        workflow('secret-scan', {
          name: 'Secret scan',
          on: onChange(facts),
          job: [
            ...checkout(pin, ['          fetch-depth: 0']),
            `      - uses: ${pin(scan)}`,
            '        with:',
            '          extra_args: --results=verified,unknown',
          ],
        }),
    };
  },
  containers(facts) {
    const files = manifestsOf(facts).filter(({ ecosystem }) => ecosystem === 'docker');
    if (files.length === 0) return noneSeen(facts, 'No Dockerfile');
    const scan = 'anchore/scan-action@v6';
    return {
      why: `${files.length} Dockerfiles, such as ${files[0]?.path}.`,
      actions: [CHECKOUT, scan],
      write: (pin) =>
        workflow('container-scan', {
          name: 'Container scan',
          on: onChange(facts, 'Tue 04:17'),
          job: [
            ...checkout(pin),
            `      - uses: ${pin(scan)}`,
            '        with:',
            '          path: .',
            '          fail-build: true',
            '          severity-cutoff: high',
          ],
        }),
    };
  },
  workflow_linting(facts) {
    const files = workflowsOf(facts);
    if (files.length === 0) return noneSeen(facts, 'No workflow');
    const audit = 'zizmorcore/zizmor-action@v0.1.2';
    return {
      why: `${counted(files.length, 'workflow')}, such as ${files[0]}; zizmor finds what an attacker would in them.`,
      actions: [CHECKOUT, audit],
      write: (pin) =>
        workflow('workflow-audit', {
          name: 'Workflow audit',
          on: onChange(facts),
          permissions: ['security-events: write'],
          job: [...checkout(pin), `      - uses: ${pin(audit)}`],
        }),
    };
  },
  scorecard({ about }) {
    if (about.private) return 'OpenSSF Scorecard publishes results of public repositories only.';
    const score = 'ossf/scorecard-action@v2.4.2';
    const upload = 'github/codeql-action/upload-sarif@v3';
    return {
      why: 'It is public: OpenSSF Scorecard rates its practices each week.',
      actions: [CHECKOUT, score, upload],
      write: (pin) =>
        workflow('scorecard', {
          name: 'Scorecard',
          on: ['  schedule:', `    - cron: ${CRON['Wed 04:17']}`, '  workflow_dispatch:'],
          permissions: ['security-events: write', 'id-token: write'],
          job: [
            ...checkout(pin),
            `      - uses: ${pin(score)}`,
            '        with:',
            '          results_file: results.sarif',
            '          results_format: sarif',
            '          publish_results: true',
            `      - uses: ${pin(upload)}`,
            '        with:',
            '          sarif_file: results.sarif',
          ],
        }),
    };
  },
};

function noneSeen({ isTreeCut }: RepositoryFacts, what: string): string {
  return isTreeCut
    ? `${what} is among the files that GitHub listed. It did not list all, so whether there is one is not known.`
    : `${what} was found.`;
}

const CRON = {
  'Mon 04:17': '"17 4 * * 1"',
  'Tue 04:17': '"17 4 * * 2"',
  'Wed 04:17': '"17 4 * * 3"',
} as const;

interface Workflow {
  readonly name: string;
  readonly on: readonly string[];
  readonly permissions?: readonly string[];
  readonly matrix?: readonly string[];
  readonly runsOn?: string;
  readonly job: readonly string[];
}

/** With a token that may do nothing, but for what its one job needs. */
function workflow(
  id: string,
  { name, on, permissions = [], matrix = [], runsOn = 'ubuntu-latest', job }: Workflow,
): PipelineFile {
  const lines = [
    `name: ${name}`,
    'on:',
    ...on,
    'permissions: {}',
    'jobs:',
    `  ${id}:`,
    `    runs-on: ${runsOn}`,
    '    timeout-minutes: 30',
    '    permissions:',
    '      contents: read',
    ...permissions.map((each) => `      ${each}`),
    ...(matrix.length === 0 ? [] : ['    strategy:', '      fail-fast: false', '      matrix:', ...matrix]),
    '    steps:',
    ...job,
  ];
  return { path: `.github/workflows/${id}.yml`, content: `${lines.join('\n')}\n` };
}

function checkout(pin: (action: string) => Pin, also: readonly string[] = []): string[] {
  return [`      - uses: ${pin(CHECKOUT)}`, '        with:', '          persist-credentials: false', ...also];
}

/** A name that could mean more to a pattern than itself is left out: every branch is looked at then. */
function onChange({ about }: RepositoryFacts, at?: keyof typeof CRON): string[] {
  const branch = about.default_branch;
  const isPlain = /^[\w][\w./-]{0,200}$/.test(branch);
  return [
    '  push:',
    ...(isPlain ? ['    branches:', `      - ${JSON.stringify(branch)}`] : []),
    '  pull_request:',
    ...(at === undefined ? [] : ['  schedule:', `    - cron: ${CRON[at]}`]),
  ];
}

/** Dependabot’s places, the most that are of use: one entry for each folder with a manifest. */
function ecosystemsOf(facts: RepositoryFacts): { ecosystem: string; directory: string }[] {
  const places = new Map<string, { ecosystem: string; directory: string }>();
  for (const { ecosystem, path } of manifestsOf(facts)) {
    const folder = ecosystem === 'github-actions' ? '' : path.split('/').slice(0, -1).join('/');
    const directory = `/${folder}`;
    places.set(`${ecosystem} ${directory}`, { ecosystem, directory });
  }
  return [...places.values()].slice(0, 30);
}
