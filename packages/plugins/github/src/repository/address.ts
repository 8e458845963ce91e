import { ToolError } from '@nexus/plugin-sdk';

export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

export interface Issue extends Repository {
  readonly number: number;
}

const OWNER = /^[A-Za-z\d](?:[A-Za-z\d_-]{0,99})$/;
const NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * `https://github.com/owner/name` with anything after it, `git@github.com:owner/name.git`, or `owner/name`.
 * @param baseUrl of the API, which says whose web addresses are meant
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function repositoryAt(text: string, baseUrl: string): Repository {
  const [owner = '', name = ''] = partsOf(text, baseUrl);
  const repo = name.replace(/\.git$/, '');
  if (OWNER.test(owner) && NAME.test(repo)) return { owner, repo };
  throw invalid(text, `names no repository, such as ${webOf(baseUrl)}/owner/name or owner/name`);
}

/**
 * `https://github.com/owner/name/issues/7`, or `owner/name#7`.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function issueAt(text: string, baseUrl: string): Issue {
  const short = /^([^/#]+\/[^/#]+)#(\d{1,9})$/.exec(text.trim());
  if (short) return { ...repositoryAt(short[1] ?? '', baseUrl), number: Number(short[2]) };
  const [owner = '', repo = '', kind, number = ''] = partsOf(text, baseUrl);
  if (OWNER.test(owner) && NAME.test(repo) && kind === 'issues' && /^\d{1,9}$/.test(number)) {
    return { owner, repo, number: Number(number) };
  }
  throw invalid(text, `names no issue, such as ${webOf(baseUrl)}/owner/name/issues/7 or owner/name#7`);
}

/** `https://api.github.com` is github.com’s, `https://ghe.example/api/v3` ghe.example’s. */
function webOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.protocol}//${url.host.replace(/^api\.(?=.+\.)/, '')}`;
}

function partsOf(text: string, baseUrl: string): string[] {
  const given = text.trim().replace(/^(?:git\+)?ssh:\/\/git@|^git@/, 'https://');
  const written = /^https:\/\/[^/]+?:(?!\d+\/)/.test(given)
    ? given.replace(/^(https:\/\/[^/]+?):/, '$1/')
    : given;
  if (!/^https?:\/\//i.test(written)) return written.split('/');
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const web = new URL(webOf(baseUrl));
  if (!url) throw invalid(text, 'is no URL');
  const isThere = [web.host, web.hostname].includes(url.host.replace(/^www\./, ''));
  if (!isThere) {
    throw invalid(
      text,
      `is not at ${web.host}, whose API is ${baseUrl} (sources.github.baseUrl in the config)`,
    );
  }
  return url.pathname.split('/').filter((part) => part !== '');
}

function invalid(text: string, why: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', `${JSON.stringify(text.slice(0, 200))} ${why}.`);
}
