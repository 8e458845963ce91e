/** How long a server may take to start and to say what it offers. */
export const DEFAULT_OPEN_MS = 30_000;
/** The same where its first start may download it: as long as the tool that opens it has, and lets it say so. */
const DOWNLOAD_MS = 110_000;

/** Programs that get what they run from a registry, if it is not there. */
const DOWNLOADERS = ['npx', 'pnpx', 'bunx', 'uvx', 'pipx', 'docker', 'podman', 'deno'];
/** Those that do by a word that follows. */
const DOWNLOADS_BY = { pnpm: 'dlx', yarn: 'dlx', npm: 'exec', uv: 'tool', bun: 'x' } as const;

interface Started {
  readonly transport: string;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
}

/** What a server's first start may download it by; undefined where it lies here, or is elsewhere. */
export function downloader({ transport, command = '', args = [] }: Started): string | undefined {
  if (transport !== 'stdio') return undefined;
  const program = (command.split(/[\\/]/).at(-1) ?? '').replace(/\.(cmd|exe|ps1)$/i, '').toLowerCase();
  if (DOWNLOADERS.includes(program)) return program;
  const word = Object.hasOwn(DOWNLOADS_BY, program)
    ? DOWNLOADS_BY[program as keyof typeof DOWNLOADS_BY]
    : undefined;
  return word !== undefined && args.includes(word) ? `${program} ${word}` : undefined;
}

/** In milliseconds. */
export function openMs(settings: Started, usualMs: number): number {
  return downloader(settings) === undefined ? usualMs : Math.max(usualMs, DOWNLOAD_MS);
}
