import { sep } from 'node:path';

const hex = (digits: number) => `[0-9a-f]{${digits}}`;
const UUID = `${hex(8)}(-${hex(4)}){3}-${hex(12)}`;
const SESSION = `\\d{14}-${hex(6)}`;
/** In a data directory. */
export const WORKTREES = 'workflows/worktrees';
/** Of a worktree that is being taken away, behind its name. */
export const GONE_MARK = '.gone';
const WORKTREE = `${WORKTREES}/${hex(8)}`;
/** While it is written. */
const DRAFT = '(\\.\\d+(\\.tmp)?)?';

/**
 * What Nexus makes, as regular expressions for each part of a path, with `/` between them. One that ends with `/` is
 * a folder of Nexus alone, by a name that nobody else gives. A folder that is not named to its end may be somebody
 * else's as well: in it only what is named here is Nexus's own.
 */
export type MadeNames = readonly string[];

/** In a data directory. */
export const IN_DATA_DIR: MadeNames = [
  'nexus\\.sqlite(-wal|-shm|-journal)?',
  'http(-look)?-token',
  `audit/(project(\\.${UUID})?|closing\\.lock|checkpoints\\.lock)`,
  `audit/checkpoints/\\d{8}\\.note(\\.${UUID})?`,
  `audit/writers/${UUID}/`,
  `auth/${hex(32)}\\.json(\\.[\\w.-]+)?`,
  'clients\\.json(\\.\\d+)?',
  `chat/(input-history|${SESSION}\\.jsonl?${DRAFT})`,
  `chat/results/${SESSION}/`,
  `code/symbols-[\\w-]+\\.jsonl${DRAFT}`,
  `feeds/compare-${UUID}/`,
  `fetching/${hex(64)}(\\.${UUID}\\.part)?`,
  `holds/${hex(40)}\\.lock`,
  'logs/nexus\\.jsonl(\\.1)?',
  '\\.room-\\d+',
  'machine(\\.\\d+)?',
  'mcp-telemetry/timeout-mismatch-events\\.jsonl(\\.1)?',
  `notices/${hex(12)}\\.\\d+\\..+`,
  `processes/\\d+\\.(${hex(8)}\\.)?lock(\\.asked)?`,
  `project-ids/${hex(16)}(\\.made-${UUID})?`,
  `results/${UUID}(\\.part)?`,
  `toolboxes/found-by/${hex(32)}${DRAFT}`,
  `traces/(calls-\\d{4}-\\d\\d-\\d\\d|[a-z]+_${hex(32)})\\.jsonl`,
  `${WORKTREE}(\\.gone)?/`,
  `${WORKTREE}\\.[\\w.-]+`,
];

/** In one that nobody chose, where it is also kept whose it is. */
export const IN_USUAL_DATA_DIR: MadeNames = [...IN_DATA_DIR, `project-folders/${hex(16)}`];

/** In the platform's state directory, beside the data directories of the projects. */
const BESIDE_PROJECTS: MadeNames = ['trust/[0-9a-f]+\\.json[\\w.-]*', `data-dirs/${hex(32)}/`];

/** In the platform's state directory, the folders of the projects as a whole: each is a folder of Nexus's. */
export const IN_STATE_DIR: MadeNames = [`projects/.+-${hex(8)}/`, ...BESIDE_PROJECTS];

/** The same file by file, since others may have put theirs there. */
export const FILES_IN_STATE_DIR: MadeNames = [
  ...IN_USUAL_DATA_DIR.map((name) => `projects/.+-${hex(8)}/${name}`),
  ...BESIDE_PROJECTS,
];

/** In the user's config directory, beside the settings. */
export const BESIDE_SETTINGS: MadeNames = [
  `audit-key\\.pem(\\.${UUID})?`,
  'audit-keys',
  `audit-trails/${hex(32)}`,
];

/** Where processes meet. */
export const IN_RUNTIME_DIR: MadeNames = [`${hex(16)}\\.(lock|json(\\.\\d+)?|[0-9a-f]+\\.sock)`];

/** @param path in a data directory */
export function isMadeWorktree(path: string): boolean {
  return /^workflows\/worktrees\/[0-9a-f]{8}$/.test(path.split(sep).join('/'));
}
