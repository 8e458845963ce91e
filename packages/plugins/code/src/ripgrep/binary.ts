import { ToolError } from '@nexus/plugin-sdk';

const HOW_TO_GET_IT =
  'Reinstall Nexus with optional dependencies, or install ripgrep and name its path as code.ripgrepPath in the config.';

/**
 * The path of rg: the configured one, or the binary that `@vscode/ripgrep` has for this platform.
 * @throws {ToolError} NEXUS_UNAVAILABLE when there is none for this platform
 */
export async function ripgrepBinary(configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (cause) {
    throw ripgrepMissing(`for ${process.platform}-${process.arch}`, cause);
  }
}

export function ripgrepMissing(where: string, cause: unknown): ToolError {
  return new ToolError('NEXUS_UNAVAILABLE', `There is no ripgrep ${where}. ${HOW_TO_GET_IT}`, { cause });
}
