import { closeSync, openSync } from 'node:fs';
import { ToolError } from '@nexus/plugin-sdk';

const HOW_TO_GET_IT =
  'Reinstall Nexus with optional dependencies, or install ripgrep and name its path as code.ripgrepPath in the config.';

/** A module that could not be read once is gone for as long as the process runs, so it is read while files can be opened. */
const SOON_MS = 200;

export function findBinarySoon(configured: string | undefined): void {
  setTimeout(() => void ripgrepBinary(configured).catch(() => {}), SOON_MS).unref();
}

/**
 * The path of rg: the configured one, or the binary that `@vscode/ripgrep` has for this platform.
 * @throws {ToolError} NEXUS_UNAVAILABLE when there is none for this platform
 * @throws {Error} the system's, when no file can be opened now
 */
export async function ripgrepBinary(configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (cause) {
    throwIfNothingOpens();
    throw ripgrepMissing(`for ${process.platform}-${process.arch}`, cause);
  }
}

export function ripgrepMissing(where: string, cause: unknown): ToolError {
  return new ToolError('NEXUS_UNAVAILABLE', `There is no ripgrep ${where}. ${HOW_TO_GET_IT}`, { cause });
}

/** What the system says when it has no more files, processes or memory for this one; the core tells the caller. */
export function isExhausted(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['EMFILE', 'ENFILE', 'EAGAIN', 'EBADF'].includes(code);
}

function throwIfNothingOpens(): void {
  closeSync(openSync(process.execPath, 'r'));
}
