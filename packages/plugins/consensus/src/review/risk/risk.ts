import { counted } from '@nexus/primitives';
import { changedLines, type DiffFile } from '../diff/parse-diff.ts';
import type { ReviewerName } from '../reviewers.ts';

/** What it can harm, by the words of its path; matched whole, between separators and changes of case. */
interface AreaData {
  readonly words: readonly string[];
  readonly level: 'high' | 'low';
}

const areas = {
  authentication: {
    words: [
      'auth',
      'authn',
      'authz',
      'oauth',
      'oidc',
      'saml',
      'jwt',
      'login',
      'session',
      'sessions',
      'token',
      'tokens',
      'password',
      'passwords',
      'permission',
      'permissions',
      'acl',
      'rbac',
      'policy',
      'trust',
    ],
    level: 'high',
  },
  cryptography: {
    words: [
      'crypto',
      'cryptography',
      'cipher',
      'encrypt',
      'encryption',
      'decrypt',
      'signing',
      'signature',
      'tls',
      'ssl',
      'cert',
      'certs',
      'certificate',
      'secret',
      'secrets',
      'keys',
      'keystore',
      'vault',
    ],
    level: 'high',
  },
  delivery: {
    words: [
      'github',
      'gitlab',
      'workflows',
      'ci',
      'circleci',
      'jenkinsfile',
      'dockerfile',
      'docker',
      'terraform',
      'helm',
      'k8s',
      'kubernetes',
      'ansible',
      'deploy',
      'release',
      'makefile',
    ],
    level: 'high',
  },
  dependencies: {
    words: [
      'package.json',
      'pyproject.toml',
      'requirements.txt',
      'cargo.toml',
      'go.mod',
      'gemfile',
      'composer.json',
      'pom.xml',
      'build.gradle',
      '.npmrc',
    ],
    level: 'high',
  },
  migrations: {
    words: ['migration', 'migrations', 'migrate', 'schema', 'sql', 'alembic', 'flyway'],
    level: 'high',
  },
  payments: { words: ['payment', 'payments', 'billing', 'invoice', 'checkout'], level: 'high' },
  prose: { words: ['md', 'mdx', 'rst', 'txt', 'adoc', 'license', 'changelog'], level: 'low' },
} as const satisfies Record<string, AreaData>;

export type Level = 'low' | 'usual' | 'high';

/** From how many changed lines on a file is worth more eyes, whatever it is called. */
const MANY_LINES = 400;

type Depth = Readonly<Record<Level, readonly ReviewerName[]>>;

/** How many look at it, and who: the more it can harm, the more is looked for, and by the more. */
export const depth: Depth = {
  low: ['correctness'],
  usual: ['general'],
  high: ['correctness', 'security', 'failure', 'contracts'],
};

/** Who looked in reviews of the first two versions. */
export const depthBefore: Depth = { ...depth, usual: ['correctness', 'security'] };

export interface Risk {
  readonly level: Level;
  readonly why: string;
}

export function riskOf(file: DiffFile): Risk {
  const words = new Set([...wordsOf(file.path), ...wordsOf(file.oldPath ?? '')]);
  const touched = Object.entries(areas).filter(([, area]) => area.words.some((word) => words.has(word)));
  const high = touched.filter(([, { level }]) => level === 'high').map(([name]) => name);
  if (high.length > 0) return { level: 'high', why: `touches ${high.join(', ')}` };
  const changed = changedLines(file);
  if (changed > MANY_LINES) return { level: 'high', why: counted(changed, 'changed line') };
  if (touched.length > 0) return { level: 'low', why: 'prose' };
  return { level: 'usual', why: counted(changed, 'changed line') };
}

/** Each name of the path, and each word of each. */
function wordsOf(path: string): string[] {
  return path.split('/').flatMap((name) => [
    name.toLowerCase(),
    ...name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  ]);
}
